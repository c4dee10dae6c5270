//! Millennium's characters: a letter, data, and two hex digits of check; capital letters to the board, small ones
//! back. Source: the notes on other boards, "Millennium", 3.2 to 3.6.
//!
//! Bit 7 of each character is odd parity: the line is said to have seven bits and parity, and ours always carries
//! eight bits without. It is written and never asked for, as some boards leave it out.

use tabiya_types::{Board, Piece, Square};

use crate::makers::stream::{FrameStart, cut};

/// LEDs, at the corners of the squares.
pub const LEDS: usize = 81;
/// The longest text that a board may tell of itself, in characters.
const LONGEST_TEXT: usize = 40;

/// What a board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MillenniumMessage {
    /// The firmware: the first byte before the point, the second after it.
    Version(u16),
    /// What stands on it.
    Position(Board),
    /// What it believes to stand on it, the same way round; only an eONE is asked.
    Believed(Board),
    /// The LEDs shine as they were told.
    Lit,
    /// All LEDs are dark.
    Dark,
    /// A setting was written: its number and what it is now.
    Written(u8, u8),
    /// A setting was read, likewise.
    Setting(u8, u8),
    /// Which model it is: a line of up to 40 printable characters.
    Model(String),
}

/// What a host says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MillenniumCommand {
    /// Tell the version.
    Version,
    /// Tell what stands on it.
    Position,
    /// Tell what it believes to stand there.
    Believed,
    /// All LEDs: how long a slot is, in 4.096 ms, and eight slots for each, bit 7 the first.
    Light(u8, Box<[u8; LEDS]>),
    /// All LEDs dark.
    Dark,
    /// Write a setting.
    Write(u8, u8),
    /// Read a setting.
    Read(u8),
    /// Begin anew; three seconds of silence.
    Reset,
    /// Tell the model.
    Model,
}

/// A character with odd parity in bit 7.
fn with_parity(letter: u8) -> u8 {
    let letter = letter & 0x7F;
    if letter.count_ones() % 2 == 1 { letter } else { letter | 0x80 }
}

/// A message's bytes: its characters, their check, parity in all.
fn framed(text: &str) -> Vec<u8> {
    let check = text.bytes().fold(0, |check, letter| check ^ letter);
    text.bytes().chain(format!("{check:02X}").bytes()).map(with_parity).collect()
}

/// The square of a character of a position, 0..=63: h1 g1 … a1, h2 … a8.
///
/// A board that lies the other way round tells a8 … h8, a7 … h1, which is the same turned by 180°: whoever follows
/// the pieces turns the board then, so that it is always read in this order.
fn square(nth: usize) -> Option<Square> {
    Square::from_index((nth / 8 * 8) + 7_usize.checked_sub(nth % 8)?)
}

fn board(letters: &[u8]) -> Option<Board> {
    let mut board = Board::EMPTY;
    for (nth, letter) in letters.iter().enumerate() {
        board[square(nth)?] = match letter {
            b'.' => None,
            letter => Some(Piece::from_letter(char::from(*letter))?),
        };
    }
    Some(board)
}

fn letters(board: &Board) -> String {
    let at = |nth| square(nth).and_then(|square| board[square]).map_or('.', Piece::letter);
    (0..64).map(at).collect()
}

/// The LEDs at a square's four corners, as a board counts them that is read from h1 on.
pub fn corners(square: Square) -> [usize; 4] {
    let first = 9 * usize::from(7 - square.file()) + usize::from(square.rank());
    [first, first + 1, first + 9, first + 10]
}

/// All LEDs, each with the slots in which a square at it shines.
pub fn picture(lit: impl IntoIterator<Item = (Square, u8)>) -> [u8; LEDS] {
    let mut leds = [0; LEDS];
    for (square, slots) in lit {
        for corner in corners(square) {
            if let Some(led) = leds.get_mut(corner) {
                *led |= slots;
            }
        }
    }
    leds
}

