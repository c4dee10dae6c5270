//! Where a running table keeps its record: a match in a journal, or nowhere.

use std::fmt;
use std::path::Path;

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::Action;
use tabiya_engine::table::Input;
use tabiya_types::{Instant, Sentence};

use super::keys::Keyring;
use crate::store::journal::{
    self, Batch, Journal, JournalError, JournalWriter, MatchId, MatchInfo, NewEntry,
};

/// What a session needs of whatever keeps its record.
pub trait Keeper: fmt::Debug + Send {
    /// Writes lines; they are durable when this is `Ok`. On `Err` none of them is kept. A deal whose cards are
    /// known gets the seals that stand in the record.
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError>;
    /// Saves how far time has come, for a start after a crash. Not waited for.
    fn moment(&mut self, now: Instant);
    /// The hash of the newest line.
    fn head(&self) -> Option<Head>;
    /// Lets the record go, whole.
    fn close(self: Box<Self>) -> Result<(), JournalError>;
}

/// Where a PGN of a running match is kept.
pub trait PgnKeeper: fmt::Debug + Send {
    /// Writes it anew, whole. An error says for people what could not be written, and why; the next move tries again.
    fn write(&mut self, text: &str) -> Result<(), Sentence>;
}

/// A match in a journal that is being written.
#[derive(Debug)]
pub struct Keeping {
    writer: JournalWriter<Journal>,
    id: MatchId,
    head: Option<Head>,
}

impl Keeping {
    /// Opens the file, or makes it.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        // A link that leads nowhere yet is a name for a new file, too.
        if path.exists() { Journal::open(path) } else { Journal::create(path) }
    }

    /// Begins a match in an open journal. Sealed cards are closed with these keys.
    pub fn begin(journal: Journal, header: &str, keys: Keyring) -> Result<Self, JournalError> {
        let writer = JournalWriter::start(journal.with_keys(keys));
        let id = writer.begin_match(header)?;
        Ok(Self { writer, id, head: None })
    }

    /// Goes on with a match of an open journal. Sealed cards are closed with these keys.
    pub fn carry_on(journal: Journal, info: &MatchInfo, keys: Keyring) -> Self {
        Self { writer: JournalWriter::start(journal.with_keys(keys)), id: info.id, head: Some(info.head) }
    }
}

impl Keeper for Keeping {
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        lines.iter_mut().try_for_each(seal)?;
        let entries =
            lines.iter().map(|line| NewEntry { t: line.t.millis(), line: line.to_string() }).collect();
        self.head = Some(self.writer.append_wait(Batch { id: self.id, after: None, entries })?);
        Ok(())
    }

    fn moment(&mut self, now: Instant) {
        drop(self.writer.moment(self.id, now.millis()));
    }

    fn head(&self) -> Option<Head> {
        self.head
    }

    /// Folds the log into the one file and lets it go.
    fn close(self: Box<Self>) -> Result<(), JournalError> {
        self.writer.stop().map_or(Ok(()), Journal::close)
    }
}

/// What the journal would add to a line stands in the table's own copy of it, too: an export has the same hashes.
fn seal(line: &mut Line) -> Result<(), JournalError> {
    // Nothing else has seals, and every other line would be made into JSON for nothing.
    if matches!(&line.body, Body::Acted(Input::Game(Action::Deal(_)))) {
        line.take_own(journal::sealed(line.to_value())?);
    }
    Ok(())
}
