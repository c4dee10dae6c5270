//! Checkpoints: give the state of the table after any line of a record, without replaying the whole record.
//!
//! A copy of the table is kept after every 64th line, so at most 63 lines must be applied to reach any other line.
//! A copy takes only 1 to 3 kB, because all copies share one history. For 100,000 lines the copies take about 5 MB,
//! plus the memory for the lines that were undone.

use std::collections::BTreeSet;

use super::observer::Observer;
use super::text::{Body, Line};
use crate::table::{Effect, Stamp, Table};

/// The number of lines from one kept copy of the table to the next.
const EVERY: usize = 64;

/// The copies of the table that are kept for a record.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The table before the first line, then the table after every 64th line.
    kept: Vec<Table>,
    /// How many lines the record has so far.
    lines: usize,
    /// The indices, from 0, of lines that were ignored because an earlier line has the same `id`.
    passed_over: BTreeSet<usize>,
}

impl Checkpoints {
    /// The checkpoints of a record without lines. `start` is the table before the first line.
    pub fn new(start: &Table) -> Self {
        Self { kept: vec![start.clone()], lines: 0, passed_over: BTreeSet::new() }
    }

    /// The table after the first `count` lines of the record; `None` if the record has fewer lines.
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
