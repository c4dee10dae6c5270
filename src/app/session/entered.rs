//! The answer to an entry: which lines of the record it became.

use std::ops::Range;

use tabiya_engine::record::{Body, Line};
use tabiya_engine::table::Entry;

/// What an accepted entry became. Lines are counted by their places in the record, where the header is 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entered {
    /// All lines that were written with it, such as a fallen flag before it and the deal after it.
    pub lines: Range<u64>,
    /// Its own line. `None` if it has none: the entry waits until the board has explained what was done before it, or it has only
    /// taken back what had no line, or the line that came of it says more (a sealed move, the cards of a deal).
    pub own: Option<u64>,
}

impl Entered {
    /// What the entry became, if `before` lines of these were there before it.
    pub(super) fn of(entry: &Entry, lines: &[Line], before: usize) -> Self {
        let place = |index: usize| index as u64 + 1;
        let is_own = |line: &Line| match &entry.note.id {
            Some(id) => line.id.as_ref() == Some(id),
            None => matches!(&line.body, Body::Acted(input) if *input == entry.input),
        };
        let own = lines[before..].iter().rposition(is_own).map(|nth| place(before + nth));
        Self { lines: place(before)..place(lines.len()), own }
    }
}
