//! The deadlines of the watch: the times at which time alone changes something, and what happens then.

use tabiya_types::{Instant, Millis};

use super::Watch;
use super::tracker::Tracker;

/// For a board that only feels, without presses: a piece that is gone for so long is not in the air any more.
const MISSING: Millis = Millis(3_000);

impl Watch {
    /// Lets time pass up to `now`, and performs everything that is due by then.
    pub fn time(&mut self, now: Instant) {
        self.tracker.pass(now);
    }

    /// The next moment at which something changes merely because time has passed; `None` if no such moment is known.
    pub fn deadline(&self) -> Option<Instant> {
        self.tracker.deadline()
    }
}

impl Tracker {
    fn deadline(&self) -> Option<Instant> {
        [self.flag_at(), self.rest_at(), self.looks_at(), self.missing_at()].into_iter().flatten().min()
    }

    /// When a flag or another deadline of the table is due. While a press waits, no flag falls, because the press may
    /// have been made before it. An action that the board shows was made before the flag fell if its last change was.
    fn flag_at(&self) -> Option<Instant> {
        let due = self.table().deadline().filter(|_| !self.press_waits())?;
        Some(if self.moves_before(due) { due.max(self.rests_at()) } else { due })
    }

    /// When the board comes to rest; `None` if this rest was examined already.
    fn rest_at(&self) -> Option<Instant> {
        let new = self.history.known() && self.rested != Some(self.history.last_change());
        new.then(|| self.rests_at())
    }

    /// When people are asked about a piece that is missing ([`MISSING`]).
    fn missing_at(&self) -> Option<Instant> {
        let rests = self.rested == Some(self.history.last_change()) && self.question.is_none();
        let asks = self.auto() && self.history.felt() && self.table().mover().is_some() && self.differs();
        let at = self.history.last_change() + MISSING;
        (rests && asks && at > self.missed).then_some(at)
    }

    /// Performs everything that is due by `now`, each step at its own time.
    pub(super) fn pass(&mut self, now: Instant) {
        // Each round removes one deadline. The limit only guards against an endless loop caused by a bug.
        for _ in 0..10_000 {
            match self.deadline() {
                Some(at) if at <= now => {
                    self.now = self.now.max(at);
                    self.due(self.now);
                }
                _ => break,
            }
        }
        self.now = self.now.max(now);
    }

    /// Performs one step that is due at `at`.
    fn due(&mut self, at: Instant) {
        let due = |then: Option<Instant>| then.is_some_and(|then| then <= at);
        if due(self.rest_at()) {
            self.rested = Some(self.history.last_change());
            self.examine_rest(at);
        } else if due(self.looks_at()) {
            self.look_again(at);
        } else if due(self.missing_at()) {
            self.missed = at;
            self.ask_about_missing();
        } else if let Some(flag) = self.flag_at() {
            if self.table().deadline().is_some_and(|due| self.moves_before(due)) {
                self.take_standing();
            }
            let at = at.max(flag);
            self.writer.tick(at, at);
        }
    }

    /// Whether the board may show an action that was made in this turn before the flag fell at `flag`.
    fn moves_before(&self, flag: Instant) -> bool {
        let last = self.history.last_change();
        self.table().clock().flag_at() == Some(flag)
            && last < flag
            && last >= self.table().turn_began()
            && self.differs()
    }
}
