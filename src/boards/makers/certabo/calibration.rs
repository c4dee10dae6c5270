//! The table that assigns the tags (chip numbers) to the pieces. It is learned once, with all pieces in the start
//! position of chess, and then stored as text.
//!
//! Source: the project's protocol notes on non-DGT boards, section 5.3 "Certabo: Calibration".

use std::collections::{BTreeMap, VecDeque};

use tabiya_types::{Board, Color, Piece, Square};

use super::codec::{PieceTag, Tags, cell};

/// The smallest number of frames from which a tag table is learned.
const LEAST: usize = 7;
/// The largest number of frames that are collected. If they do not show all pieces, only the last [`KEPT`] frames are
/// kept.
const MOST: usize = 15;
/// The number of frames that are kept when [`MOST`] frames did not show all pieces.
const KEPT: usize = 10;
/// The start position of chess, with spare queens on the squares where players are asked to put them.
const WITH_SPARES: &str = "rnbqkbnr/pppppppp/3q4/8/8/3Q4/PPPPPPPP/RNBQKBNR";
/// The largest number of tags in a table: enough for several sets of pieces.
const LONGEST: usize = 512;
/// The squares of the spare queens, which may stay empty.
const SPARES: [&str; 2] = ["d3", "d6"];

/// Returns the position to learn from: the start position with the spare queens.
fn wanted() -> Board {
    WITH_SPARES.parse().unwrap_or_default()
}

fn may_be_empty(square: Square) -> bool {
    SPARES.iter().any(|spare| spare.parse() == Ok(square))
}

/// Returns the squares where White's pieces belong, including the spare queen. Only these squares are lit while the
/// tags are learned, so that people do not set up the pieces the wrong way round. The tags do not reveal such a
/// mistake.
pub(super) fn white_squares() -> impl Iterator<Item = Square> {
    let white = |(square, piece): (Square, Piece)| (piece.color == Color::White).then_some(square);
    wanted().pieces().filter_map(white).collect::<Vec<_>>().into_iter()
}

/// The table from tags to pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TagTable(BTreeMap<PieceTag, Piece>);

impl TagTable {
    /// Returns the piece with this tag, or `None` if the tag is unknown.
    pub(super) fn piece(&self, tag: PieceTag) -> Option<Piece> {
        self.0.get(&tag).copied()
    }

    /// Returns the position that these tags show; a square with an unknown tag counts as empty.
    pub(super) fn board(&self, tags: &Tags) -> Board {
        let mut board = Board::EMPTY;
        for square in Square::all() {
            board[square] = tags.at(square).and_then(|tag| self.piece(tag));
        }
        board
    }

    /// Merges two tables. If both contain a tag, the entry of `newer` is kept. So a club that learns a second set of
    /// pieces keeps the first set. If the result would exceed `LONGEST` tags, only `newer` is kept.
    #[must_use]
    pub(super) fn with(mut self, newer: Self) -> Self {
        if self.0.len() + newer.0.len() > LONGEST {
            return newer;
        }
        self.0.extend(newer.0);
        self
    }

    /// Writes the table as one word for each piece (its letter, then its tag in hex), separated by spaces.
    pub(super) fn to_text(&self) -> String {
        let word = |(tag, piece): (&PieceTag, &Piece)| {
            let letter = piece.letter().to_string();
            tag.0.iter().fold(letter, |word, number| format!("{word}{number:02x}"))
        };
        self.0.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Parses a table that `to_text` wrote; `None` if the text is malformed or empty.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let word = |word: &str| {
            let mut letters = word.chars();
            let piece = Piece::from_letter(letters.next()?)?;
            let digits = letters.as_str().as_bytes();
            let hex = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            let numbers: Vec<u8> = digits.chunks(2).map(hex).collect::<Option<_>>()?;
            Some((PieceTag(numbers.try_into().ok()?), piece))
        };
        let table: BTreeMap<_, _> = text.split_whitespace().map(word).collect::<Option<_>>()?;
        (!table.is_empty()).then_some(Self(table))
    }
}

impl FromIterator<(PieceTag, Piece)> for TagTable {
    fn from_iter<I: IntoIterator<Item = (PieceTag, Piece)>>(pieces: I) -> Self {
        Self(pieces.into_iter().collect())
    }
}

/// Collects the frames from which a tag table is learned.
#[derive(Clone, Debug, Default)]
pub(super) struct TagLearner {
    frames: VecDeque<Tags>,
}

impl TagLearner {
    /// Adds a frame. Returns the tag table once every piece has been on its square in more than half of the collected
    /// frames.
    pub(super) fn add_frame(&mut self, tags: &Tags) -> Option<TagTable> {
        self.frames.push_back(*tags);
        if self.frames.len() < LEAST {
            return None;
        }
        let table = self.learn();
        if table.is_none() && self.frames.len() >= MOST {
            self.frames.drain(..MOST - KEPT);
        }
        table
    }

    fn learn(&self) -> Option<TagTable> {
        let (wanted, mut table) = (wanted(), BTreeMap::new());
        for square in Square::all() {
            match (wanted[square], self.usual(square)) {
                // The same tag on two squares means that a piece was moved while the frames were collected, so the
                // start position is not set up yet.
                (Some(piece), Some(tag)) => {
                    if table.insert(tag, piece).is_some() {
                        return None;
                    }
                }
                (Some(_), None) if may_be_empty(square) => {}
                (None, None) => {}
                (Some(_), None) | (None, Some(_)) => return None,
            }
        }
        Some(TagTable(table))
    }

    /// Returns the tag that was on this square in more than half of the frames.
    fn usual(&self, square: Square) -> Option<PieceTag> {
        let here = || self.frames.iter().filter_map(|tags| tags.0.get(cell(square)).copied().flatten());
        here().find(|tag| here().filter(|other| other == tag).count() * 2 > self.frames.len())
    }
}
