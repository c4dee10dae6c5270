//! What a press and a typed action mean where the table and the board stand: a table of cases, which changes nothing.

#[cfg(test)]
mod tests;

use tabiya_types::{Color, Instant};

use super::super::reading::{Happening, TurnEvent};
use super::sight::Sight;
use crate::rules::{Action, Candidate, Turn};
use crate::table::Input;

/// What a press means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pressed {
    /// It counts at once: no board has to explain it.
    Counts,
    /// It ends the turn of a move that is written already.
    EndsTurn,
    /// The game has just ended. The press may belong to another reading of its end.
    AfterGame,
    /// It starts the clock of the first player, unless the board explains it otherwise.
    StartsClock,
    /// It waits until the board explains it.
    Waits,
}

/// What a typed action that takes a turn means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TypedAction {
    /// It is the action of the press that has waited longest, or belongs before this press. It counts at this time.
    SettlesPress(Instant),
    /// It is a part of the turn: it is written now.
    PartOfTurn,
    /// It is said after a move that stands on the board, which is to be settled first.
    NeedsMove,
    /// It is said after a move that is not understood yet: it is held back until then.
    AfterMove,
    /// The board has still to tell what was done before it.
    Waits,
}

/// Whether the rules want this line after a move.
fn follows_move(action: &Action) -> bool {
    matches!(action, Action::Own(own) if own.follows_move())
}

impl Sight<'_> {
    /// What a press by this player means here. `has_board`: a board is connected, even if it has reported nothing yet.
    pub(super) fn classify_press(self, by: Color, has_board: bool) -> Pressed {
        let Turn::Timed { by: mover, acted, .. } = self.table.turn() else {
            return if self.may_reopen() { Pressed::AfterGame } else { Pressed::Counts };
        };
        let (waits, started) = (self.tracker.press_waits(), self.table.clock().turn().is_some());
        if acted && by == mover && !waits {
            return Pressed::EndsTurn;
        }
        let unseen = !has_board && !self.tracker.history().known;
        let ends_nothing =
            !self.tracker.differs() && (!started || by != mover && self.tracker.path_is_empty());
        let counts = self.table.clock().paused() || self.tracker.is_auto();
        if counts || !waits && (unseen || ends_nothing) {
            Pressed::Counts
        } else if !started && by != mover {
            Pressed::StartsClock
        } else {
            Pressed::Waits
        }
    }

    /// What a typed action that takes a turn means here.
    pub(super) fn classify(self, action: &Action, at: Instant) -> TypedAction {
        let refused = |at| self.table.refusal(&Input::Game(action.clone()), at).is_some();
        let first = self.tracker.waiting_press_of(action.by());
        if let Some((_, first)) = first.or_else(|| self.tracker.waiting_presses().next()) {
            // A card that is said after a line of the other player belongs to a later turn.
            let later = !action.changes_board() && self.answered(action.by());
            let when = first.min(at);
            if !later && !refused(when) {
                return TypedAction::SettlesPress(when);
            }
        } else if !self.answers_unpressed(action) {
            return if !self.is_of_same_turn(action) {
                TypedAction::PartOfTurn
            } else if refused(at) {
                TypedAction::NeedsMove
            } else if self.waits_for_move(action) {
                TypedAction::AfterMove
            } else {
                TypedAction::PartOfTurn
            };
        }
        if follows_move(action) { TypedAction::AfterMove } else { TypedAction::Waits }
    }

    /// Whether this line belongs after a move that is not understood yet.
    pub(super) fn waits_for_move(self, action: &Action) -> bool {
        follows_move(action) && self.follows_some_move(action)
    }

    /// Whether the player to move may have acted on the board, but neither pressed nor typed it, and the other player answers.
    fn answers_unpressed(self, action: &Action) -> bool {
        let answers = |by: Color| action.by() == Some(by.other()) && self.tracker.differs();
        matches!(self.table.turn(), Turn::Timed { by, acted: false, .. } if answers(by))
    }

    /// Whether a player says this as part of the turn of his move.
    fn is_of_same_turn(self, action: &Action) -> bool {
        let mover = match self.table.turn() {
            // The previous mover may have forgotten to press.
            Turn::Timed { by, acted: true, .. } if action.by() == Some(by.other()) => action.by(),
            _ => self.table.mover(),
        };
        !action.changes_board() && action.by() == mover
    }

    /// Whether the board shows a move that is not understood yet, and the rules would accept this line after some move.
    fn follows_some_move(self, action: &Action) -> bool {
        let mut probe = self.table.probe();
        if self.has_acted() {
            probe.end_turn();
        }
        let accepts =
            |next: &Candidate| probe.after(&next.action).is_some_and(|then| then.after(action).is_some());
        let may = self.tracker.differs() && !self.table.clock().paused() && probe.mover() == action.by();
        may && self.table.refusal(&Input::Game(action.clone()), self.now).is_some()
            && probe.candidates().iter().any(accepts)
    }

    /// Whether a line of the other player waits beside the presses.
    fn answered(self, by: Option<Color>) -> bool {
        let line = |event: &TurnEvent| matches!(&event.happening, Happening::Line(line) if line.by() != by);
        self.tracker.waiting().iter().any(line) || self.tracker.said().any(|(said, _)| said.by() != by)
    }
}
