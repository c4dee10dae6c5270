//! The counts, and how they are written down in `counts.txt`.

use tabiya_types::Millis;

use super::shape::SquareRole;
use super::table::{BUCKETS, COMPANIES, EVENTS, GROUPS, ROWS, Row, When};

/// What was counted for one kind of board.
#[derive(Clone, Debug)]
pub(super) struct CountTable {
    /// How often each event happened, of how many chances.
    pub(super) events: [[u64; 2]; EVENTS.len()],
    /// How many squares had each role in the turns that were counted.
    pub(super) squares: [[u64; SquareRole::ALL.len()]; When::ALL.len()],
    pub(super) rows: Vec<[u64; BUCKETS]>,
    /// How many squares of each group had an odd entry, of how many squares.
    pub(super) groups: [[u64; 2]; GROUPS],
    /// The same for squares where another entry was there already.
    pub(super) company: [[[u64; 2]; COMPANIES]; GROUPS],
}

impl CountTable {
    pub(super) fn new() -> Self {
        Self {
            events: [[0; 2]; EVENTS.len()],
            squares: [[0; SquareRole::ALL.len()]; When::ALL.len()],
            rows: vec![[0; BUCKETS]; ROWS],
            groups: [[0; 2]; GROUPS],
            company: [[[0; 2]; COMPANIES]; GROUPS],
        }
    }

    /// Counts one entry.
    pub(super) fn add(&mut self, row: Row, lasted: Millis) {
        self.rows[row.index()][row.bucket(lasted)] += 1;
    }

    /// Every line of the table: its name and its numbers.
    pub(super) fn lines(&mut self) -> Vec<(String, &mut [u64])> {
        let mut lines: Vec<(String, &mut [u64])> = Vec::new();
        for (event, counts) in EVENTS.iter().zip(&mut self.events) {
            lines.push((format!("event {event:?}"), counts));
        }
        for (when, counts) in When::ALL.iter().zip(&mut self.squares) {
            lines.push((format!("squares {when:?}"), counts));
        }
        for (row, counts) in Row::all().zip(&mut self.rows) {
            lines.push((format!("{:?} {:?} {:?}", row.when, row.role, row.class), counts));
        }
        for (group, (counts, company)) in self.groups.iter_mut().zip(&mut self.company).enumerate() {
            lines.push((format!("group {group}"), counts));
            for (kind, counts) in company.iter_mut().enumerate() {
                lines.push((format!("group {group} company {kind}"), counts));
            }
        }
        lines
    }

    /// Reads the lines that begin with `board` (`seen` or `felt`).
    pub(super) fn parse(text: &str, board: &str) -> Self {
        let mut counts = Self::new();
        let mut lines = counts.lines();
        for line in text.lines() {
            let Some((name, numbers)) = line.strip_prefix(board).and_then(|line| line.split_once(':')) else {
                continue;
            };
            let Some((_, counts)) = lines.iter_mut().find(|(known, _)| *known == name.trim()) else {
                continue;
            };
            let numbers = numbers.split_whitespace().filter_map(|number| number.parse().ok());
            counts.iter_mut().zip(numbers).for_each(|(count, number)| *count = number);
        }
        drop(lines);
        counts
    }
}
