//! A bound on the work of a search through the uses of cards.
//!
//! Two free steps of a card have a million uses, and after each of them the other player's card has as many that might
//! capture the king. Nobody at a table waits for that. A search that has used up its effort knows what it has found so
//! far, and nothing more: it calls nothing check or mate.
//!
//! Most uses do not disturb what the other player's card threatens. So a search keeps the captures of the king that it
//! has found, and tries them first on the next board: the uses of two free steps are then looked at in a second or two.

use std::cell::{Cell, RefCell};

use super::super::step::CardStep;
use super::mask::Masquerade;

/// A use that captures a king: its masquerade and its steps.
pub(in super::super) type KingCapture = (Masquerade, Vec<CardStep>);

/// How many steps of cards one search may still try, and what it has found out about the card that may capture the
/// king.
#[derive(Debug)]
pub(in super::super) struct Effort {
    left: Cell<u32>,
    /// Captures of the king that were found, the last one that worked at the end.
    captures: RefCell<Vec<KingCapture>>,
}

/// The most steps that one search tries: a second or two.
const MOST_STEPS: u32 = 20_000_000;

/// How many captures of the king are kept.
const KEPT_CAPTURES: usize = 8;

/// The most steps that a search for the screen tries: some milliseconds, so that no frame waits for it.
const MOST_STEPS_SHOWN: u32 = 100_000;

impl Effort {
    pub(in super::super) fn new() -> Self {
        Self::of(MOST_STEPS)
    }

    fn of(steps: u32) -> Self {
        Self { left: Cell::new(steps), captures: RefCell::default() }
    }

    /// The effort for what is only shown. No rule depends on what such a search finds.
    pub(in super::super) fn for_the_screen() -> Self {
        Self::of(MOST_STEPS_SHOWN)
    }

    /// Whether one more step may be tried.
    pub(super) fn takes_a_step(&self) -> bool {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether the search had to end before it had tried everything.
    pub(in super::super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Whether a capture that was found before still works.
    pub(in super::super) fn knows(&self, works: impl Fn(&KingCapture) -> bool) -> bool {
        let mut captures = self.captures.borrow_mut();
        let Some(nth) = captures.iter().rposition(works) else { return false };
        captures[nth..].rotate_left(1);
        true
    }

    /// Keeps a capture that was found.
    pub(in super::super) fn keep(&self, capture: KingCapture) {
        let mut captures = self.captures.borrow_mut();
        if captures.len() == KEPT_CAPTURES {
            captures.remove(0);
        }
        captures.push(capture);
    }
}
