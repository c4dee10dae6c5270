//! The counts, and how they are written down in `counts.txt`.

use std::collections::BTreeMap;

/// What was counted for one kind of board: the numbers of each line of `counts.txt`, by the line's name.
#[derive(Clone, Debug, Default)]
pub(super) struct CountTable(pub(super) BTreeMap<String, Vec<u64>>);

impl CountTable {
    /// Reads the lines that begin with `board` (`seen` or `felt`).
    pub(super) fn parse(text: &str, board: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.strip_prefix(board)?.split_once(':'));
        let numbers = |text: &str| text.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        Self(lines.map(|(name, counts)| (name.trim().to_owned(), numbers(counts))).collect())
    }

    /// The numbers of a line. What it does not have was never counted.
    pub(super) fn numbers<const N: usize>(&self, name: &str) -> [u64; N] {
        let line = self.0.get(name);
        std::array::from_fn(|nth| line.and_then(|line| line.get(nth)).copied().unwrap_or(0))
    }
}
