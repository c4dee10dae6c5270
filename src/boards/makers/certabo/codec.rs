//! Certabo's text and its lights: `:` and decimal numbers from the board, raw bytes to it. Cells run a8 b8 … h8,
//! a7 … h1. Source: the notes on other boards, "Certabo" 5.2 and 5.4, "Tabutronic" 6.1 and 6.3.

use tabiya_types::{Square, Squares};

use crate::lights::Lights;

/// Numbers of a tag.
const TAG: usize = 5;
/// Numbers of a frame of tags.
const ALL_TAGS: usize = 64 * TAG;
/// Bytes of a picture in colour: two before the lights, two after them.
pub const COLORS: usize = 2 + 81 * 3 + 2;

/// What a piece's chip calls itself. None is all zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceTag(pub [u8; TAG]);

impl PieceTag {
    /// The tag of a cell's five numbers; `None` where no chip is, or what cannot be one.
    fn of(numbers: [u8; TAG]) -> Option<Self> {
        let set = numbers.iter().filter(|number| **number != 0).count();
        (set > 2).then_some(Self(numbers))
    }
}

/// The tags of all cells, a8 first, then b8 … h1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tags(pub [Option<PieceTag>; 64]);

impl Tags {
    /// What lies on a square.
    pub fn at(&self, square: Square) -> Option<PieceTag> {
        self.0.get(cell(square)).copied().flatten()
    }
}

/// What a board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CertaboMessage {
    /// Which tags lie on it.
    Tags(Box<Tags>),
    /// Where something stands.
    Occupied(Squares),
    /// The lights of one colour shine as they were told.
    Lit,
    /// The lights in colours shine as they were told.
    LitInColors,
}

/// The cell of a square, 0 for a8 … 63 for h1; cells and squares change places alike.
pub fn cell(square: Square) -> usize {
    square.index() ^ 0x38
}

/// The square of a cell, 0..=63.
pub fn square(cell: usize) -> Option<Square> {
    Square::from_index(cell ^ 0x38)
}

impl CertaboMessage {
    /// The message's bytes, without the line ends that some boards put in their midst.
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
            // Rank 8 first, the a file highest: the other way round than the lights.
            Self::Occupied(squares) => {
                let bit = |file, rank| Square::from_coords(file, rank).is_some_and(|at| squares.has(at));
                let byte = |rank| (0..8).fold(0, |byte, file| byte << 1 | u8::from(bit(file, rank)));
                frame(&mut (0..8).rev().map(byte))
            }
            Self::Lit => b"L\r\n".to_vec(),
            Self::LitInColors => b"D\r\n".to_vec(),
        }
    }

    /// The message of a frame's numbers.
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

/// Finds frames in a stream of any pieces.
#[derive(Clone, Debug, Default)]
pub struct CertaboDecoder {
    state: State,
}

#[derive(Clone, Debug, Default)]
enum State {
    /// Between frames; `noisy` once stray bytes were told.
    #[default]
    Between,
    Noisy,
    /// The numbers that are whole, at most 320, and the one that is being read.
    Frame {
        numbers: Vec<u8>,
        digits: Option<u8>,
    },
}

/// What a decoder found.
type Found = Result<CertaboMessage, String>;

impl CertaboDecoder {
    /// Takes bytes in; what they complete comes out.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Found> {
        bytes.iter().flat_map(|byte| self.take(*byte)).flatten().collect()
    }

    /// The rest of a half frame will not come.
    pub fn give_up_half(&mut self) {
        self.state = State::Between;
    }

    /// At most a frame that ends, and what ended it.
    fn take(&mut self, byte: u8) -> [Option<Found>; 2] {
        match byte {
            // Filler of Bluetooth add-ons; a line end within a frame, perhaps within a number.
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

    /// A byte that only a frame has.
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

    /// A byte that belongs to no frame; told once for a run of such.
    fn noise(&mut self, byte: u8) -> Option<Found> {
        let first = !matches!(self.state, State::Noisy);
        self.state = State::Noisy;
        // After a frame whose end was its last number a blank or two may follow.
        (first && byte != b' ').then(|| Err(format!("byte {byte:02x} belongs to no frame")))
    }

    /// The frame that ends here, if one has begun.
    fn end(&mut self) -> Option<Found> {
        let State::Frame { numbers, digits } = &mut self.state else { return None };
        numbers.extend(digits.take());
        let count = numbers.len();
        Some(CertaboMessage::of(numbers).ok_or_else(|| format!("a frame of {count} numbers")))
    }
}

/// Eight bytes, rank 8 first, bit 0 the a file: what shines, in the board's one colour.
pub fn lamps(lit: impl IntoIterator<Item = Square>) -> [u8; 8] {
    let mut ranks = [0_u8; 8];
    for square in lit {
        if let Some(rank) = ranks.get_mut(usize::from(7 - square.rank())) {
            *rank |= 1 << square.file();
        }
    }
    ranks
}

/// The lights at a square's four corners, on a board with 9 × 9 of them: 0 is h1's outer corner.
pub fn corners(square: Square) -> [usize; 4] {
    let first = 9 * usize::from(square.rank()) + usize::from(7 - square.file());
    [first, first + 1, first + 9, first + 10]
}

/// A picture in colours, each as red, green and blue, 0..=255: so bright that USB can feed it is up to 125.
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

/// The squares that a picture lights.
pub fn plain(lights: &Lights) -> [u8; 8] {
    lamps(lights.lit().map(|(square, _)| square))
}

#[cfg(test)]
mod tests;
