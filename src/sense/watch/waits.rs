//! Presses that wait until the board explains them, and lines that were typed after these presses.

use std::collections::VecDeque;

use tabiya_types::{Color, Instant, Millis};

use super::super::explain::Waiting;

/// How long a press waits before the players are asked about it, if the board does not change any more. This is longer
/// than the six seconds within which a board reports a lost update again.
pub(super) const STUCK: Millis = Millis(7_000);

/// The presses and lines that wait for an explanation, in order, and which questions about them were asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    items: VecDeque<Waiting>,
    /// People were last asked about the press that happened at this time; `None` if they were never asked.
    asked: Option<Instant>,
    /// The question about the press that happened at this time was postponed, because no explanation fitted the board.
    postponed: Option<Instant>,
    /// The time at which the tracker will next try to explain the presses that wait.
    look_again: Option<Instant>,
}

impl Waits {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Waiting> + ExactSizeIterator {
        self.items.iter()
    }

    /// A copy of all presses and lines that wait.
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

    /// The press that has waited longest.
    pub(super) fn first_press(&self) -> Option<(Color, Instant)> {
        self.items.iter().find_map(Waiting::press)
    }

    /// The newest press that waits.
    pub(super) fn last_press(&self) -> Option<(Color, Instant)> {
        self.items.iter().rev().find_map(Waiting::press)
    }

    pub(super) fn has_press(&self) -> bool {
        self.first_press().is_some()
    }

    /// Whether one of the presses that wait happened at exactly this moment.
    pub(super) fn has_press_of(&self, at: Instant) -> bool {
        self.items.iter().any(|item| matches!(item, Waiting::Press { at: then, .. } if *then == at))
    }

    pub(super) fn push(&mut self, item: Waiting) {
        self.items.push_back(item);
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
    }

    /// Removes and returns all presses and lines that wait.
    pub(super) fn take(&mut self) -> VecDeque<Waiting> {
        std::mem::take(&mut self.items)
    }

    pub(super) fn drop_first(&mut self) {
        self.items.pop_front();
    }

    /// Removes and returns the press that has waited longest.
    pub(super) fn take_first_press(&mut self) -> Option<(Color, Instant)> {
        let first = self.items.iter().position(|item| matches!(item, Waiting::Press { .. }))?;
        self.items.remove(first)?.press()
    }

    /// Drops the newest press, and the lines that were entered after it.
    pub(super) fn drop_last_press(&mut self) {
        let last = self.items.iter().rposition(|item| matches!(item, Waiting::Press { .. }));
        self.items.truncate(last.unwrap_or(self.items.len()));
    }

    // ---- deadlines and questions ----

    /// The time at which the tracker next tries to explain the presses that wait. Late updates of the board arrive
    /// before that time. `None` if no press waits.
    pub(super) fn look_again_at(&self) -> Option<Instant> {
        self.look_again.filter(|_| self.has_press())
    }

    /// Sets the time at which the tracker next tries to explain the presses that wait; `None` for never.
    pub(super) fn set_look_again(&mut self, at: Option<Instant>) {
        self.look_again = at;
    }

    /// The time at which people must be asked about the press that has waited longest. `None` if no press waits, or if
    /// people were already asked about this press. `settle` is how long the board must stay unchanged to count as
    /// quiet.
    pub(super) fn stuck_at(&self, last_change: Instant, settle: Millis) -> Option<Instant> {
        let (_, first) = self.first_press()?;
        let (_, last) = self.last_press()?;
        let quiet = last_change.max(last) + settle;
        let patience = if self.is_postponed(first) { STUCK + STUCK } else { STUCK };
        (self.asked != Some(first)).then(|| (first + patience).max(quiet))
    }

    /// Whether a press has waited so long that the board must have reported all lost updates again.
    pub(super) fn is_stuck(&self, now: Instant) -> bool {
        self.first_press().is_some_and(|(_, first)| first + STUCK <= now)
    }

    /// Whether the question about this press was postponed, because no explanation fitted the board.
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
