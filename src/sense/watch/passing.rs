//! The deadlines of the watch: the moments at which time alone changes something, and what happens then.

use tabiya_types::Instant;

use super::super::explain::Waiting;
use super::Watch;
use crate::table::{Common, Input};

impl Watch {
    /// Lets time pass up to `now`, and performs everything that is due by then.
    pub fn time(&mut self, now: Instant) {
        self.pass(now);
    }

    /// The next moment at which something changes merely because time has passed; `None` if no such moment is known.
    pub fn deadline(&self) -> Option<Instant> {
        let flag = if self.tracker.waiting.has_press() { None } else { self.table().deadline() };
        let flag = flag.map(|at| {
            if self.tracker.scene().moves_before(at) { at.max(self.tracker.scene().quiet_at()) } else { at }
        });
        let quiet = (self.tracker.looked_at != Some(self.tracker.sight.last_change())
            && self.tracker.sight.known())
        .then(|| self.tracker.scene().quiet_at());
        let press = match self.tracker.waiting.first() {
            Some(Waiting::Press { by, at }) if self.tracker.scene().means_nothing(*by) => {
                Some((*at + self.tracker.scene().settle()).max(self.tracker.scene().quiet_at()))
            }
            _ => None,
        };
        [
            flag,
            quiet,
            press,
            self.tracker.waiting.look_again_at(),
            self.tracker.stuck_at(),
            self.tracker.swap_at(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Performs everything that is due by `now`, each step at its own moment.
    pub(super) fn pass(&mut self, now: Instant) {
        // Each pass of this loop removes one deadline. The limit only guards against an endless loop caused by a bug.
        for _ in 0..10_000 {
            match self.deadline() {
                Some(at) if at <= now => {
                    self.tracker.now = self.tracker.now.max(at);
                    self.due(self.tracker.now);
                }
                _ => break,
            }
        }
        self.tracker.now = self.tracker.now.max(now);
    }

    /// Performs one step that is due at `at`.
    fn due(&mut self, at: Instant) {
        if self.tracker.sight.known()
            && self.tracker.looked_at != Some(self.tracker.sight.last_change())
            && self.tracker.scene().quiet_at() <= at
        {
            self.tracker.looked_at = Some(self.tracker.sight.last_change());
            self.tracker.quiet(at);
            return;
        }
        if let Some(Waiting::Press { by, at: pressed }) = self.tracker.waiting.first().cloned()
            && self.tracker.scene().means_nothing(by)
            && (pressed + self.tracker.scene().settle()).max(self.tracker.scene().quiet_at()) <= at
        {
            // The clock of the side that pressed is stopped, and the board shows no action of the opponent.
            // So this press has no effect.
            self.tracker.waiting.drop_first();
            self.tracker.write_quietly(Input::Common(Common::Press(by)), at, None);
            return;
        }
        if self.tracker.waiting.look_again_at().is_some_and(|again| again <= at) {
            self.tracker.look_again(at);
            return;
        }
        if self.tracker.stuck_at().is_some_and(|stuck| stuck <= at) {
            self.tracker.ask_for_help();
            return;
        }
        if self.tracker.swap_at().is_some_and(|swapped| swapped <= at) {
            self.tracker.ask_about_swap();
            return;
        }
        if let Some(flag) =
            self.table().deadline().filter(|flag| *flag <= at && !self.tracker.waiting.has_press())
        {
            if self.tracker.scene().moves_before(flag) {
                self.tracker.take_standing_action(at);
            }
            let at = at.max(flag);
            self.tracker.writer.tick(at, at);
        }
    }
}
