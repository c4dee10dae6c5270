//! What only the screen of one kind of game shows beside the board.

use std::any::Any;
use std::fmt;

use tabiya_types::{Color, Sentence, Square};

use super::own::own;

/// The methods of an [`OwnSight`]: what every screen can show of it without knowing the game.
pub trait SightData: Any + fmt::Debug + Send + Sync {
    /// The square of the king of the player to act, if he is known to be in check.
    fn check(&self) -> Option<Square>;
    /// The squares that the last play named; empty before the first one.
    fn last_squares(&self) -> Vec<Square>;
    /// The card that lies before a player, in words; `None` without one.
    fn card_before(&self, of: Color) -> Option<Sentence>;
}

own! {
    /// What one kind of game shows beside the board. Only the screen of that kind of game reads the whole of it.
    OwnSight of SightData
}
