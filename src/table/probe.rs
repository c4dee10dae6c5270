//! Looking ahead from a table without touching it: what could be done, and how the board would look.

use tabiya_types::{Board, Color};

use super::standing::BoardPair;
use crate::rules::{Action, Candidate, Context, Game, Outcome, Turn};

/// A game and its physical board, to be played on by way of trial. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Probe {
    game: Box<dyn Game>,
    standing: BoardPair,
}

impl Probe {
    pub(super) fn new(game: Box<dyn Game>, standing: BoardPair) -> Self {
        Self { game, standing }
    }

    /// The board as a sensor would see it.
    pub fn physical(&self) -> Board {
        self.standing.physical()
    }

    /// Whose timed turn it is.
    pub fn mover(&self) -> Option<Color> {
        match self.game.turn() {
            Turn::Timed { by, .. } => Some(by),
            Turn::Untimed => None,
        }
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// What the player to act may do on the board, with the board as a sensor would see it after.
    /// Where a stand-in was declared, a piece that looks like it is it.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.as_seen(self.game.candidates())
    }

    /// The same, of what leaves the board as a sensor sees it here, and perhaps of more.
    pub fn candidates_for(&self, seen: &Board) -> Vec<Candidate> {
        let mut wanted = *seen;
        let (logical, physical) = (self.game.board(), self.standing.physical());
        // What stands in for another piece and has not moved is still that piece.
        for square in self.standing.stand_ins().filter(|square| seen[*square] == physical[*square]) {
            wanted[square] = logical[square];
        }
        self.as_seen(self.game.candidates_for(&wanted))
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

    /// The same after an action; `None` if it cannot be. The turn is not over yet.
    #[must_use]
    pub fn after(&self, action: &Action) -> Option<Self> {
        let mut next = self.clone();
        next.game.apply(action, Context::default()).ok()?;
        next.standing.follow(&next.game.board(), action.stand_in());
        Some(next)
    }

    /// The same after an action and the press that ends its turn.
    #[must_use]
    pub fn after_turn(&self, action: &Action) -> Option<Self> {
        let mut next = self.after(action)?;
        next.end_turn();
        Some(next)
    }

    /// Ends the turn of a player who has acted.
    pub fn end_turn(&mut self) {
        self.game.end_turn();
        self.standing.follow(&self.game.board(), None);
    }
}
