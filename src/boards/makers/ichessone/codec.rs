//! iChessOne's bytes: bare ASCII to the board, `=`, a letter and data back. Squares run a8 b8 … h8, a7 … h1, two to a
//! byte, high nibble first. Source: the notes on other boards, "iChessOne".

use tabiya_types::{Board, Color, Piece, Role, Square};

use crate::makers::stream::{self, FrameStart, Framed};

/// Opens every message of the board. It is no byte of a position: 13 is no piece's code.
const OPENS: u8 = b'=';
/// Bytes of a position.
const SQUARES: usize = 32;
/// The longest text that it may tell of itself, in bytes.
const LONGEST_TEXT: usize = 64;

/// What a board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IChessOneMessage {
    /// What stands on it.
    Position(Board),
    /// Whether it is charged, and percent.
    Battery(bool, u8),
    /// Its hardware: up to 64 printable characters. Known when the next message begins.
    Hardware(String),
}

/// What a host says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IChessOneCommand {
    /// Tell the position at every change.
    OnChange,
    /// Tell it every so many ms.
    Every(u16),
    /// Tell none any more.
    Off,
    /// Tell it once.
    Position,
    /// Tell the battery once.
    Battery,
    /// Tell the hardware once.
    Hardware,
    /// Light squares.
    Light(ColoredSquares),
}

/// Squares in one colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColoredSquares {
    /// Red, green and blue, 0..=15 each.
    pub color: [u8; 3],
    /// How bright, 0..=15.
    pub dim: u8,
    /// Rank 8 first, bit 0 the a file.
    pub ranks: [u8; 8],
    /// 0 is steady; 14 and 15 blink.
    pub flash: u8,
    /// Whether what was lit before goes dark.
    pub alone: bool,
}

impl ColoredSquares {
    /// Nothing shines.
    pub const DARK: Self = Self { color: [0; 3], dim: 0, ranks: [0; 8], flash: 0, alone: true };
}

/// The piece of a code: 0 is none, 13 to 15 are no codes.
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

/// Whether both halves of a byte are codes of pieces.
fn may_be_squares(byte: u8) -> bool {
    piece(byte >> 4).is_ok() && piece(byte & 0x0F).is_ok()
}

/// The square of a nibble, 0..=63.
fn square(nth: usize) -> Option<Square> {
    // Ranks run from the eighth down, files as they are named.
    Square::from_index(nth ^ 0x38)
}

/// The board of 32 bytes; `None` if one of them is no pair of pieces.
pub fn board(bytes: &[u8]) -> Option<Board> {
    let mut board = Board::EMPTY;
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0F]);
    for (nth, nibble) in nibbles.enumerate() {
        board[square(nth)?] = piece(nibble).ok()?;
    }
    Some(board)
}

/// The 32 bytes of a board.
pub fn squares(board: &Board) -> [u8; SQUARES] {
    let at = |nth: usize| square(nth).map_or(0, |square| code(board[square]));
    std::array::from_fn(|nth| at(2 * nth) << 4 | at(2 * nth + 1))
}

/// Eight bytes, rank 8 first, bit 0 the a file.
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
    /// The message's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Position(board) => [b"=p", squares(board).as_slice()].concat(),
            Self::Battery(charging, percent) => vec![OPENS, b'b', u8::from(*charging), *percent],
            Self::Hardware(text) => [b"=h", text.as_bytes()].concat(),
        }
    }
}

impl IChessOneCommand {
    /// The bytes of one write.
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
                // The last byte: until something else is said.
                [head.as_slice(), &ranks, &[0, flash << 4 | u8::from(alone), 0xFF]].concat()
            }
        }
    }

    /// The command of one write; `None` if it is none that is known.
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

/// What the bytes at hand begin with.
fn front(held: &[u8]) -> FrameStart<IChessOneMessage> {
    match held {
        [] | [OPENS] => FrameStart::Half,
        [OPENS, b'p', rest @ ..] => {
            if !rest.iter().take(SQUARES).all(|byte| may_be_squares(*byte)) {
                return FrameStart::Noise;
            }
            match rest.get(..SQUARES).and_then(board) {
                Some(board) => FrameStart::Whole(SQUARES + 2, IChessOneMessage::Position(board)),
                None => FrameStart::Half,
            }
        }
        // Charging or not, and percent: other bytes are the rest of something else.
        [OPENS, b'b', 2..=u8::MAX, ..] | [OPENS, b'b', _, 101..=u8::MAX, ..] => FrameStart::Noise,
        [OPENS, b'b', charging, percent, ..] => {
            FrameStart::Whole(4, IChessOneMessage::Battery(*charging == 1, *percent))
        }
        [OPENS, b'b', ..] => FrameStart::Half,
        [OPENS, b'h', rest @ ..] => {
            let is_text = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != OPENS;
            match rest.iter().position(|byte| !is_text(byte)) {
                Some(end) => {
                    let text = rest.get(..end).unwrap_or_default();
                    FrameStart::Whole(
                        end + 2,
                        IChessOneMessage::Hardware(String::from_utf8_lossy(text).into_owned()),
                    )
                }
                None if rest.len() > LONGEST_TEXT => FrameStart::Noise,
                None => FrameStart::Half,
            }
        }
        _ => FrameStart::Noise,
    }
}

/// Takes messages out of a stream of any pieces.
pub type IChessOneDecoder = stream::StreamDecoder<IChessOneMessage>;

impl Framed for IChessOneMessage {
    fn front(bytes: &[u8]) -> FrameStart<Self> {
        front(bytes)
    }
}

#[cfg(test)]
mod tests;
