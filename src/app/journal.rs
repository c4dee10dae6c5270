//! Where a running table keeps its record: a match in a journal, or nowhere.

use std::fmt;
use std::path::Path;

use crate::clock::Instant;
use crate::record::Line;
use crate::record::chain::Head;
use crate::record::journal::{Batch, Journal, JournalError, MatchId, MatchInfo, NewEntry, Writer};

/// What a session needs of whatever keeps its record.
pub trait Keeper: fmt::Debug + Send {
    /// Writes lines; they are durable when this is `Ok`. On `Err` none of them is kept.
    fn append(&mut self, lines: &[Line]) -> Result<(), JournalError>;
    /// Saves how far time has come, for a start after a crash. Not waited for.
    fn moment(&mut self, now: Instant);
    /// The hash of the newest line.
    fn head(&self) -> Option<Head>;
    /// Lets the record go, whole.
    fn close(self: Box<Self>) -> Result<(), JournalError>;
}

/// A match in a journal that is being written.
#[derive(Debug)]
pub struct Keeping {
    writer: Writer<Journal>,
    id: MatchId,
    head: Option<Head>,
}

impl Keeping {
    /// Opens the file, or makes it.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        // A link that leads nowhere yet is a name for a new file, too.
        if path.exists() { Journal::open(path) } else { Journal::create(path) }
    }

    /// Begins a match in an open journal.
    pub fn begin(journal: Journal, header: &str) -> Result<Self, JournalError> {
        let writer = Writer::start(journal);
        let id = writer.begin_match(header)?;
        Ok(Self { writer, id, head: None })
    }

    /// Goes on with a match of an open journal.
    pub fn carry_on(journal: Journal, info: &MatchInfo) -> Self {
        Self { writer: Writer::start(journal), id: info.id, head: Some(info.head) }
    }
}

impl Keeper for Keeping {
    fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
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
