//! Codec for Chessnut boards. A message is `code length payload`. The squares of a position run h8 g8 … a8, h7 … a1,
//! two squares per byte, low nibble first.
//!
//! Source: the project's protocol notes on non-DGT boards, "Chessnut", 4.2 to 4.6.

use tabiya_types::{Board, Color, Piece, Role, Square};

use crate::lights::Lights;
use crate::makers::stream::{self, FrameStart, Framed};

/// The payload length of a position in bytes: 32 for the squares and 4 for a counter of the board.
const POSITION: usize = 36;

/// A message from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChessnutMessage {
    /// The position on the board.
    Position(Board),
    /// The answer to command `21`: whether the board streams positions now.
    Streams(bool),
    /// The battery's charge in percent, and whether the battery is being charged.
    Battery(u8, bool),
    /// A message that Tabiya does not use, with its code.
    Other(u8),
}

/// A command to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChessnutCommand {
    /// Start streaming positions.
    Stream,
    /// Send the stored games to the program; this stops the stream of positions.
    Upload,
    /// Light these squares: bit 0 of the first byte is h8, bit 7 of the last byte is a1.
    Light([u8; 8]),
    /// Beep with this frequency in Hz and this length in ms.
    Beep(u16, u16),
    /// Ask for the battery's charge.
    Battery,
}

/// Decodes a piece code: 0 is an empty square, 13 to 15 are invalid.
fn piece(code: u8) -> Result<Option<Piece>, ()> {
    use Color::{Black, White};
    let (color, role) = match code {
        0 => return Ok(None),
        1 => (Black, Role::Queen),
        2 => (Black, Role::King),
        3 => (Black, Role::Bishop),
        4 => (Black, Role::Pawn),
        5 => (Black, Role::Knight),
        6 => (White, Role::Rook),
        7 => (White, Role::Pawn),
        8 => (Black, Role::Rook),
        9 => (White, Role::Bishop),
        10 => (White, Role::Knight),
        11 => (White, Role::Queen),
        12 => (White, Role::King),
        _ => return Err(()),
    };
    Ok(Some(Piece { color, role }))
}

fn code(piece: Option<Piece>) -> u8 {
    (0..13).find(|code| self::piece(*code) == Ok(piece)).unwrap_or(0)
}

/// Returns the square of the nibble with this number, 0..=63.
fn square(nibble: usize) -> Option<Square> {
    Square::from_index(63_usize.checked_sub(nibble)?)
}

/// Decodes the 32 bytes of a position; `None` if a nibble is not a valid piece code.
pub fn board(bytes: &[u8]) -> Option<Board> {
    let mut board = Board::EMPTY;
    let nibbles = bytes.iter().flat_map(|byte| [byte & 0x0F, byte >> 4]);
    for (nth, nibble) in nibbles.enumerate() {
        board[square(nth)?] = piece(nibble).ok()?;
    }
    Some(board)
}

/// Encodes a position as 32 bytes.
pub fn squares(board: &Board) -> [u8; 32] {
    let at = |nth: usize| square(nth).map_or(0, |square| code(board[square]));
    std::array::from_fn(|nth| at(2 * nth) | at(2 * nth + 1) << 4)
}

impl ChessnutMessage {
    /// Encodes the message as the board sends it in one notification.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Position(board) => [&[0x01, 0x24], squares(board).as_slice(), &[0; 4]].concat(),
            Self::Streams(ready) => vec![0x23, 1, u8::from(!ready)],
            Self::Battery(percent, charging) => {
                vec![0x2A, 2, percent | u8::from(*charging) << 7, u8::from(*charging)]
            }
            Self::Other(code) => vec![*code, 0],
        }
    }

    /// Decodes a message from its code and payload; `None` if the payload is invalid.
    fn of(code: u8, payload: &[u8]) -> Option<Self> {
        Some(match (code, payload) {
            (0x01, squares) => Self::Position(board(squares.get(..32)?)?),
            (0x23, [refused, ..]) => Self::Streams(*refused == 0),
            (0x2A, [level, state, ..]) => {
                // The model Chessnut Move always reports the charge 0, which has no meaning.
                Self::Battery((level & 0x7F).min(100), level & 0x80 != 0 || *state == 1)
            }
            _ => Self::Other(code),
        })
    }
}

impl ChessnutCommand {
    /// Encodes the command as the bytes of one write.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Stream => vec![0x21, 1, 0],
            Self::Upload => vec![0x21, 1, 1],
            Self::Light(ranks) => [&[0x0A, 8], ranks.as_slice()].concat(),
            Self::Beep(hertz, millis) => {
                [&[0x0B, 4], hertz.to_be_bytes().as_slice(), &millis.to_be_bytes()].concat()
            }
            Self::Battery => vec![0x29, 1, 0],
        }
    }

    /// Decodes the bytes of one write; `None` if the command is unknown.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [0x21, 1, 0] => Self::Stream,
            [0x21, 1, 1] => Self::Upload,
            [0x0A, 8, ranks @ ..] => Self::Light(ranks.try_into().ok()?),
            [0x0B, 4, a, b, c, d] => Self::Beep(u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])),
            [0x29, 1, 0] => Self::Battery,
            _ => return None,
        })
    }
}

/// Encodes the lit squares: eight bytes, rank 8 first, bit 7 is the a file. The lights have only one colour.
pub fn lamps(lights: &Lights) -> [u8; 8] {
    let mut ranks = [0_u8; 8];
    for (square, _) in lights.lit() {
        if let Some(rank) = ranks.get_mut(usize::from(7 - square.rank())) {
            *rank |= 0x80 >> square.file();
        }
    }
    ranks
}

/// Finds the message at the beginning of `bytes`. A message starts only where the code and the length belong
/// together. If a complete message has an invalid payload, only its first byte is skipped, because the other bytes
/// may contain the start of the next message.
fn front(bytes: &[u8]) -> FrameStart<ChessnutMessage> {
    let [code, length, rest @ ..] = bytes else { return FrameStart::Incomplete };
    let (code, length) = (*code, usize::from(*length));
    let usual = match code {
        0x01 => length == POSITION,
        0x23 => length == 1,
        0x2A => length == 2,
        0x0F | 0x24..=0x44 => length <= 0xBE,
        _ => false,
    };
    if !usual {
        return FrameStart::Noise;
    }
    let Some(payload) = rest.get(..length) else { return FrameStart::Incomplete };
    ChessnutMessage::of(code, payload)
        .map_or(FrameStart::Noise, |message| FrameStart::Complete(length + 2, message))
}

/// Extracts messages from a byte stream that arrives in chunks of any size.
pub type ChessnutDecoder = stream::StreamDecoder<ChessnutMessage>;

impl Framed for ChessnutMessage {
    fn first_frame(bytes: &[u8]) -> FrameStart<Self> {
        front(bytes)
    }
}

#[cfg(test)]
mod tests;
