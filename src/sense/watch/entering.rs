//! What people type, and what readers of cards tell.
//!
//! Rule 9 of "How a live table understands" (`docs/record.md`).

use tabiya_types::Instant;

use super::super::explain::Waiting;
use super::super::explanation::SearchResult;
use super::Watch;
use super::presses::Scrutiny;
use crate::rules::{Action, Turn, Violation};
use crate::table::{Common, Input, Stamp};

impl Watch {
    /// A line typed by a person or known by a reader. On `Err` nothing was written.
    pub fn enter(&mut self, input: &Input, at: Instant) -> Result<(), Violation> {
        self.enter_late(input, at, at)
    }

    /// The same, for a line that tells of something that happened at `at` and arrives at `now`.
    pub fn enter_late(&mut self, input: &Input, at: Instant, now: Instant) -> Result<(), Violation> {
        self.pass(now);
        if self.tracker.scene().is_over()
            && !matches!(input, Input::Common(Common::Press(_) | Common::Undo { .. }))
        {
            self.tracker.let_presses_go(now);
        }
        match input {
            Input::Common(Common::Press(by)) => self.tracker.press(*by, at, now),
            // While a press waits, time is not read on (record, "How lines act" 1).
            Input::Common(Common::Tick) if self.tracker.waiting.has_press() => Ok(()),
            _ => self.enter_other(input, at, now),
        }
    }

    fn enter_other(&mut self, input: &Input, happened: Instant, at: Instant) -> Result<(), Violation> {
        match input {
            Input::Common(Common::Undo { .. }) if self.tracker.waiting.has_press() => {
                self.tracker.drop_last_press(at);
                Ok(())
            }
            Input::Common(Common::Undo { .. } | Common::Redo { .. }) => {
                self.tracker.write(input.clone(), at, None)?;
                self.tracker.step_back();
                Ok(())
            }
            Input::Common(Common::Rule(ruling)) => {
                if ruling.winner.is_some() {
                    self.tracker.take_standing_action(at);
                }
                self.tracker.write(input.clone(), at, None)?;
                if ruling.fen.is_some() {
                    self.tracker.waiting.clear();
                }
                self.tracker.forget_plies();
                Ok(())
            }
            Input::Common(Common::Next(_) | Common::EndMatch { .. }) => {
                self.tracker.take_standing_action(at);
                self.tracker.write(input.clone(), at, None)?;
                self.tracker.waiting.clear();
                self.tracker.forget_plies();
                Ok(())
            }
            Input::Game(action) if action.takes_turn() => self.enter_turn(input, action, happened, at),
            Input::Common(_) | Input::Game(_) if self.would_flag(at) => {
                let again =
                    |item: &Waiting| matches!(item, Waiting::Held { input: held, .. } if held == input);
                if !self.tracker.waiting.last().is_some_and(again) {
                    self.tracker.waiting.push(Waiting::Held { input: input.clone(), at });
                }
                Ok(())
            }
            Input::Common(_) | Input::Game(_) => {
                if self.stops_the_clock(input, at) {
                    self.tracker.take_standing_action(at);
                }
                self.tracker.write(input.clone(), at, None)?;
                // An undo would now take back this line first.
                self.tracker.plies.clear();
                if matches!(input, Input::Common(Common::Resume(_))) {
                    self.tracker.looked_at = None;
                    self.tracker.try_waiting(at, Scrutiny::Long);
                }
                Ok(())
            }
        }
    }

    /// Whether a line at this moment would let a flag fall that a waiting press may have forestalled.
    fn would_flag(&self, at: Instant) -> bool {
        self.tracker.waiting.has_press() && self.table().deadline().is_some_and(|due| due <= at)
    }

    /// Whether an action that stands on the board has to be taken before this line.
    fn stops_the_clock(&self, input: &Input, at: Instant) -> bool {
        if matches!(input, Input::Common(Common::Pause(_))) {
            return true;
        }
        let mut then = self.table().clone();
        let running = then.game().outcome().is_none();
        running && then.apply(input, Stamp::new(at, 0)).is_ok() && then.game().outcome().is_some()
    }

    fn enter_turn(
        &mut self,
        input: &Input,
        action: &Action,
        happened: Instant,
        at: Instant,
    ) -> Result<(), Violation> {
        self.tracker.question = None;
        if self.tracker.waiting.is_empty() && self.tracker.scene().auto() {
            // What stands on the board was made at its last change, not when somebody replied.
            self.tracker.take_standing_action(at);
        }
        let late = Some(happened).filter(|happened| *happened < at);
        if self.tracker.waiting.is_empty() {
            if let Turn::Timed { by, acted: false, .. } = self.table().turn()
                && action.by() == Some(by.other())
                && self.tracker.sight.known()
                && self.tracker.sight.board() != self.tracker.scene().expected()
            {
                self.enter_reply(input, happened, at);
                return Ok(());
            }
            return self.tracker.write_turn(input, at, late);
        }
        let first_press = self.tracker.waiting.first_press().map(|(_, at)| at);
        let when = first_press.map(|press| press.min(happened)).or(late);
        // What the table would take now comes before the press that waits.
        if self.table().clone().apply(input, Stamp::new(when.unwrap_or(at), 0)).is_ok() {
            self.tracker.write_turn(input, at, when)?;
            if self.tracker.scene().turn_is_typed() {
                // (9) typed by hand: it settles the earliest waiting press.
                self.tracker.settle_first_press(at);
            }
            if self.tracker.waiting.has_press() {
                self.tracker.try_waiting(at, Scrutiny::Long);
            } else {
                self.tracker.let_held_lines_come(at);
            }
            return Ok(());
        }
        self.tracker.waiting.push(Waiting::Held { input: input.clone(), at: happened });
        Ok(())
    }

    /// The opponent's line counts as the press of an action that only the board shows.
    fn enter_reply(&mut self, input: &Input, happened: Instant, at: Instant) {
        let held = Waiting::Held { input: input.clone(), at: happened };
        if let SearchResult::Is(way) =
            self.tracker.case().explained(&self.table().probe(), std::slice::from_ref(&held), None)
        {
            self.tracker.write_explanation(&way, at, true);
        } else {
            self.tracker.waiting.push(held);
        }
    }
}
