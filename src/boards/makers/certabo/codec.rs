//! Codec for Certabo boards: the board sends text (`:` and decimal numbers), the host sends raw bytes for the lights.
//! Cells are numbered in the order a8 b8 … h8, a7 … h1.
//!
//! Source: the project's protocol notes on non-DGT boards, "Certabo" 5.2 and 5.4, "Tabutronic" 6.1 and 6.3.

use tabiya_types::{Square, Squares};

use crate::lights::Lights;

/// The number of bytes in a tag; a frame contains each byte as a decimal number.
pub(super) const TAG: usize = 5;
/// The number of decimal numbers in a frame with tags.
const ALL_TAGS: usize = 64 * TAG;
/// The length in bytes of a pattern for coloured lights: two bytes at the start, three for each of the 81 lights, and
/// two at the end.
pub const COLORS: usize = 2 + 81 * 3 + 2;

/// The identifier of the chip in a piece. At least three of its five numbers are not zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceTag(pub [u8; TAG]);

impl PieceTag {
    /// Converts the five numbers of a cell to a tag; `None` if no chip is there, or if fewer than three numbers are
    /// not zero.
    fn of(numbers: [u8; TAG]) -> Option<Self> {
        let set = numbers.iter().filter(|number| **number != 0).count();
        (set > 2).then_some(Self(numbers))
    }
}

/// The tags on all cells, in the order a8, b8 … h1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tags(pub [Option<PieceTag>; 64]);

impl Tags {
    /// Returns the tag on a square, or `None` if there is no tag.
    pub fn at(&self, square: Square) -> Option<PieceTag> {
        self.0.get(cell(square)).copied().flatten()
    }
}

/// A message from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CertaboMessage {
    /// The tags on all squares.
    Tags(Box<Tags>),
    /// The occupied squares.
    Occupied(Squares),
    /// Acknowledges a pattern for lights of one colour.
    Lit,
    /// Acknowledges a pattern for coloured lights.
    LitInColors,
}

/// Converts a square to its cell number: 0 for a8 … 63 for h1.
pub fn cell(square: Square) -> usize {
    square.index() ^ 0x38
}

/// Converts a cell number, 0..=63, to its square; `None` beyond 63.
pub fn square(cell: usize) -> Option<Square> {
    Square::from_index(cell ^ 0x38)
}

impl CertaboMessage {
    /// Encodes the message, without the line ends that some boards insert in the middle of a frame.
    pub fn to_bytes(&self) -> Vec<u8> {
        let frame = |numbers: &mut dyn Iterator<Item = u8>| {
            let text = numbers.fold(":".to_owned(), |text, number| format!("{text}{number} "));
            (text + "\r\n").into_bytes()
        };
        match self {
            Self::Tags(tags) => {
                let numbers = |tag: &Option<PieceTag>| tag.map_or([0; TAG], |tag| tag.0);
                frame(&mut tags.0.iter().flat_map(numbers))
            }
            // Rank 8 comes first, and the highest bit of each byte is the a file. In commands for the lights, the
            // lowest bit is the a file.
            Self::Occupied(squares) => {
                let bit = |file, rank| Square::from_coords(file, rank).is_some_and(|at| squares.has(at));
                let byte = |rank| (0..8).fold(0, |byte, file| byte << 1 | u8::from(bit(file, rank)));
                frame(&mut (0..8).rev().map(byte))
            }
            Self::Lit => b"L\r\n".to_vec(),
            Self::LitInColors => b"D\r\n".to_vec(),
        }
    }

    /// Decodes the numbers of one frame; `None` if there are neither 8 nor 320 numbers.
    fn of(numbers: &[u8]) -> Option<Self> {
        if let Ok(ranks) = <[u8; 8]>::try_from(numbers) {
            let full = |square: &Square| {
                let byte = ranks.get(usize::from(7 - square.rank())).copied().unwrap_or(0);
                byte & 0x80 >> square.file() != 0
            };
            return Some(Self::Occupied(Square::all().filter(full).collect()));
        }
        let (cells, rest) = numbers.as_chunks::<TAG>();
        let cells: [[u8; TAG]; 64] = cells.try_into().ok().filter(|_| rest.is_empty())?;
        Some(Self::Tags(Box::new(Tags(cells.map(PieceTag::of)))))
    }
}

/// Finds frames in a byte stream that arrives in chunks of any size.
#[derive(Clone, Debug, Default)]
pub struct CertaboDecoder {
    state: State,
}

#[derive(Clone, Debug, Default)]
enum State {
    /// The decoder is between two frames.
    #[default]
    Between,
    /// The decoder is between two frames. It has reported stray bytes since the last frame, so it reports no more of
    /// them until the next frame.
    Noisy,
    /// The decoder is inside a frame. `numbers` are the complete numbers so far (at most 320); `digits` is the value
    /// of the incomplete number.
    Frame { numbers: Vec<u8>, digits: Option<u8> },
}

