//! The deadlines of the watch: the times at which time alone changes something, and what happens then.

use tabiya_types::Instant;

use super::super::by_hand::MOST_DEADLINES;
use super::Watch;

/// When something is due, and what it is.
type Timer = (Option<Instant>, fn(&mut Watch));

impl Watch {
    /// Lets time pass up to `now`, and performs everything that is due by then, each step at its own time.
    pub fn time(&mut self, now: Instant) {
        for _ in 0..MOST_DEADLINES {
            let Some(due) = self.deadline().filter(|due| *due <= now) else { break };
            self.scribe.now = self.scribe.now.max(due);
            let is_due = |timer: &Timer| timer.0.is_some_and(|at| at <= self.scribe.now);
            if let Some((_, perform)) = self.timers().into_iter().find(is_due) {
                perform(self);
            }
        }
        self.scribe.now = self.scribe.now.max(now);
    }

    /// The next moment at which something changes merely because time has passed; `None` if no such moment is known.
    pub fn deadline(&self) -> Option<Instant> {
        self.timers().into_iter().filter_map(|(at, _)| at).min()
    }

    /// Everything for which only time is missing. Of what is due together, the first comes first.
    fn timers(&self) -> [Timer; 4] {
        [
            (self.sight().rest_at(), Self::examine_rest),
            (self.scribe.tracker.next_look(), Self::look_again),
            (self.sight().missing_at(), Self::ask_about_missing),
            (self.sight().flag_at(), Self::pass_flag),
        ]
    }

    fn pass_flag(&mut self) {
        if self.table().deadline().is_some_and(|due| self.sight().moves_before(due)) {
            self.take_standing();
        }
        self.scribe.tick();
    }
}