impl MillenniumMessage {
    /// The message's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        framed(&match self {
            Self::Version(version) => format!("v{version:04X}"),
            Self::Position(board) => format!("s{}", letters(board)),
            Self::Believed(board) => format!("g{}", letters(&board.turned())),
            Self::Lit => "l".to_owned(),
            Self::Dark => "x".to_owned(),
            Self::Written(number, value) => format!("w{number:02X}{value:02X}"),
            Self::Setting(number, value) => format!("r{number:02X}{value:02X}"),
            // A line, without a check.
            Self::Model(text) => return format!("i{text}\n").bytes().map(with_parity).collect(),
        })
    }

    /// The message of a frame without its check.
    fn of(frame: &[u8]) -> Option<Self> {
        let (letter, data) = frame.split_first()?;
        Some(match letter {
            b'v' => match numbers(data)?.as_slice() {
                [main, sub] => Self::Version(u16::from_be_bytes([*main, *sub])),
                _ => return None,
            },
            b's' => Self::Position(board(data)?),
            b'g' => Self::Believed(board(data)?.turned()),
            b'l' => Self::Lit,
            b'x' => Self::Dark,
            b'w' | b'r' => match numbers(data)?.as_slice() {
                [number, value] if *letter == b'w' => Self::Written(*number, *value),
                [number, value] => Self::Setting(*number, *value),
                _ => return None,
            },
            b'i' => Self::Model(String::from_utf8_lossy(data).trim().to_owned()),
            _ => return None,
        })
    }
}

impl MillenniumCommand {
    /// The bytes of the command; a write over Bluetooth LE holds at most 157 of them.
    pub fn to_bytes(&self) -> Vec<u8> {
        framed(&match self {
            Self::Version => "V".to_owned(),
            Self::Position => "S".to_owned(),
            Self::Believed => "G".to_owned(),
            Self::Light(slot, leds) => {
                let hex = |text: String, byte: &u8| text + &format!("{byte:02X}");
                leds.iter().fold(format!("L{slot:02X}"), hex)
            }
            Self::Dark => "X".to_owned(),
            Self::Write(number, value) => format!("W{number:02X}{value:02X}"),
            Self::Read(number) => format!("R{number:02X}"),
            Self::Reset => "T".to_owned(),
            Self::Model => "I00".to_owned(),
        })
    }

    /// The command of a frame without its check.
    fn of(frame: &[u8]) -> Option<Self> {
        let (letter, data) = frame.split_first()?;
        Some(match (letter, numbers(data)?.as_slice()) {
            (b'V', []) => Self::Version,
            (b'S', []) => Self::Position,
            (b'G', []) => Self::Believed,
            (b'L', [slot, leds @ ..]) => Self::Light(*slot, Box::new(leds.try_into().ok()?)),
            (b'X', []) => Self::Dark,
            (b'W', [number, value]) => Self::Write(*number, *value),
            (b'R', [number]) => Self::Read(*number),
            (b'T', []) => Self::Reset,
            (b'I', [0]) => Self::Model,
            _ => return None,
        })
    }
}

/// The numbers of hex digits, two to each.
fn numbers(digits: &[u8]) -> Option<Vec<u8>> {
    let number = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(number).collect()
}

/// What follows a message's letter.
#[derive(Clone, Copy)]
enum Shape {
    /// So many hex digits, the check among them.
    Digits(usize),
    /// 64 squares and the check.
    Squares,
    /// Printable characters up to a line's end.
    Line,
}

impl Shape {
    /// Of a board's message.
    fn of_message(letter: u8) -> Option<Self> {
        Some(match letter {
            b'v' | b'w' | b'r' => Self::Digits(6),
            b's' | b'g' => Self::Squares,
            b'l' | b'x' => Self::Digits(2),
            b'i' => Self::Line,
            _ => return None,
        })
    }

    /// Of a host's command.
    fn of_command(letter: u8) -> Option<Self> {
        Some(match letter {
            b'V' | b'S' | b'G' | b'X' | b'T' => Self::Digits(2),
            b'R' | b'I' => Self::Digits(4),
            b'W' => Self::Digits(6),
            b'L' => Self::Digits(4 + 2 * LEDS),
            _ => return None,
        })
    }