/// A message that the decoder found, or a description of damaged bytes.
type Found = Result<CertaboMessage, String>;

impl CertaboDecoder {
    /// Appends received bytes and returns the messages that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Found> {
        bytes.iter().flat_map(|byte| self.take(*byte)).flatten().collect()
    }

    /// Drops an incomplete frame whose remaining bytes did not arrive in time.
    pub fn drop_incomplete(&mut self) {
        self.state = State::Between;
    }

    /// Processes one byte. If the byte ends a frame, the first result is this frame. If the byte is an acknowledgement,
    /// the second result is this acknowledgement.
    fn take(&mut self, byte: u8) -> [Option<Found>; 2] {
        match byte {
            // Ignore these bytes: Bluetooth add-ons send them as filler. A line feed may also occur inside a frame,
            // even inside a number.
            0x00 | 0xFF | b'\n' | b'*' => [None, None],
            b'L' => [None, Some(Ok(CertaboMessage::Lit))],
            b'D' => [None, Some(Ok(CertaboMessage::LitInColors))],
            b':' => {
                let ended = self.end();
                self.state = State::Frame { numbers: Vec::with_capacity(ALL_TAGS), digits: None };
                [ended, None]
            }
            b'\r' => {
                let ended = self.end();
                self.state = State::Between;
                [ended, None]
            }
            _ => [self.within(byte), None],
        }
    }

    /// Processes a byte that is allowed only inside a frame.
    fn within(&mut self, byte: u8) -> Option<Found> {
        let State::Frame { numbers, digits } = &mut self.state else { return self.noise(byte) };
        match byte {
            b' ' => {
                numbers.extend(digits.take());
                if numbers.len() < ALL_TAGS {
                    return None;
                }
                let ended = self.end();
                self.state = State::Between;
                ended
            }
            b'0'..=b'9' => {
                let digit = byte - b'0';
                match digits.unwrap_or(0).checked_mul(10).and_then(|tens| tens.checked_add(digit)) {
                    Some(number) => {
                        *digits = Some(number);
                        None
                    }
                    None => self.noise(byte),
                }
            }
            _ => self.noise(byte),
        }
    }

    /// Handles a byte that belongs to no frame. A run of such bytes is reported once.
    fn noise(&mut self, byte: u8) -> Option<Found> {
        let first = !matches!(self.state, State::Noisy);
        self.state = State::Noisy;
        // Do not report the one or two spaces that may follow the last number of a frame.
        (first && byte != b' ').then(|| Err(format!("byte {byte:02x} is outside any frame")))
    }

    /// Ends the current frame and returns its message, or `None` if no frame has begun.
    fn end(&mut self) -> Option<Found> {
        let State::Frame { numbers, digits } = &mut self.state else { return None };
        numbers.extend(digits.take());
        let count = numbers.len();
        Some(CertaboMessage::of(numbers).ok_or_else(|| format!("a frame has {count} numbers, not 8 or 320")))
    }
}

/// Encodes the lit squares for lights of one colour: eight bytes, rank 8 first, bit 0 is the a file.
pub fn lamps(lit: impl IntoIterator<Item = Square>) -> [u8; 8] {
    let mut ranks = [0_u8; 8];
    for square in lit {
        if let Some(rank) = ranks.get_mut(usize::from(7 - square.rank())) {
            *rank |= 1 << square.file();
        }
    }
    ranks
}

/// Returns the numbers of the four lights at the corners of a square, on a board with 9 × 9 lights. Light 0 is at the
/// outer corner of the square h1.
pub fn corners(square: Square) -> [usize; 4] {
    let first = 9 * usize::from(square.rank()) + usize::from(7 - square.file());
    [first, first + 1, first + 9, first + 10]
}

/// Encodes a pattern for coloured lights. Each colour is red, green and blue, 0..=255. If no value is above 125, the
/// power from USB is sufficient.
pub fn colors(lit: impl IntoIterator<Item = (Square, [u8; 3])>) -> Vec<u8> {
    let mut lights = [[0_u8; 3]; 81];
    for (square, color) in lit {
        for corner in corners(square) {
            if let Some(light) = lights.get_mut(corner) {
                *light = color;
            }
        }
    }
    [&[0xFF, 0x55], lights.as_flattened(), b"\r\n"].concat()
}

/// Encodes the lit squares of `lights` for a board whose lights have only one colour. The reasons why squares are lit
/// are left out, because such lights cannot show them.
pub fn plain(lights: &Lights) -> [u8; 8] {
    lamps(lights.lit().map(|(square, _)| square))
}

#[cfg(test)]
mod tests;
