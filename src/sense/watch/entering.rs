//! Lines that people type or that card readers report.
//!
//! This file implements rule 9 of `docs/record.md`, "What was seen, and what was understood".

use tabiya_types::Instant;

use super::super::explain::Waiting;
use super::super::explanation::SearchResult;
use super::Watch;
use super::presses::Scrutiny;
use crate::rules::{Action, Turn, Violation};
use crate::table::{Common, Input, Stamp};

impl Watch {
    /// Enters a line that a person typed or a card reader reported. On `Err` the rules refused the line, and
    /// it was not written.
    pub fn enter(&mut self, input: &Input, at: Instant) -> Result<(), Violation> {
        self.enter_late(input, at, at)
    }

    /// Enters a line about something that happened at `at` but is entered only at `now`. On `Err` the rules
    /// refused the line, and it was not written.
    pub fn enter_late(&mut self, input: &Input, at: Instant, now: Instant) -> Result<(), Violation> {
        self.pass(now);
        if self.tracker.scene().is_over()
            && !matches!(input, Input::Common(Common::Press(_) | Common::Undo { .. }))
        {
            self.tracker.release_presses(now);
        }
        match input {
            Input::Common(Common::Press(by)) => self.tracker.press(*by, at, now),
            // No `tick` line is written while a press waits for an explanation, because that press may have been made
            // before the flag fell (`docs/record.md`, "How lines act", rule 1).
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
                // The next undo would take back this new line first. So the actions settled before this line can no
                // longer be replaced.
                self.tracker.plies.clear();
                if matches!(input, Input::Common(Common::Resume(_))) {
                    self.tracker.looked_at = None;
                    self.tracker.try_waiting(at, Scrutiny::Long);
                }
                Ok(())
            }
        }
    }

    /// Whether a line that is written at this moment would make a flag fall, although a press that still waits for an
    /// explanation may have been made in time.
    fn would_flag(&self, at: Instant) -> bool {
        self.tracker.waiting.has_press() && self.table().deadline().is_some_and(|due| due <= at)
    }

    /// Whether this line pauses or ends the game. An action that the board shows must be written before this
    /// line.
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
            // Settle the action that the board shows, with the time of the board's last change. The action was made
            // then, and not at the time of the opponent's reply.
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
        // If the rules accept the action now, it was made before the waiting press.
        if self.table().clone().apply(input, Stamp::new(when.unwrap_or(at), 0)).is_ok() {
            self.tracker.write_turn(input, at, when)?;
            if self.tracker.scene().turn_is_typed() {
                // A typed action settles the earliest waiting press (rule 9 of `docs/record.md`, "What was
                // seen, and what was understood").
                self.tracker.settle_first_press(at);
            }
            if self.tracker.waiting.has_press() {
                self.tracker.try_waiting(at, Scrutiny::Long);
            } else {
                self.tracker.write_held_lines(at);
            }
            return Ok(());
        }
        self.tracker.waiting.push(Waiting::Held { input: input.clone(), at: happened });
        Ok(())
    }

    /// Enters the opponent's action, which is the reply to an action that the board shows but that was neither typed
    /// nor pressed. The reply counts as the missing press.
    fn enter_reply(&mut self, input: &Input, happened: Instant, at: Instant) {
        let held = Waiting::Held { input: input.clone(), at: happened };
        if let SearchResult::Unique(explanation) =
            self.tracker.case().explained(&self.table().probe(), std::slice::from_ref(&held), None)
        {
            self.tracker.write_explanation(&explanation, at, true);
        } else {
            self.tracker.waiting.push(held);
        }
    }
}