    /// How many characters follow the letter, at most.
    fn length(self) -> usize {
        match self {
            Self::Digits(count) => count,
            Self::Squares => 66,
            Self::Line => LONGEST_TEXT + 1,
        }
    }

    /// Whether the `nth` character after the letter may be this.
    fn has(self, nth: usize, letter: u8) -> bool {
        match self {
            Self::Squares if nth < 64 => b"KQRBNPkqrbnp.".contains(&letter),
            Self::Digits(_) | Self::Squares => letter.is_ascii_hexdigit(),
            Self::Line => letter == b'\n' || letter == b'\r' || matches!(letter, b' '..=b'~'),
        }
    }
}

/// What the characters at hand begin with: a frame without its check, if one.
fn front(held: &[u8], shape: fn(u8) -> Option<Shape>) -> FrameStart<Vec<u8>> {
    let Some((letter, rest)) = held.split_first() else { return FrameStart::Half };
    let Some(shape) = shape(*letter) else { return FrameStart::Noise };
    let whole = rest.iter().take(shape.length());
    if !whole.enumerate().all(|(nth, letter)| shape.has(nth, *letter)) {
        return FrameStart::Noise;
    }
    if let Shape::Line = shape {
        return match rest.iter().position(|letter| *letter == b'\n') {
            Some(end) if end <= LONGEST_TEXT => {
                FrameStart::Whole(end + 2, held.get(..=end).unwrap_or_default().to_vec())
            }
            _ if rest.len() > LONGEST_TEXT => FrameStart::Noise,
            _ => FrameStart::Half,
        };
    }
    let Some((data, check)) = rest.get(..shape.length()).and_then(|whole| whole.split_last_chunk::<2>())
    else {
        return FrameStart::Half;
    };
    let sum = data.iter().fold(*letter, |sum, letter| sum ^ letter);
    if numbers(check) != Some(vec![sum]) {
        return FrameStart::Noise;
    }
    FrameStart::Whole(1 + shape.length(), [&[*letter], data].concat())
}

/// Takes a board's messages out of a stream of any pieces.
#[derive(Clone, Debug, Default)]
pub struct MillenniumDecoder {
    /// Characters without parity.
    held: Vec<u8>,
}

impl MillenniumDecoder {
    /// Takes bytes in; what they complete comes out. A run of characters outside any message is told once.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<MillenniumMessage, String>> {
        self.held.extend(bytes.iter().map(|byte| byte & 0x7F));
        let read = |frame: Vec<u8>| {
            MillenniumMessage::of(&frame)
                .ok_or_else(|| format!("no message: {}", String::from_utf8_lossy(&frame)))
        };
        let frames = cut(&mut self.held, |held| front(held, Shape::of_message));
        frames.into_iter().map(|frame| frame.and_then(read)).collect()
    }

    /// The rest of a half message will not come.
    pub fn give_up_half(&mut self) {
        self.held.clear();
    }
}

/// Takes a host's commands out of a stream of any pieces, as a board does: what is malformed is dropped in silence.
#[derive(Clone, Debug, Default)]
pub struct MillenniumCommandDecoder {
    /// Characters without parity.
    held: Vec<u8>,
}

impl MillenniumCommandDecoder {
    /// Takes bytes in; what they complete comes out.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<MillenniumCommand> {
        self.held.extend(bytes.iter().map(|byte| byte & 0x7F));
        let frames = cut(&mut self.held, |held| front(held, Shape::of_command));
        frames.into_iter().filter_map(|frame| MillenniumCommand::of(&frame.ok()?)).collect()
    }

    /// The rest of a half command will not come.
    pub fn give_up_half(&mut self) {
        self.held.clear();
    }
}

/// The model of a version, as other programs tell it: which boards need to be asked for more.
pub fn may_only_feel(version: u16) -> bool {
    version > 0x01FF
}

/// Whether a model's text is that of a board which only feels that something stands there.
pub fn only_feels(model: &str) -> bool {
    model.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("e-one"))
}

#[cfg(test)]
mod tests;
