//! Trying actions on a copy of a game without changing the table.

use tabiya_types::{Board, Color};

use super::standing::BoardPair;
use crate::rules::{Action, Candidate, Context, Game, Outcome, Turn};

/// A copy of a game and its boards on which actions can be tried. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Probe {
    game: Box<dyn Game>,
    standing: BoardPair,
}

impl Probe {
    pub(super) fn new(game: Box<dyn Game>, standing: BoardPair) -> Self {
        Self { game, standing }
    }

    /// The physical board, as a sensor would see it.
    pub fn physical(&self) -> Board {
        self.standing.physical()
    }

    /// The player whose timed turn it is; `None` if no turn is timed.
    pub fn mover(&self) -> Option<Color> {
        match self.game.turn() {
            Turn::Timed { by, .. } => Some(by),
            Turn::Untimed => None,
        }
    }

    /// The outcome of the game; `None` while it is running.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// The legal actions that change the board, for the player whose turn it is, each with the physical board after it.
    /// With a declared stand-in, two actions can lead to the same physical board: one with the stand-in, and one with
    /// an ordinary piece. Then only the action with the stand-in is included.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.as_seen(self.game.candidates())
    }

    /// The actions that lead to exactly the position `seen` on the physical board and that [`Probe::candidates`] does
    /// not list, because the game has too many actions to list.
    pub fn candidates_for(&self, seen: &Board) -> Vec<Candidate> {
        let meant = self.standing.meant_by(&self.logical_of(seen), seen);
        let explains = |board: &Board| {
            let mut candidates = self.as_seen(self.game.candidates_for(board));
            candidates.retain(|candidate| candidate.after == *seen);
            candidates
        };
        meant.iter().map(explains).find(|candidates| !candidates.is_empty()).unwrap_or_default()
    }

    /// Actions that may explain the position `seen` on the physical board, which no candidate explains. They are for people
    /// to accept or to put right.
    pub fn proposals_for(&self, seen: &Board) -> Vec<Action> {
        let meant = self.standing.meant_by(&self.logical_of(seen), seen);
        let mut proposals: Vec<Action> = Vec::new();
        for action in meant.iter().flat_map(|board| self.game.proposals_for(board)) {
            let shows = || self.after(&action).is_some_and(|after| after.physical() == *seen);
            if (self.standing.is_plain() || shows()) && !proposals.contains(&action) {
                proposals.push(action);
            }
        }
        proposals
    }

    /// The logical board behind a physical one: a stand-in that has not moved still represents its piece.
    fn logical_of(&self, seen: &Board) -> Board {
        let mut logical = *seen;
        let (counted, physical) = (self.game.board(), self.standing.physical());
        for square in self.standing.stand_ins().filter(|square| seen[*square] == physical[*square]) {
            logical[square] = counted[square];
        }
        logical
    }

    fn as_seen(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        if self.standing.is_plain() {
            return candidates;
        }
        let mut shown_by_others = Vec::new();
        for candidate in &mut candidates {
            let (after, declared) = self.standing.physical_of(&candidate.after, candidate.action.stand_in());
            candidate.after = after;
            shown_by_others.extend(declared.then_some(after));
        }
        let mut taken: Vec<Board> = Vec::new();
        candidates.sort_by_key(|candidate| !shown_by_others.contains(&candidate.after));
        candidates.retain(|candidate| {
            let again = taken.contains(&candidate.after);
            taken.extend((shown_by_others.contains(&candidate.after) && !again).then_some(candidate.after));
            !again
        });
        candidates
    }

    /// A copy after this action, with the turn not yet ended; `None` if the action is not legal.
    #[must_use]
    pub fn after(&self, action: &Action) -> Option<Self> {
        let mut next = self.clone();
        next.game.apply(action, Context::default()).ok()?;
        next.standing.follow(&next.game.board(), action.stand_in());
        Some(next)
    }

    /// A copy after this action and the press that ends its turn; `None` if the action is not legal.
    #[must_use]
    pub fn after_turn(&self, action: &Action) -> Option<Self> {
        let mut next = self.after(action)?;
        next.end_turn();
        Some(next)
    }

    /// A copy after this typed action. If it changes the board, its turn has ended; `None` if the action is not legal.
    #[must_use]
    pub fn after_line(&self, action: &Action) -> Option<Self> {
        if action.changes_board() { self.after_turn(action) } else { self.after(action) }
    }

    /// Ends the turn of a player who has acted.
    pub fn end_turn(&mut self) {
        self.game.end_turn();
        self.standing.follow(&self.game.board(), None);
    }
}
