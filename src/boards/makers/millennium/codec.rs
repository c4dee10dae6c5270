//! Codec for Millennium boards. A frame is a letter, data, and a checksum as two hex digits. Commands to the board
//! begin with a capital letter, messages from the board with a small letter.
//!
//! Source: the project's protocol notes on non-DGT boards, "Millennium", 3.2 to 3.6.
//!
//! Bit 7 of each character is odd parity. The boards use a serial line with seven bits and parity. Tabiya's links
//! always carry eight bits without parity, so the codec adds the parity bit. It never checks received parity bits,
//! because some boards omit them.

use tabiya_types::{Board, Piece, Square};

use crate::makers::stream::{FrameStart, cut};

/// The number of LEDs. They are at the corners of the squares.
pub const LEDS: usize = 81;
/// The longest text about the model, in characters.
const LONGEST_TEXT: usize = 40;

/// A message from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MillenniumMessage {
    /// The firmware version: the first byte is the part before the point, the second the part after it.
    Version(u16),
    /// The position on the board.
    Position(Board),
    /// The position that an eONE believes to be on the board, in the same orientation as `Position`.
    Guessed(Board),
    /// Acknowledges that the LEDs are set.
    Lit,
    /// Acknowledges that all LEDs are off.
    Dark,
    /// A setting was written: its number and its new value.
    Written(u8, u8),
    /// A setting was read: its number and its value.
    Setting(u8, u8),
    /// The model: a line of up to 40 printable characters.
    Model(String),
}

/// A command to the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MillenniumCommand {
    /// Ask for the firmware version.
    Version,
    /// Ask for the position.
    Position,
    /// Ask for the position that an eONE believes to be on the board.
    Believed,
    /// Set all LEDs: the length of a time slot in units of 4.096 ms, and for each LED one bit for each of eight
    /// slots, bit 7 first.
    Light(u8, Box<[u8; LEDS]>),
    /// Switch off all LEDs.
    Dark,
    /// Write a setting: its number and its new value.
    Write(u8, u8),
    /// Read the setting with this number.
    Read(u8),
    /// Restart the board, which then ignores everything for three seconds.
    Reset,
    /// Ask for the model.
    Model,
}

/// Returns the character with its odd parity bit as bit 7.
fn with_parity(letter: u8) -> u8 {
    let letter = letter & 0x7F;
    if letter.count_ones() % 2 == 1 { letter } else { letter | 0x80 }
}

/// Encodes a frame: the characters, their checksum, and parity for all of them.
fn framed(text: &str) -> Vec<u8> {
    let check = text.bytes().fold(0, |check, letter| check ^ letter);
    text.bytes().chain(format!("{check:02X}").bytes()).map(with_parity).collect()
}

/// Returns the square that one character of a position describes. `nth` is the number of the character, 0..=63. The
/// squares come in the order h1 g1 … a1, h2 … a8.
///
/// A turned board sends the squares in the order a8 … h8, a7 … h1, which is the same position turned by 180°. The codec
/// always assumes the order h1 … a8; a later step detects that the board is turned.
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

/// Returns the numbers of the four LEDs at the corners of a square. The numbers start with 0 at the outer corner of
/// h1.
pub fn corners(square: Square) -> [usize; 4] {
    let first = 9 * usize::from(7 - square.file()) + usize::from(square.rank());
    [first, first + 1, first + 9, first + 10]
}

