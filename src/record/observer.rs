//! Who follows a table from line to line.
//!
//! Each line of a record is folded once, by whoever has the table: a replay, or the watch of a live one. All that
//! is made of it besides (the story for exports, remarks, what a window shows of earlier lines) observes that
//! table. A table costs little to copy, so that an observer may keep it as it was. A line that is refused was no line
//! of the record: of it nobody hears but `before`.

use super::text::Line;
use crate::table::{Effect, Table};

/// Somebody who is told of each line. The numbers are those of the record's lines; the header is line 1.
pub trait Observer {
    /// A line comes; the table is as it was before it.
    fn before(&mut self, _number: u32, _line: &Line, _table: &Table) {}

    /// A line was taken; the table is as it was after it.
    fn after(&mut self, number: u32, line: &Line, effects: &[Effect], table: &Table);

    /// A line was passed over, since its `id` had been seen before.
    fn passed_over(&mut self, _number: u32, _line: &Line, _table: &Table) {}
}

/// Nobody.
impl Observer for () {
    fn after(&mut self, _: u32, _: &Line, _: &[Effect], _: &Table) {}
}

/// One after the other.
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
