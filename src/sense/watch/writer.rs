//! The table, and the lines that it is written with.
//!
//! Nothing is written that the table refuses. Each line is handed on with the table after it, so that nobody
//! has to fold it again.

use tabiya_types::{Board, Instant};

use super::WrittenLine;
use crate::rules::Violation;
use crate::table::{Body, Common, Effect, Evidence, Input, Stamp, Table};

/// A table and its new lines.
#[derive(Clone, Debug)]
pub(super) struct LineWriter {
    table: Table,
    /// How many lines the record has.
    lines: u32,
    /// What the last line on it says that the board shows.
    sees_told: Option<Board>,
    out: Vec<WrittenLine>,
}

impl LineWriter {
    /// Over a table that was replayed from a record of so many lines.
    pub(super) fn new(table: Table, lines: u32) -> Self {
        Self { table, lines, sees_told: None, out: Vec::new() }
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// The lines since the last call.
    pub(super) fn take(&mut self) -> Vec<WrittenLine> {
        std::mem::take(&mut self.out)
    }

    /// Writes a line that acts. On `Err` nothing was written but the time that ran out.
    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        let when = when.filter(|when| *when != t);
        let at = when.unwrap_or(t);
        if self.table.deadline().is_some_and(|due| due <= at) {
            self.tick(t, at);
        }
        let effects = self.table.apply(&input, Stamp::new(at, self.lines + 1))?;
        self.push(t, when, Body::Acted(input), effects);
        Ok(())
    }

    /// A line for what the board shows, unless the last one says so already.
    pub(super) fn write_what_is_seen(&mut self, seen: Board, t: Instant) {
        if self.sees_told != Some(seen) {
            self.sees_told = Some(seen);
            self.evidence(Evidence::Sees(seen), t);
        }
    }

    /// A line for the time that ran out by `at`, if that changed anything.
    pub(super) fn tick(&mut self, t: Instant, at: Instant) {
        let before = (self.table.phase(), self.table.to_act());
        let tick = Input::Common(Common::Tick);
        let effects = self.table.apply(&tick, Stamp::new(at, self.lines + 1)).unwrap_or_default();
        if !effects.is_empty() || before != (self.table.phase(), self.table.to_act()) {
            self.push(t, None, Body::Acted(tick), effects);
        }
    }

    /// A line that only tells.
    pub(super) fn evidence(&mut self, evidence: Evidence, t: Instant) {
        self.push(t, None, Body::Evidence(evidence), Vec::new());
    }

    fn push(&mut self, t: Instant, when: Option<Instant>, body: Body, effects: Vec<Effect>) {
        self.lines = self.lines.saturating_add(1);
        self.out.push(WrittenLine { t, when, body, effects, after: self.table.clone() });
    }
}