/// Returns the time slots in which each LED is on. An LED gets the slots of all lit squares next to it.
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
    /// Returns the bytes of the message.
    pub fn to_bytes(&self) -> Vec<u8> {
        framed(&match self {
            Self::Version(version) => format!("v{version:04X}"),
            Self::Position(board) => format!("s{}", letters(board)),
            Self::Guessed(board) => format!("g{}", letters(&board.rotated())),
            Self::Lit => "l".to_owned(),
            Self::Dark => "x".to_owned(),
            Self::Written(number, value) => format!("w{number:02X}{value:02X}"),
            Self::Setting(number, value) => format!("r{number:02X}{value:02X}"),
            // The message with the model ends with a line feed and has no checksum.
            Self::Model(text) => return format!("i{text}\n").bytes().map(with_parity).collect(),
        })
    }

    /// Decodes a frame, given without its checksum.
    fn of(frame: &[u8]) -> Option<Self> {
        let (letter, data) = frame.split_first()?;
        Some(match letter {
            b'v' => match numbers(data)?.as_slice() {
                [main, sub] => Self::Version(u16::from_be_bytes([*main, *sub])),
                _ => return None,
            },
            b's' => Self::Position(board(data)?),
            b'g' => Self::Guessed(board(data)?.rotated()),
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
    /// Returns the bytes of the command. A single write over Bluetooth LE can carry only 157 of them.
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

    /// Decodes a command frame, given without its checksum.
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

/// Decodes hex digits, two for each byte; `None` if they are invalid.
fn numbers(digits: &[u8]) -> Option<Vec<u8>> {
    let number = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(number).collect()
}

/// The form of the characters after the letter of a frame.
#[derive(Clone, Copy)]
enum Shape {
    /// The frame continues with this number of hex digits, including the checksum.
    Digits(usize),
    /// The frame continues with 64 squares and the checksum.
    Squares,
    /// The frame continues with printable characters up to a line feed.
    Line,
}

impl Shape {
    /// Returns the form of a message from the board; `None` for an unknown letter.
    fn of_message(letter: u8) -> Option<Self> {
        Some(match letter {
            b'v' | b'w' | b'r' => Self::Digits(6),
            b's' | b'g' => Self::Squares,
            b'l' | b'x' => Self::Digits(2),
            b'i' => Self::Line,
            _ => return None,
        })
    }

    /// Returns the form of a command to the board; `None` for an unknown letter.
    fn of_command(letter: u8) -> Option<Self> {
        Some(match letter {
            b'V' | b'S' | b'G' | b'X' | b'T' => Self::Digits(2),
            b'R' | b'I' => Self::Digits(4),
            b'W' => Self::Digits(6),
            b'L' => Self::Digits(4 + 2 * LEDS),
            _ => return None,
        })
    }

    /// Returns the number of characters that follow the letter; for `Line`, the largest allowed number.
    fn length(self) -> usize {
        match self {
            Self::Digits(count) => count,
            Self::Squares => 66,
            Self::Line => LONGEST_TEXT + 1,
        }
    }

    /// Returns whether the character `letter` is allowed at the place `nth` of the frame. Places are counted from 0,
    /// starting after the frame's first letter.
    fn has(self, nth: usize, letter: u8) -> bool {
        match self {
            Self::Squares if nth < 64 => b"KQRBNPkqrbnp.".contains(&letter),
            Self::Digits(_) | Self::Squares => letter.is_ascii_hexdigit(),
            Self::Line => letter == b'\n' || letter == b'\r' || matches!(letter, b' '..=b'~'),
        }
    }
}

/// Finds the frame at the beginning of the received characters. The frame is returned without its checksum.
fn front(held: &[u8], shape: fn(u8) -> Option<Shape>) -> FrameStart<Vec<u8>> {
    let Some((letter, rest)) = held.split_first() else { return FrameStart::Incomplete };
    let Some(shape) = shape(*letter) else { return FrameStart::Noise };
    let whole = rest.iter().take(shape.length());
    if !whole.enumerate().all(|(nth, letter)| shape.has(nth, *letter)) {
        return FrameStart::Noise;
    }
    if let Shape::Line = shape {
        return match rest.iter().position(|letter| *letter == b'\n') {
            Some(end) if end <= LONGEST_TEXT => {
                FrameStart::Complete(end + 2, held.get(..=end).unwrap_or_default().to_vec())
            }
            _ if rest.len() > LONGEST_TEXT => FrameStart::Noise,
            _ => FrameStart::Incomplete,
        };
    }
    let Some((data, check)) = rest.get(..shape.length()).and_then(|whole| whole.split_last_chunk::<2>())
    else {
        return FrameStart::Incomplete;
    };
    let sum = data.iter().fold(*letter, |sum, letter| sum ^ letter);
    if numbers(check) != Some(vec![sum]) {
        return FrameStart::Noise;
    }
    FrameStart::Complete(1 + shape.length(), [&[*letter], data].concat())
}

/// Extracts messages of a board from a byte stream that arrives in chunks of any size.
#[derive(Clone, Debug, Default)]
pub struct MillenniumDecoder {
    /// Received characters, without parity.
    held: Vec<u8>,
}

impl MillenniumDecoder {
    /// Appends received bytes and returns the messages that they complete. If several characters in a row belong to no
    /// message, one error reports them all.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<MillenniumMessage, String>> {
        self.held.extend(bytes.iter().map(|byte| byte & 0x7F));
        let read = |frame: Vec<u8>| {
            MillenniumMessage::of(&frame)
                .ok_or_else(|| format!("not a valid message: {}", String::from_utf8_lossy(&frame)))
        };
        let frames = cut(&mut self.held, |held| front(held, Shape::of_message));
        frames.into_iter().map(|frame| frame.and_then(read)).collect()
    }

    /// Drops an incomplete message whose remaining bytes did not arrive in time.
    pub fn drop_incomplete(&mut self) {
        self.held.clear();
    }
}

/// Extracts commands of a host from a byte stream that arrives in chunks of any size. Like a real board, it ignores
/// malformed commands.
#[derive(Clone, Debug, Default)]
pub struct MillenniumCommandDecoder {
    /// Received characters, without parity.
    held: Vec<u8>,
}

impl MillenniumCommandDecoder {
    /// Appends received bytes and returns the commands that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<MillenniumCommand> {
        self.held.extend(bytes.iter().map(|byte| byte & 0x7F));
        let frames = cut(&mut self.held, |held| front(held, Shape::of_command));
        frames.into_iter().filter_map(|frame| MillenniumCommand::of(&frame.ok()?)).collect()
    }

    /// Drops an incomplete command whose remaining bytes did not arrive in time.
    pub fn give_up_half(&mut self) {
        self.held.clear();
    }
}

/// Returns whether a board with this firmware version may be an eONE, which detects only occupancy. If so, Tabiya
/// must request the model. The version limit is taken from other programs.
pub fn may_be_eone(version: u16) -> bool {
    version > 0x01FF
}

/// Returns whether this model detects only occupancy.
pub fn is_eone(model: &str) -> bool {
    model.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("e-one"))
}

#[cfg(test)]
mod tests;
