//! Observers, which follow a table from line to line.
//!
//! Each line of a record is applied once, by the owner of the table: a replay, or the watch of a live table.
//! Everything else that depends on the lines (the story for exports, notes, the window's view of earlier lines)
//! observes that table. A table is cheap to copy, so an observer may keep copies. A refused line is not part of
//! the record: only `before` is called for it.

use super::text::Line;
use crate::table::{Effect, Table};

/// Callbacks for each line of a record. `number` is the number of the line; the header is line 1.
pub trait Observer {
    /// Called before a line is applied, with the table before the line.
    fn before(&mut self, _number: u32, _line: &Line, _table: &Table) {}

    /// Called after a line was accepted, with the table after the line.
    fn after(&mut self, number: u32, line: &Line, effects: &[Effect], table: &Table);

    /// Called for a line that is ignored because an earlier line has the same `id`.
    fn passed_over(&mut self, _number: u32, _line: &Line, _table: &Table) {}
}

/// Observes nothing.
impl Observer for () {
    fn after(&mut self, _: u32, _: &Line, _: &[Effect], _: &Table) {}
}

/// Calls two observers, one after the other.
impl<A: Observer, B: Observer> Observer for (&mut A, &mut B) {
    fn before(&mut self, number: u32, line: &Line, table: &Table) {
        self.0.before(number, line, table);
        self.1.before(number, line, table);
    }

    fn after(&mut self, number: u32, line: &Line, effects: &[Effect], table: &Table) {
        self.0.after(number, line, effects, table);
        self.1.after(number, line, effects, table);
    }

    fn passed_over(&mut self, number: u32, line: &Line, table: &Table) {
        self.0.passed_over(number, line, table);
        self.1.passed_over(number, line, table);
    }
}
