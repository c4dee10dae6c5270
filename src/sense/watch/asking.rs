//! Looks at the board when something has happened or time may have told something: what is understood is believed, and
//! people are asked where it is not.

use tabiya_types::{Instant, Square};

use super::super::reading::Occasion;
use super::super::tracker::{OfferedAnswer, Verdict};
use super::Watch;
use crate::table::Question;

impl Watch {
    /// Looks again, because time alone may have told something.
    pub(super) fn look_again(&mut self) {
        self.scribe.tracker.looked(self.scribe.now);
        let rests = self.scribe.tracker.rests_at() <= self.scribe.now;
        self.look(if rests { Occasion::Rest } else { Occasion::Update });
        self.ask_if_stuck();
    }

    /// Examines a board that has just come to rest.
    pub(super) fn examine_rest(&mut self) {
        self.scribe.tracker.examine_rest(self.scribe.now);
        let timed = self.table().mover().is_some();
        let seen = self.seen().filter(|_| self.scribe.tracker.history().kind.names_pieces() && timed);
        if let Some(result) = seen.and_then(|seen| Question::of_kings(&seen)) {
            self.scribe.tracker.ask(result);
            return;
        }
        let waits = self.press_waits();
        if !timed && self.scribe.take_untimed() {
            return;
        }
        self.take_move_with_card();
        if self.table().clock().paused()
            || !timed && !self.sight().is_over()
            || !self.scribe.tracker.differs() && !waits
        {
            return;
        }
        if self.scribe.tracker.is_auto() && timed {
            self.scribe.tracker.rested();
        }
        self.look(Occasion::Rest);
        self.ask_if_stuck();
        if self.scribe.tracker.question().is_none() && self.scribe.tracker.differs() && !self.press_waits() {
            self.scribe.offer_earlier();
        }
    }

    /// Reads everything, and believes, waits or asks.
    pub(super) fn look(&mut self, occasion: Occasion) {
        let over = self.sight().is_over();
        self.scribe.tracker.note_end(over, self.scribe.now);
        let readable = if over { self.sight().may_reopen() } else { self.table().mover().is_some() };
        if over && !readable {
            self.scribe.release_presses();
        }
        if self.table().clock().paused() || !self.scribe.tracker.history().known || !readable {
            return;
        }
        match self.scribe.tracker.verdict(self.scribe.now, occasion) {
            Verdict::Believe(reading) => self.scribe.believe(&reading),
            Verdict::Wait => {}
            Verdict::Ask(readings) => {
                let shared = readings.first().map_or(0, |best| self.scribe.tracker.difference(best).shared);
                self.scribe.explain(occasion, shared);
                self.scribe.ask(readings);
            }
        }
    }

    // ---- questions ----

    /// Answers [`Question::Which`]: the reading with this number, counted from 1, is right. Returns `false` if no reading
    /// with this number is offered.
    pub fn choose(&mut self, number: usize, at: Instant) -> bool {
        self.scribe.now = self.scribe.now.max(at);
        let chosen = number.checked_sub(1).and_then(|nth| self.scribe.tracker.answers().get(nth)).cloned();
        match chosen {
            None => false,
            Some(OfferedAnswer::Reading(reading)) => {
                self.scribe.tracker.withdraw_question();
                self.scribe.write_reading(&reading);
                // What people have answered is not read anew.
                self.scribe.settle_path();
                true
            }
            Some(OfferedAnswer::Proposal(action)) => {
                let entered = self.enter_turn(&action, at, at).is_ok();
                if !entered {
                    self.scribe.tracker.ask_again();
                }
                entered
            }
        }
    }

    /// The squares on which the offered readings differ from the table's position; empty unless they are asked about.
    pub fn squares_in_question(&self) -> Vec<Square> {
        self.scribe.squares_in_question()
    }

    /// Asks what was played, if a press waits although time can tell nothing more.
    fn ask_if_stuck(&mut self) {
        if !self.press_waits()
            || self.scribe.tracker.is_asked()
            || self.scribe.tracker.rests_at() > self.scribe.now
        {
            return;
        }
        // What the game proposes for a board that no action explains.
        let seen = self.seen().filter(|_| self.scribe.tracker.history().kind.names_pieces());
        let proposed = seen.map(|seen| self.table().probe().proposals_for(&seen)).unwrap_or_default();
        let Some(found) = self.scribe.tracker.stuck(self.scribe.now, !proposed.is_empty()) else {
            self.scribe.offer_what_stands();
            return;
        };
        if proposed.is_empty() || found.iter().any(|reading| reading.stands_on(self.scribe.tracker.history()))
        {
            self.scribe.ask(found);
        } else {
            self.scribe.offer(proposed.into_iter().map(OfferedAnswer::Proposal).collect());
        }
    }

    /// For a board that only feels, without presses: asks what was done, because a piece is gone for so long that
    /// nobody holds it any more.
    pub(super) fn ask_about_missing(&mut self) {
        let found = self.scribe.tracker.missing(self.scribe.now);
        if !found.is_empty() {
            self.scribe.ask(found);
        }
    }
}
