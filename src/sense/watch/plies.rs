//! The last settled actions. Later pictures of the board may show that one of them was in fact another action.

use std::collections::VecDeque;

use tabiya_types::{Color, Instant};

use crate::table::{Input, Probe};

/// How many earlier positions the tracker recognises when people set them up again.
pub(super) const PLIES_BACK: usize = 10;

/// A settled action, and the position in which it was made.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    pub(super) before: Probe,
    /// The inputs that came before the action in the same turn, such as a card turned over. An undo of the action takes
    /// these inputs back too.
    pub(super) opening: Vec<Input>,
    /// How the turn ended in which the action was made.
    pub(super) end: End,
    /// The time at which the turn ended in which the action was made.
    pub(super) ended: Instant,
    /// The time at which the tracker settled the action.
    pub(super) at: Instant,
    /// All pictures that the board showed up to this moment fit this action and the actions before it.
    pub(super) explained_until: Instant,
}

/// How the turn ended in which a settled action was made. The tracker needs this if later pictures of the board show
/// that another action was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The turn ended with a press by this side at this moment.
    Press(Color, Instant),
    /// The turn ended with the opponent's next action, because the press was forgotten.
    Implied,
    /// The turn ended without a press, because the board showed the action for the settling time. The field is the
    /// moment of the board's last change before the action was settled.
    Unpressed(Instant),
    /// The turn has not ended yet, or it ended because the game ended.
    Open,
    /// A person typed the action, so pictures of the board never change it.
    Typed,
}

/// The last few settled actions, and the inputs at the beginning of the current turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Plies {
    plies: VecDeque<Ply>,
    opening: Vec<Input>,
}

impl Plies {
    /// The settled actions, the oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Ply> + ExactSizeIterator {
        self.plies.iter()
    }

    pub(super) fn get(&self, nth: usize) -> Option<&Ply> {
        self.plies.get(nth)
    }

    pub(super) fn last(&self) -> Option<&Ply> {
        self.plies.back()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Ply> {
        self.plies.back_mut()
    }

    pub(super) fn len(&self) -> usize {
        self.plies.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// The inputs at the beginning of the current turn.
    pub(super) fn opening(&self) -> &[Input] {
        &self.opening
    }

    /// Adds an input at the beginning of the current turn, such as a card turned over.
    pub(super) fn open_with(&mut self, input: Input) {
        self.opening.push(input);
    }

    /// Forgets the inputs at the beginning of the current turn.
    pub(super) fn close_turn(&mut self) {
        self.opening.clear();
    }

    /// Adds an action that was just settled. The inputs at the beginning of the current turn now belong to
    /// this action.
    pub(super) fn add(&mut self, before: Probe, at: Instant, end: End) {
        if self.plies.len() == PLIES_BACK {
            self.plies.pop_front();
        }
        let opening = std::mem::take(&mut self.opening);
        self.plies.push_back(Ply { before, opening, end, ended: at, at, explained_until: at });
    }

    /// Stores a press by the side `by` as the end of the last action's turn. This happens only if that action belongs
    /// to `by` and was settled before its press came.
    pub(super) fn note_press(&mut self, by: Color, at: Instant) {
        if let Some(ply) = self.plies.back_mut()
            && matches!(ply.end, End::Open | End::Unpressed(_))
            && ply.before.mover() == Some(by)
        {
            (ply.end, ply.ended) = (End::Press(by, at), at);
        }
    }

    /// Removes the last action, which was taken back.
    pub(super) fn pop(&mut self) {
        self.plies.pop_back();
    }

    /// Removes the last `count` actions, which were taken back, and the inputs at the beginning of the current
    /// turn.
    pub(super) fn take_back(&mut self, count: usize) {
        self.plies.truncate(self.plies.len().saturating_sub(count));
        self.opening.clear();
    }

    /// Forgets all settled actions. Called after a newer line was written to the record. An undo would now first take
    /// back that newer line, so the settled actions can no longer be replaced.
    pub(super) fn clear(&mut self) {
        self.plies.clear();
    }
}
