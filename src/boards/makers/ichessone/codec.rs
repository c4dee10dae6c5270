//! Codec for iChessOne. The host sends plain ASCII commands; the board answers with `=`, a letter and data. The
//! squares of a position run a8 b8 … h8, a7 … h1, two squares per byte, high nibble first.
//!
//! Source: the project's protocol notes on non-DGT boards, section "iChessOne".

use tabiya_types::{Board, Color, Piece, Role, Square};

use crate::makers::stream::{self, FrameStart, Framed};

/// The first byte of every message. This byte cannot occur in a position, because its low nibble, 13, is not a piece
/// code.
const OPENS: u8 = b'=';
/// The length of a position in bytes.
const SQUARES: usize = 32;
/// The longest text about the hardware, in bytes.
const LONGEST_TEXT: usize = 64;

/// A message from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IChessOneMessage {
    /// The position on the board.
    Position(Board),
    /// Whether the battery is being charged, and the battery's charge in percent.
    Battery(bool, u8),
    /// A text about the board's hardware, at most 64 printable characters. The text ends where the next message
    /// begins.
    Hardware(String),
}

/// A command to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IChessOneCommand {
    /// Send the position at every change.
    OnChange,
    /// Send the position at this interval, in ms.
    Every(u16),
    /// Stop sending positions.
    Off,
    /// Send the position once.
    Position,
    /// Send the battery state once.
    Battery,
    /// Send the text about the hardware once.
    Hardware,
    /// Light squares in one colour.
    Light(ColoredSquares),
}

/// A light pattern: squares to light in one colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColoredSquares {
    /// Red, green and blue, 0..=15 each.
    pub color: [u8; 3],
    /// The brightness, 0..=15.
    pub dim: u8,
    /// The squares, rank 8 first; bit 0 is the a file.
    pub ranks: [u8; 8],
    /// How the squares blink: 0 is a steady light; 14 and 15 blink.
    pub flash: u8,
    /// Whether the board switches off all squares that earlier commands have lit.
    pub alone: bool,
}

impl ColoredSquares {
    /// The light pattern without lit squares.
    pub const DARK: Self = Self { color: [0; 3], dim: 0, ranks: [0; 8], flash: 0, alone: true };
}

/// Decodes a piece code: 0 is an empty square, 13 to 15 are invalid.
fn piece(code: u8) -> Result<Option<Piece>, ()> {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    let color = match code {
        0 => return Ok(None),
        1..=6 => Color::White,
        _ => Color::Black,
    };
    let role = match code {
        1 | 7 => Pawn,
        2 | 8 => Knight,
        3 | 9 => Bishop,
        4 | 10 => Rook,
        5 | 11 => Queen,
        6 | 12 => King,
        _ => return Err(()),
    };
    Ok(Some(Piece { color, role }))
}

fn code(piece: Option<Piece>) -> u8 {
    (0..13).find(|code| self::piece(*code) == Ok(piece)).unwrap_or(0)
}

/// Returns whether both nibbles of a byte are valid piece codes.
fn may_be_squares(byte: u8) -> bool {
    piece(byte >> 4).is_ok() && piece(byte & 0x0F).is_ok()
}

/// Returns the square of the nibble with this number, 0..=63.
fn square(nth: usize) -> Option<Square> {
    // Ranks run from 8 down to 1, files from a to h.
    Square::from_index(nth ^ 0x38)
}

/// Decodes the 32 bytes of a position; `None` if a nibble is not a valid piece code.
pub fn board(bytes: &[u8]) -> Option<Board> {
    let mut board = Board::EMPTY;
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0F]);
    for (nth, nibble) in nibbles.enumerate() {
        board[square(nth)?] = piece(nibble).ok()?;
    }
    Some(board)
}

/// Encodes a position as 32 bytes.
pub fn squares(board: &Board) -> [u8; SQUARES] {
    let at = |nth: usize| square(nth).map_or(0, |square| code(board[square]));
    std::array::from_fn(|nth| at(2 * nth) << 4 | at(2 * nth + 1))
}

