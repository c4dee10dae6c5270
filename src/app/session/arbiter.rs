//! What FIDE's Laws have the arbiter count: illegal moves and their penalties.
//!
//! Source: Laws of Chess 2023, Art. 7.5 (what is illegal), 7.5.5 (first: two minutes for the opponent;
//! second: the game), A.3 (rapid and blitz: one minute). The count is of this sitting: a refused line
//! is no line of the record, so that a start after a crash counts from nothing.

use super::Session;
use crate::clock::{Millis, TimeControl};
use crate::rules::{Color, Violation};
use crate::table::{Common, Input, Voice};

/// A game in which each player has less than this for sixty moves is rapid or blitz.
const STANDARD: Millis = Millis(3_600_000);

impl Session {
    /// A typed line was refused: if the Laws count it, the arbiter is told.
    pub(super) fn count_refusal(&mut self, input: &Input, violation: &Violation) {
        let by = match input {
            Input::Game(action) if action.takes_turn() => action.by(),
            Input::Common(Common::Press(by)) => Some(*by),
            Input::Game(_) | Input::Common(_) => None,
        };
        if let Some(by) = by
            && matches!(violation.rule, "illegal-move" | "press-too-early")
        {
            self.count_illegal(by);
        }
    }

    /// One more illegal move by this side, and what the Laws make of it. Casually it is just put right.
    pub(super) fn count_illegal(&mut self, by: Color) {
        if self.table().terms().voice != Voice::Event || self.table().phase() != "chess" {
            return;
        }
        self.illegal[by] += 1;
        let (count, other) = (self.illegal[by], by.other());
        let seat = if self.table().seat_of(other) == crate::rules::Seat::A { "A" } else { "B" };
        let text = if count == 1 {
            let minutes = if self.is_standard(by) { 2 } else { 1 };
            format!(
                "{by}'s illegal move number 1 of this game, if it was one: put it right, and {other} gains {minutes} min \
                 (Laws 7.5.5): `rule clock {1} +{0} illegal move`",
                minutes * 60,
                other.word(),
            )
        } else {
            format!(
                "{by}'s illegal move number {count} of this game, if it was one: {by} loses, or draws if {other} cannot \
                 mate (Laws 7.5.5): `rule winner {seat} second illegal move`"
            )
        };
        self.tell_arbiter(text);
    }

    /// Whether this is neither rapid nor blitz.
    fn is_standard(&self, side: Color) -> bool {
        let setting = self.table().terms().setting(self.table().white());
        match &setting.controls[side] {
            TimeControl::Untimed => true,
            TimeControl::Stages(stages) => {
                let whole =
                    stages.iter().map(|stage| stage.base.0 + 60 * stage.increment.0 / stages.len() as u64);
                whole.sum::<u64>() >= STANDARD.0
            }
        }
    }
}
