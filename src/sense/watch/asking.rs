//! Looks at the board when something has happened or time may have told something: what is understood is believed, and
//! people are asked where it is not.

use tabiya_types::{Instant, Millis, Square};

use super::super::by_hand::REOPEN;
use super::super::history::{differences, squares};
use super::super::reading::{Occasion, Reading, Step, StepKind};
use super::super::tracker::{OfferedAnswer, OpenQuestion, Verdict};
use super::Watch;
use crate::rules::Action;
use crate::table::Question;

impl Watch {
    /// Looks again, because time alone may have told something.
    pub(super) fn look_again(&mut self) {
        self.tracker.looked(self.now);
        let rests = self.tracker.rests_at() <= self.now;
        self.look(if rests { Occasion::Rest } else { Occasion::Update });
        self.ask_if_stuck();
    }

    /// Examines a board that has just come to rest.
    pub(super) fn examine_rest(&mut self) {
        self.tracker.examine_rest(self.now);
        let timed = self.table().mover().is_some();
        let seen = self.seen().filter(|_| self.tracker.history().kind.names_pieces() && timed);
        if let Some(result) = seen.and_then(|seen| Question::of_kings(&seen)) {
            self.tracker.ask(result);
            return;
        }
        let waits = self.press_waits();
        if !timed && self.take_untimed() {
            return;
        }
        self.take_move_with_card();
        if self.table().clock().paused() || !timed && !self.is_over() || !self.tracker.differs() && !waits {
            return;
        }
        if self.tracker.is_auto() && timed {
            self.tracker.rested();
        }
        self.look(Occasion::Rest);
        self.ask_if_stuck();
        if self.tracker.question().is_none() && self.tracker.differs() && !self.press_waits() {
            self.offer_earlier();
        }
    }

    /// Whether the game has ended, but so recently that it may be read anew.
    pub(super) fn may_reopen(&self) -> bool {
        let soon = Millis(self.tracker.settling_time().0 * REOPEN);
        self.is_over()
            && !self.tracker.path_is_empty()
            && self.tracker.ended().is_none_or(|ended| self.now <= ended + soon)
    }

    /// Reads everything, and believes, waits or asks.
    pub(super) fn look(&mut self, occasion: Occasion) {
        let over = self.is_over();
        self.tracker.note_end(over, self.now);
        let readable = if over { self.may_reopen() } else { self.table().mover().is_some() };
        if over && !readable {
            self.release_presses();
        }
        if self.table().clock().paused() || !self.tracker.history().known || !readable {
            return;
        }
        match self.tracker.verdict(self.now, occasion) {
            Verdict::Believe(reading) => self.believe(&reading),
            Verdict::Wait => {}
            Verdict::Ask(readings) => {
                let shared = readings.first().map_or(0, |best| self.tracker.difference(best).shared);
                self.explain_readings(occasion, shared);
                self.ask(readings);
            }
        }
    }

    // ---- questions ----

    fn ask(&mut self, readings: Vec<Reading>) {
        self.offer(readings.into_iter().map(OfferedAnswer::Reading).collect());
    }

    fn offer(&mut self, answers: Vec<OfferedAnswer>) {
        let action = |step: &Step| match &step.kind {
            StepKind::Act { action, .. } => Some(action.clone()),
            _ => None,
        };
        let new = |answer: &OfferedAnswer| match answer {
            OfferedAnswer::Reading(reading) => {
                self.tracker.difference(reading).new.iter().filter_map(action).collect()
            }
            OfferedAnswer::Proposal(action) => vec![action.clone()],
        };
        let question = Question::Which(answers.iter().map(new).collect());
        self.tracker.ask(OpenQuestion { question, answers });
    }

    /// The answers to the question which action was played.
    fn answers(&self) -> &[OfferedAnswer] {
        self.tracker.answers()
    }

    /// Answers [`Question::Which`]: the reading with this number, counted from 1, is right. Returns `false` if no reading
    /// with this number is offered.
    pub fn choose(&mut self, number: usize, at: Instant) -> bool {
        self.now = self.now.max(at);
        let chosen = number.checked_sub(1).and_then(|nth| self.answers().get(nth)).cloned();
        match chosen {
            None => false,
            Some(OfferedAnswer::Reading(reading)) => {
                self.tracker.withdraw_question();
                self.write_reading(&reading);
                // What people have answered is not read anew.
                self.settle_path();
                true
            }
            Some(OfferedAnswer::Proposal(action)) => {
                let entered = self.enter_turn(&action, at, at).is_ok();
                if !entered {
                    self.tracker.ask_again();
                }
                entered
            }
        }
    }

    /// The squares on which the offered readings differ from the table's position; empty unless they are asked about.
    pub fn squares_in_question(&self) -> Vec<Square> {
        let boards = self.answers().iter().filter_map(|answer| match answer {
            OfferedAnswer::Reading(reading) => reading.boards_from_last().next(),
            OfferedAnswer::Proposal(_) => None,
        });
        let changed = boards.fold(0, |changed, board| changed | differences(&self.tracker.pieces(), board));
        squares(changed).filter_map(Square::from_index).collect()
    }

    /// Asks what was played, if a press waits although time can tell nothing more.
    fn ask_if_stuck(&mut self) {
        if !self.press_waits() || self.tracker.is_asked() || self.tracker.rests_at() > self.now {
            return;
        }
        // What the game proposes for a board that no action explains.
        let seen = self.seen().filter(|_| self.tracker.history().kind.names_pieces());
        let proposed = seen.map(|seen| self.table().probe().proposals_for(&seen)).unwrap_or_default();
        let Some(found) = self.tracker.stuck(self.now, !proposed.is_empty()) else {
            self.offer_what_stands();
            return;
        };
        if proposed.is_empty() || found.iter().any(|reading| reading.stands_on(self.tracker.history())) {
            self.ask(found);
        } else {
            self.offer(proposed.into_iter().map(OfferedAnswer::Proposal).collect());
        }
    }

    /// However strange it is what came before: an action that stands on the board exactly is offered when no reading is left.
    fn offer_what_stands(&mut self) {
        let differs = self.tracker.differs();
        let stands: Vec<Action> = if differs { self.standing().collect() } else { Vec::new() };
        if !stands.is_empty() && self.tracker.gives_up(self.now) {
            self.offer(stands.into_iter().map(OfferedAnswer::Proposal).collect());
        }
    }

    /// For a board that only feels, without presses: asks what was done, because a piece is gone for so long that
    /// nobody holds it any more.
    pub(super) fn ask_about_missing(&mut self) {
        let found = self.tracker.missing(self.now);
        if !found.is_empty() {
            self.ask(found);
        }
    }
}
