//! Where a running table keeps its record: a match in a journal, or nowhere.

use std::path::Path;

use crate::clock::Instant;
use crate::record::Line;
use crate::record::chain::Head;
use crate::record::journal::{Batch, Journal, JournalError, MatchId, MatchInfo, NewEntry, Writer};

/// A match in a journal that is being written.
#[derive(Debug)]
pub struct Keeping {
    writer: Writer<Journal>,
    id: MatchId,
    head: Option<Head>,
}

impl Keeping {
    /// Opens the file, or makes it, and begins a match in it.
    pub fn begin(path: &Path, header: &str) -> Result<Self, JournalError> {
        let journal = if path.exists() { Journal::open(path)? } else { Journal::create(path)? };
        let writer = Writer::start(journal);
        let id = writer.begin_match(header)?;
        Ok(Self { writer, id, head: None })
    }

    /// Goes on with a match of an open journal.
    pub fn carry_on(journal: Journal, info: &MatchInfo) -> Self {
        Self { writer: Writer::start(journal), id: info.id, head: Some(info.head) }
    }

    /// Writes lines; they are on the disk when this is `Ok`. On `Err` none of them is in the file.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        let entries =
            lines.iter().map(|line| NewEntry { t: line.t.millis(), line: line.to_string() }).collect();
        self.head = Some(self.writer.append_wait(Batch { id: self.id, after: None, entries })?);
        Ok(())
    }

    /// Saves how far time has come, for a start after a crash. Not waited for.
    pub fn moment(&self, now: Instant) {
        drop(self.writer.moment(self.id, now.millis()));
    }

    /// The hash of the newest line.
    pub fn head(&self) -> Option<Head> {
        self.head
    }

    /// Folds the log into the one file and lets it go.
    pub fn close(self) -> Result<(), JournalError> {
        self.writer.stop().map_or(Ok(()), Journal::close)
    }
}
