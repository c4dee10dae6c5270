//! The deadlines of the watch: the times at which time alone changes something, and what happens then.

use tabiya_types::Instant;

use super::super::by_hand::{MISSING, MOST_DEADLINES};
use super::Watch;

/// When something is due, and what it is.
type Timer = (Option<Instant>, fn(&mut Watch));

impl Watch {
    /// Lets time pass up to `now`, and performs everything that is due by then, each step at its own time.
    pub fn time(&mut self, now: Instant) {
        for _ in 0..MOST_DEADLINES {
            let Some(due) = self.deadline().filter(|due| *due <= now) else { break };
            self.now = self.now.max(due);
            let is_due = |timer: &Timer| timer.0.is_some_and(|at| at <= self.now);
            if let Some((_, perform)) = self.timers().into_iter().find(is_due) {
                perform(self);
            }
        }
        self.now = self.now.max(now);
    }

    /// The next moment at which something changes merely because time has passed; `None` if no such moment is known.
    pub fn deadline(&self) -> Option<Instant> {
        self.timers().into_iter().filter_map(|(at, _)| at).min()
    }

    /// Everything for which only time is missing. Of what is due together, the first comes first.
    fn timers(&self) -> [Timer; 4] {
        [
            (self.rest_at(), Self::examine_rest),
            (self.tracker.next_look(), Self::look_again),
            (self.missing_at(), Self::ask_about_missing),
            (self.flag_at(), Self::pass_flag),
        ]
    }

    /// When the board comes to rest; `None` if this rest was examined already.
    fn rest_at(&self) -> Option<Instant> {
        let new = self.tracker.history().known && !self.tracker.rest_is_examined();
        new.then(|| self.tracker.rests_at())
    }

    /// When people are asked about a piece that is missing ([`MISSING`]).
    fn missing_at(&self) -> Option<Instant> {
        let rests = self.tracker.rest_is_examined() && self.tracker.question().is_none();
        let asks = self.tracker.is_auto()
            && self.tracker.history().kind.hides_captures()
            && self.table().mover().is_some()
            && self.tracker.differs();
        let at = self.tracker.history().last_change + MISSING;
        (rests && asks && self.tracker.misses_first_at(at)).then_some(at)
    }

    /// When a flag or another deadline of the table is due. While a press waits, no flag falls, because the press may
    /// have been made before it. An action that the board shows was made before the flag fell if its last change was.
    fn flag_at(&self) -> Option<Instant> {
        let due = self.table().deadline().filter(|_| !self.tracker.press_waits())?;
        Some(if self.moves_before(due) { due.max(self.tracker.rests_at()) } else { due })
    }

    fn pass_flag(&mut self) {
        if self.table().deadline().is_some_and(|due| self.moves_before(due)) {
            self.take_standing();
        }
        self.writer.tick(self.now, self.now);
    }

    /// Whether the board may show an action that was made in this turn before the flag fell at `flag`.
    fn moves_before(&self, flag: Instant) -> bool {
        let last = self.tracker.history().last_change;
        self.table().clock().flag_at() == Some(flag)
            && last < flag
            && last >= self.table().turn_began()
            && self.tracker.differs()
    }
}
