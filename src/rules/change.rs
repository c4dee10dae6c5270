//! The changes that an arbiter's ruling makes to a running game.

use std::any::Any;
use std::fmt;

use tabiya_types::{BySeat, Color, Sentence};

use super::datum::Group;
use super::own::own;
use super::stakes::Stakes;

/// A change that an arbiter's ruling makes to a running game. A game refuses a change that it does not support.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Sets another position in the chess phase, given as a complete FEN.
    Position(String),
    /// Gives the turn to this player.
    ToAct(Color),
    /// Sets the players' chips.
    Stakes(Stakes),
    /// A change that only one kind of game supports.
    Own(OwnChange),
}

/// The methods of an [`OwnChange`].
pub trait ChangeData: Any + fmt::Debug + Send + Sync {
    /// The fields that the change sets, as the field `set` of the ruling's line contains them.
    fn fields(&self) -> Group;
    /// The change for people, who have these names: one sentence for each value that it sets.
    fn describe(&self, _players: &BySeat<String>) -> Vec<Sentence> {
        Vec::new()
    }
}

own! {
    /// A change by a ruling that only one kind of game supports. The table passes the change on; only that kind of
    /// game reads its contents.
    OwnChange of ChangeData
}