/// Encodes squares as eight bytes, rank 8 first; bit 0 is the a file.
pub fn ranks(squares: impl IntoIterator<Item = Square>) -> [u8; 8] {
    let mut ranks = [0_u8; 8];
    for square in squares {
        if let Some(rank) = ranks.get_mut(usize::from(7 - square.rank())) {
            *rank |= 1 << square.file();
        }
    }
    ranks
}

impl IChessOneMessage {
    /// Returns the bytes of the message.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Position(board) => [b"=p", squares(board).as_slice()].concat(),
            Self::Battery(charging, percent) => vec![OPENS, b'b', u8::from(*charging), *percent],
            Self::Hardware(text) => [b"=h", text.as_bytes()].concat(),
        }
    }
}

impl IChessOneCommand {
    /// Returns the bytes of the command, for one write.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::OnChange => b"CPIRQ".to_vec(),
            Self::Every(millis) => format!("CPM{millis}").into_bytes(),
            Self::Off => b"CPOFF".to_vec(),
            Self::Position => b"RP".to_vec(),
            Self::Battery => b"RB".to_vec(),
            Self::Hardware => b"RH".to_vec(),
            Self::Light(ColoredSquares { color: [red, green, blue], dim, ranks, flash, alone }) => {
                let head = [b'E', b'L', dim << 4 | red & 0x0F, green << 4 | blue & 0x0F, 0];
                // The last byte means that the light pattern stays until the next command.
                [head.as_slice(), &ranks, &[0, flash << 4 | u8::from(alone), 0xFF]].concat()
            }
        }
    }

    /// Decodes the bytes of one write; `None` if the command is unknown.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            b"CPIRQ" => Self::OnChange,
            b"CPOFF" => Self::Off,
            b"RP" => Self::Position,
            b"RB" => Self::Battery,
            b"RH" => Self::Hardware,
            [b'C', b'P', b'M', millis @ ..] => Self::Every(std::str::from_utf8(millis).ok()?.parse().ok()?),
            [b'E', b'L', red, others, _, ranks @ .., _, flash, _] => Self::Light(ColoredSquares {
                color: [red & 0x0F, others >> 4, others & 0x0F],
                dim: red >> 4,
                ranks: ranks.try_into().ok()?,
                flash: flash >> 4,
                alone: flash & 0x0F == 1,
            }),
            _ => return None,
        })
    }
}

/// Finds the message at the beginning of the received bytes.
fn front(held: &[u8]) -> FrameStart<IChessOneMessage> {
    match held {
        [] | [OPENS] => FrameStart::Incomplete,
        [OPENS, b'p', rest @ ..] => {
            if !rest.iter().take(SQUARES).all(|byte| may_be_squares(*byte)) {
                return FrameStart::Noise;
            }
            match rest.get(..SQUARES).and_then(board) {
                Some(board) => FrameStart::Complete(SQUARES + 2, IChessOneMessage::Position(board)),
                None => FrameStart::Incomplete,
            }
        }
        // A battery message continues with 0 or 1 (charging), then 0..=100 (percent). Other bytes are not a battery
        // message.
        [OPENS, b'b', 2..=u8::MAX, ..] | [OPENS, b'b', _, 101..=u8::MAX, ..] => FrameStart::Noise,
        [OPENS, b'b', charging, percent, ..] => {
            FrameStart::Complete(4, IChessOneMessage::Battery(*charging == 1, *percent))
        }
        [OPENS, b'b', ..] => FrameStart::Incomplete,
        [OPENS, b'h', rest @ ..] => {
            let is_text = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != OPENS;
            match rest.iter().position(|byte| !is_text(byte)) {
                Some(end) => {
                    let text = rest.get(..end).unwrap_or_default();
                    FrameStart::Complete(
                        end + 2,
                        IChessOneMessage::Hardware(String::from_utf8_lossy(text).into_owned()),
                    )
                }
                None if rest.len() > LONGEST_TEXT => FrameStart::Noise,
                None => FrameStart::Incomplete,
            }
        }
        _ => FrameStart::Noise,
    }
}

/// Extracts messages from a byte stream that arrives in chunks of any size.
pub type IChessOneDecoder = stream::StreamDecoder<IChessOneMessage>;

impl Framed for IChessOneMessage {
    fn first_frame(bytes: &[u8]) -> FrameStart<Self> {
        front(bytes)
    }
}

#[cfg(test)]
mod tests;
