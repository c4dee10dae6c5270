//! Looking back: the table as it was after any line of a record.
//!
//! Every 64th line the table is kept, so that another moment costs at most 63 lines to work out. A kept table is
//! its state (1 to 3 kB) and shares its history with all others: of 100,000 lines some 5 MB, and what was undone on
//! the way.

use std::collections::BTreeSet;

use super::observer::Observer;
use super::text::{Body, Line};
use crate::table::{Effect, Stamp, Table};

/// How many lines lie between two tables that are kept.
const EVERY: usize = 64;

/// Tables of a record, one for every so many lines.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The table before the first line, then the one after every so many.
    kept: Vec<Table>,
    /// How many lines there are.
    lines: usize,
    /// Those of them that were passed over, counted from 0.
    passed_over: BTreeSet<usize>,
}

impl Checkpoints {
    /// Of a record before its first line, with the table as it then is.
    pub fn new(start: &Table) -> Self {
        Self { kept: vec![start.clone()], lines: 0, passed_over: BTreeSet::new() }
    }

    /// The table after so many of the record's lines; `None` where there are not so many.
    pub fn table_after(&self, lines: &[Line], count: usize) -> Option<Table> {
        if count > self.lines {
            return None;
        }
        let nearest = count / EVERY;
        let mut table = self.kept.get(nearest)?.clone();
        for nth in nearest * EVERY..count {
            let line = lines.get(nth)?;
            if let Body::Acted(input) = &line.body
                && !self.passed_over.contains(&nth)
            {
                let number = u32::try_from(nth + 2).unwrap_or(u32::MAX);
                table.apply(input, Stamp::new(line.moment(), number)).ok()?;
            }
        }
        Some(table)
    }

    fn count(&mut self, table: &Table) {
        self.lines += 1;
        if self.lines.is_multiple_of(EVERY) {
            self.kept.push(table.clone());
        }
    }
}

impl Observer for Checkpoints {
    fn after(&mut self, _: u32, _: &Line, _: &[Effect], table: &Table) {
        self.count(table);
    }

    fn passed_over(&mut self, _: u32, _: &Line, table: &Table) {
        self.passed_over.insert(self.lines);
        self.count(table);
    }
}
