//! The two ends of a match at a desk that is used for this match only: with what it begins, and how people leave it.

use std::path::{Path, PathBuf};

use tabiya_cards::deck::Deck;
use tabiya_types::{Instant, Sentence};

use crate::seating::Keeping;
use crate::session::Session;
use tabiya_store::journal::JournalError;

/// A match that has already begun, for a desk that is used for this match only.
#[derive(Debug)]
pub struct SingleTable {
    /// The session of the match.
    pub session: Session,
    /// The match's own time at the moment when the desk's time is zero.
    pub at: Instant,
    /// The file of the match's record, if one is kept.
    pub record: Option<PathBuf>,
    /// The deck whose cards the readers recognise, if a deck is used.
    pub deck: Option<Deck>,
    /// Whether cards are read while they are dealt, and not only when they are turned over.
    pub read_deals: bool,
    /// With what further matches are kept, which somebody outside may begin in the same file; `None` if nobody may.
    pub next: Option<Keeping>,
}

impl SingleTable {
    /// A match that begins now, without a record and without a deck.
    pub fn unrecorded(session: Session) -> Self {
        Self { session, at: Instant::ZERO, record: None, deck: None, read_deals: false, next: None }
    }
}

/// The final state of a match that people left.
#[derive(Debug)]
pub struct TableEnd {
    /// The prompt that names the next step of the match.
    pub prompt: Sentence,
    /// The number of lines in the match's record, without its header.
    pub lines: usize,
    /// The hash of the record's last line; `None` if no record is kept.
    pub head: Option<String>,
    /// The file in which the record went on, because its own file was removed or replaced; `None` if it was not.
    pub moved: Option<PathBuf>,
    /// The result of closing the record's file. Closing first merges the write-ahead log into the file.
    pub closed: Result<(), JournalError>,
}

impl TableEnd {
    /// Closes the record of a match that people have left, and returns the match's final state.
    pub fn of(session: Session) -> Self {
        let (prompt, lines, head) = (session.table().prompt(), session.lines().len(), session.head());
        let moved = session.record_moved().map(Path::to_owned);
        Self { prompt, lines, head, moved, closed: session.close() }
    }
}
