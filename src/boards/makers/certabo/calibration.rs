//! Which piece has which tag: learned once with all pieces in chess's start position, then kept as text.
//!
//! Source: the notes on other boards, "Certabo", 5.3.

use std::collections::{BTreeMap, VecDeque};

use tabiya_types::{Board, Color, Piece, Square};

use super::codec::{PieceTag, Tags, cell};

/// Frames that are enough to learn from.
const LEAST: usize = 7;
/// Frames that are looked at; what was shown before them is forgotten but for the last [`KEPT`].
const MOST: usize = 15;
/// Frames that are kept when none of [`MOST`] had all pieces.
const KEPT: usize = 10;
/// Chess's start position, with the spare queens where people are asked to put them.
const WITH_SPARES: &str = "rnbqkbnr/pppppppp/3q4/8/8/3Q4/PPPPPPPP/RNBQKBNR";
/// So many tags are kept, those of several sets.
const LONGEST: usize = 512;
/// The squares of those queens.
const SPARES: [&str; 2] = ["d3", "d6"];

/// The start position, the spare queens with it.
fn wanted() -> Board {
    WITH_SPARES.parse().unwrap_or_default()
}

fn may_be_empty(square: Square) -> bool {
    SPARES.iter().any(|spare| spare.parse() == Ok(square))
}

/// The squares on which White's pieces are wanted, the spare one too. Those of Black's are then clear, and the board
/// cannot be set up the wrong way round, which its tags would never tell.
pub(super) fn whites() -> impl Iterator<Item = Square> {
    let white = |(square, piece): (Square, Piece)| (piece.color == Color::White).then_some(square);
    wanted().pieces().filter_map(white).collect::<Vec<_>>().into_iter()
}

/// Which piece has which tag.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TagTable(BTreeMap<PieceTag, Piece>);

impl TagTable {
    /// The piece with this tag, if it is known.
    pub(super) fn piece(&self, tag: PieceTag) -> Option<Piece> {
        self.0.get(&tag).copied()
    }

    /// What stands on the board: a tag that nobody knows is nothing.
    pub(super) fn board(&self, tags: &Tags) -> Board {
        let mut board = Board::EMPTY;
        for square in Square::all() {
            board[square] = tags.at(square).and_then(|tag| self.piece(tag));
        }
        board
    }

    /// The pieces of both; what the newer one says counts. Another set does not make a club forget the first, unless
    /// there are far too many.
    #[must_use]
    pub(super) fn with(mut self, newer: Self) -> Self {
        if self.0.len() + newer.0.len() > LONGEST {
            return newer;
        }
        self.0.extend(newer.0);
        self
    }

    /// A word for each piece, its letter and its tag in hex, joined by blanks.
    pub(super) fn to_text(&self) -> String {
        let word = |(tag, piece): (&PieceTag, &Piece)| {
            let letter = piece.letter().to_string();
            tag.0.iter().fold(letter, |word, number| format!("{word}{number:02x}"))
        };
        self.0.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The table of such a text; `None` if it is none.
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

/// Frames from which a table may be learned.
#[derive(Clone, Debug, Default)]
pub(super) struct Lesson {
    frames: VecDeque<Tags>,
}

impl Lesson {
    /// One more frame; the table, once all pieces have stood in their places for most of the frames at hand.
    pub(super) fn see(&mut self, tags: &Tags) -> Option<TagTable> {
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
                // Two pieces with one tag, or one that was moved meanwhile: this is no start position yet.
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

    /// The tag that lies on a square in more than half of the frames.
    fn usual(&self, square: Square) -> Option<PieceTag> {
        let here = || self.frames.iter().filter_map(|tags| tags.0.get(cell(square)).copied().flatten());
        here().find(|tag| here().filter(|other| other == tag).count() * 2 > self.frames.len())
    }
}
