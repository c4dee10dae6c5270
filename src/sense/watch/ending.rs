//! Which steps of a reading may be written, and when the turn of a step ended.

use tabiya_types::Instant;

use super::super::history::{FELT, differences, is_of, squares};
use super::super::kept::PositionKey;
use super::super::position::ReachedPosition;
use super::super::reading::{Reading, Step, StepKind, TurnEvent};
use super::sight::Sight;
use crate::table::Voice;

impl Sight<'_> {
    /// The steps that may be written: a press by mistake may still be cancelled, and a press that ends nothing may
    /// still turn out to end something.
    pub(super) fn certain(self, reading: &Reading) -> Vec<Step> {
        let mut steps = reading.steps.clone();
        let mistake = steps.iter().rposition(|step| step.kind == StepKind::Mistake);
        steps.truncate(mistake.filter(|_| reading.mistaken).unwrap_or(steps.len()));
        let last = reading.boards_from_last().next().copied();
        let last = last.unwrap_or_else(|| self.tracker.first_pieces());
        if self.tracker.history().shown(last) != self.tracker.history().grid && !self.is_over() {
            while steps.pop_if(|step| step.kind == StepKind::Idle).is_some() {}
        }
        steps
    }

    /// When the turn of this step ended. A press that ended something which no rule allows does not count before the board was
    /// right: until then it was its player's time that ran, and that was shown (`docs/record.md`, rule 2). At an event the
    /// clocks stay as they were pressed, and the arbiter decides. `answered`: when the other player's answer ended.
    pub(super) fn ended_at(self, step: &Step, answered: Option<Instant>) -> Instant {
        let pressed = step.mark.at;
        if self.table.terms().voice == Voice::Event {
            return pressed;
        }
        let event = step.events.checked_sub(1).and_then(|nth| self.tracker.event(nth));
        let event = event.filter(|event| event.press() == Some((step.by, pressed)));
        let right = event.and_then(|event| self.put_right_at(step, event));
        right
            .filter(|right| {
                *right >= pressed + self.tracker.settling_time()
                    && answered.is_none_or(|answered| answered > *right)
            })
            .unwrap_or(pressed)
    }

    /// When the board showed all of this step, if its press ended something else: a piece of its player stood on a square that
    /// the action has nothing to do with. `None` if none did, if it still stands there, or if the rules allowed what the board
    /// showed.
    fn put_right_at(self, step: &Step, pressed: &TurnEvent) -> Option<Instant> {
        let history = self.tracker.history();
        let [before, after] = [self.tracker.pieces(), step.pieces].map(|pieces| history.shown(pieces));
        let is_strange = |square: &usize| {
            let seen = pressed.grid[*square];
            let own = if history.kind.names_pieces() { is_of(seen, step.by) } else { seen == FELT };
            before[*square] == after[*square] && own
        };
        let strange: Vec<usize> = squares(differences(&pressed.grid, &after)).filter(is_strange).collect();
        let position =
            || ReachedPosition::new(PositionKey::default(), self.table.probe(), Vec::new(), history);
        if strange.is_empty() || position().allows(&pressed.grid, history) {
            return None;
        }
        let first_right = |square| history.first_shown(square, pressed.mark, after[square]);
        strange.into_iter().try_fold(step.shown, |last, square| Some(last.max(first_right(square)?)))
    }
}
