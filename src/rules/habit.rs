//! What a simulated player does besides moving, placing and betting. Each game that has more than that answers it.
//!
//! Chance is an argument: the same numbers give the same match.

use tabiya_types::{Board, Color, Square};

use super::action::Action;
use super::offer::Offer;

/// What a simulated player knows when it is his turn to do something.
pub struct SimulatedTurn<'a> {
    /// What the table accepts from the game now.
    pub offers: &'a [Offer],
    /// Whose turn it is; `None` while no clock runs.
    pub mover: Option<Color>,
    /// Whether some action that changes the board is legal.
    pub can_move: bool,
    /// The pieces as they stand.
    pub board: Board,
    /// The lines with which a player draws the cards of the players' own file; none without a file.
    pub own_draws: &'a dyn Fn(Color) -> Vec<Action>,
    /// Whether the table would accept this action now.
    pub accepts: &'a dyn Fn(&Action) -> bool,
    /// A random whole number below the given one; 0 if that is 0 or 1.
    pub chance: &'a mut dyn FnMut(u64) -> u64,
}

impl SimulatedTurn<'_> {
    /// A random index below `count`; 0 if there is none.
    pub fn index(&mut self, count: usize) -> usize {
        usize::try_from((self.chance)(count as u64)).unwrap_or(0)
    }

    /// One of these at random; `None` if there are none.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let nth = self.index(from.len().max(1));
        from.get(nth).cloned()
    }
}

/// What a simulated player does.
#[derive(Clone, PartialEq, Debug)]
pub enum Habit {
    /// He says or lays something, which is entered at once.
    Says(Action),
    /// The same, and what follows takes longer: cards are dealt, or moved about on the table.
    SaysSlowly(Action),
    /// He takes the piece on this square off the board, and the board has to tell it.
    TakesOff(Square),
}
