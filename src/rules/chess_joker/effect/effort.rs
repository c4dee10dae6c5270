//! A bound on the work of a search through the uses of cards.
//!
//! Two free steps of a card have a million uses, and after each of them the other player's card has as many that might
//! capture the king. Nobody at a table waits for that. A search that has used up its effort knows what it has found so
//! far, and nothing more: it calls nothing check or mate.

use std::cell::Cell;

/// How many steps of cards one search may still try.
#[derive(Debug)]
pub(in super::super) struct Effort(Cell<u32>);

/// The most steps that one search tries: about a second.
const MOST_STEPS: u32 = 20_000_000;

/// The most steps that a search for the screen tries: some milliseconds, so that no frame waits for it.
const MOST_STEPS_SHOWN: u32 = 100_000;

impl Effort {
    pub(in super::super) fn new() -> Self {
        Self(Cell::new(MOST_STEPS))
    }

    /// The effort for what is only shown. No rule depends on what such a search finds.
    pub(in super::super) fn for_the_screen() -> Self {
        Self(Cell::new(MOST_STEPS_SHOWN))
    }

    /// Whether one more step may be tried.
    pub(super) fn takes_a_step(&self) -> bool {
        let left = self.0.get().checked_sub(1);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether the search had to end before it had tried everything.
    pub(in super::super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}
