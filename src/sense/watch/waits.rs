//! What waits until the board tells what it meant: presses, and lines that were typed behind them.

use std::collections::VecDeque;

use tabiya_types::{Color, Instant, Millis};

use super::super::explain::Waiting;

/// A press that has waited for so long, on a board at rest, is asked about. A lost update is cured
/// within six seconds.
pub(super) const STUCK: Millis = Millis(7_000);

/// What waits, in its order, and what was asked about it.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    items: VecDeque<Waiting>,
    /// The press that was asked about last.
    asked: Option<Instant>,
    /// The press that would have been asked about, had anything fitted.
    postponed: Option<Instant>,
    /// When the board is looked at again after a press that it did not explain.
    look_again: Option<Instant>,
}

impl Waits {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Waiting> + ExactSizeIterator {
        self.items.iter()
    }

    /// All of it, to be explained together.
    pub(super) fn list(&self) -> Vec<Waiting> {
        self.items.iter().cloned().collect()
    }

    pub(super) fn first(&self) -> Option<&Waiting> {
        self.items.front()
    }

    pub(super) fn last(&self) -> Option<&Waiting> {
        self.items.back()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The press that waits longest.
    pub(super) fn first_press(&self) -> Option<(Color, Instant)> {
        self.items.iter().find_map(Waiting::press)
    }

    /// The press that came last.
    pub(super) fn last_press(&self) -> Option<(Color, Instant)> {
        self.items.iter().rev().find_map(Waiting::press)
    }

    pub(super) fn has_press(&self) -> bool {
        self.first_press().is_some()
    }

    /// Whether a press of this very moment waits.
    pub(super) fn has_press_of(&self, at: Instant) -> bool {
        self.items.iter().any(|item| matches!(item, Waiting::Press { at: then, .. } if *then == at))
    }

    pub(super) fn push(&mut self, item: Waiting) {
        self.items.push_back(item);
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
    }

    /// All of it; nothing waits any more.
    pub(super) fn take(&mut self) -> VecDeque<Waiting> {
        std::mem::take(&mut self.items)
    }

    pub(super) fn drop_first(&mut self) {
        self.items.pop_front();
    }

    /// The press that waits longest waits no more.
    pub(super) fn take_first_press(&mut self) -> Option<(Color, Instant)> {
        let first = self.items.iter().position(|item| matches!(item, Waiting::Press { .. }))?;
        self.items.remove(first)?.press()
    }

    /// Drops the press that waits last, and what was held behind it.
    pub(super) fn drop_last_press(&mut self) {
        let last = self.items.iter().rposition(|item| matches!(item, Waiting::Press { .. }));
        self.items.truncate(last.unwrap_or(self.items.len()));
    }

    // ---- when something is to be made of it ----

    /// When late updates have had their time after a press that waits.
    pub(super) fn look_again_at(&self) -> Option<Instant> {
        self.look_again.filter(|_| self.has_press())
    }

    /// The board is to be looked at again then, or not any more.
    pub(super) fn set_look_again(&mut self, at: Option<Instant>) {
        self.look_again = at;
    }

    /// When the press that waits longest will have waited for too long, if it was not asked about. `settle`:
    /// how long the board takes to settle after its last change.
    pub(super) fn stuck_at(&self, last_change: Instant, settle: Millis) -> Option<Instant> {
        let (_, first) = self.first_press()?;
        let (_, last) = self.last_press()?;
        let quiet = last_change.max(last) + settle;
        let patience = if self.is_postponed(first) { STUCK + STUCK } else { STUCK };
        (self.asked != Some(first)).then(|| (first + patience).max(quiet))
    }

    /// Whether a press waits for so long that what was lost must have been told meanwhile.
    pub(super) fn is_stuck(&self, now: Instant) -> bool {
        self.first_press().is_some_and(|(_, first)| first + STUCK <= now)
    }

    /// Whether that press was not asked about since nothing fitted.
    pub(super) fn is_postponed(&self, press: Instant) -> bool {
        self.postponed == Some(press)
    }

    pub(super) fn postpone(&mut self, press: Instant) {
        self.postponed = Some(press);
    }

    pub(super) fn note_asked(&mut self, press: Instant) {
        self.asked = Some(press);
    }
}
