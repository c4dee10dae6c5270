//! The story of a match as a referee's log, collected while a record is replayed.
#![warn(clippy::indexing_slicing)]

use tabiya_types::Instant;

use super::observer::Observer;
use super::text::{Body, Line};
use crate::table::{Effect, LogLine, Table, joined, log_of, opening};

/// The log of a match. It observes the lines of the match's record.
#[derive(Clone, Debug)]
pub struct MatchLog {
    /// The table before the current line.
    before: Table,
    entries: Vec<LogLine>,
}

impl MatchLog {
    /// The log of a match that begins with this table.
    pub fn new(start: &Table) -> Self {
        Self {
            before: start.clone(),
            entries: vec![LogLine::new(Instant::ZERO, opening(start, Instant::ZERO))],
        }
    }

    /// The events so far. A press is part of the action whose turn it ended.
    pub fn into_entries(self) -> Vec<LogLine> {
        joined(self.entries)
    }
}

impl Observer for MatchLog {
    fn before(&mut self, _: u32, _: &Line, table: &Table) {
        self.before = table.clone();
    }

    fn after(&mut self, _: u32, line: &Line, effects: &[Effect], table: &Table) {
        if let Body::Acted(input) = &line.body {
            self.entries.extend(log_of(&self.before, input, line.moment(), effects, table));
        }
    }
}
