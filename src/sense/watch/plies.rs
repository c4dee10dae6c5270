//! The settled actions, which the board may still turn out to have meant otherwise.

use std::collections::VecDeque;

use tabiya_types::{Color, Instant};

use crate::table::{Input, Probe};

/// How many earlier positions are recognised when they are set up again.
pub(super) const PLIES_BACK: usize = 10;

/// A settled action and the position it was made in.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    pub(super) before: Probe,
    /// What its turn began with and an undo takes back too: the card turned over.
    pub(super) opening: Vec<Input>,
    /// How its turn ended.
    pub(super) end: End,
    /// When it happened.
    pub(super) ended: Instant,
    /// When it was settled.
    pub(super) at: Instant,
    /// What the board showed before this is explained by it: since when it stood there, or its end.
    pub(super) told: Instant,
}

/// How a settled action's turn ended, for understanding it anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// By its own press.
    Press(Color, Instant),
    /// By what the opponent did: the press was forgotten.
    Implied,
    /// It stood long enough.
    Alone(Instant),
    /// Not yet, or with the game.
    Open,
    /// A person typed the action: nothing that the board shows changes it.
    Typed,
}

/// The last few settled actions, and what the running turn began with.
#[derive(Clone, Debug, Default)]
pub(super) struct Plies {
    plies: VecDeque<Ply>,
    opening: Vec<Input>,
}

impl Plies {
    /// The settled actions, the first one first.
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

    /// What the running turn began with.
    pub(super) fn opening(&self) -> &[Input] {
        &self.opening
    }

    /// The running turn begins with this.
    pub(super) fn open_with(&mut self, input: Input) {
        self.opening.push(input);
    }

    /// What the running turn began with is taken back.
    pub(super) fn close_turn(&mut self) {
        self.opening.clear();
    }

    /// An action was settled: it and what its turn began with.
    pub(super) fn add(&mut self, before: Probe, at: Instant, end: End) {
        if self.plies.len() == PLIES_BACK {
            self.plies.pop_front();
        }
        let opening = std::mem::take(&mut self.opening);
        self.plies.push_back(Ply { before, opening, end, ended: at, at, told: at });
    }

    /// The press of an action that was taken before it came.
    pub(super) fn note_press(&mut self, by: Color, at: Instant) {
        if let Some(ply) = self.plies.back_mut()
            && matches!(ply.end, End::Open | End::Alone(_))
            && ply.before.mover() == Some(by)
        {
            (ply.end, ply.ended) = (End::Press(by, at), at);
        }
    }

    /// The last action was taken back.
    pub(super) fn pop(&mut self) {
        self.plies.pop_back();
    }

    /// The last so many actions were taken back, and what the running turn began with.
    pub(super) fn take_back(&mut self, count: usize) {
        self.plies.truncate(self.plies.len().saturating_sub(count));
        self.opening.clear();
    }

    /// An undo would now take back something else first.
    pub(super) fn clear(&mut self) {
        self.plies.clear();
    }
}
