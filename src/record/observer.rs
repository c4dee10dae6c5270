//! Observers: they are called before and after each line of a record, with the state of the table.
//!
//! Each line of a record is applied only once, by a replay or, during a match, by the
//! [`Watch`](crate::sense::Watch). Other code that depends on the lines is an observer: the events for exports,
//! the notes, and the window's view of earlier lines. A table is cheap to copy, so an observer may keep copies.
//! For a refused line only `before` is called, because that line is not part of the record.

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

/// An observer that does nothing.
impl Observer for () {
    fn after(&mut self, _: u32, _: &Line, _: &[Effect], _: &Table) {}
}

/// An observer that calls two observers, one after the other.
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
