//! The betting actions that a player can announce.

use super::chips::Chips;

/// A betting action as the player announces it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bet {
    /// The player gives up the pot.
    Fold,
    /// The player passes; allowed only if there is nothing to call.
    Check,
    /// The player matches the bet, or puts in the whole stack if that is less.
    Call,
    /// The player bets or raises. The number is the total of the player's chips on this street after that.
    Raise(Chips),
    /// The player bets the whole stack.
    AllIn,
}

impl Bet {
    /// The record's word for the betting action.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Check => "check",
            Self::Call => "call",
            Self::Raise(_) => "raise",
            Self::AllIn => "all-in",
        }
    }
}
