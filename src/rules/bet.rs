//! What a player says in betting.

use super::chips::Chips;

/// A betting action as a player says it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bet {
    /// Gives up the pot.
    Fold,
    /// Passes with nothing to call.
    Check,
    /// Matches the bet, or as much as the stack allows.
    Call,
    /// Raises, or opens, to this total on the street.
    Raise(Chips),
    /// The whole stack.
    AllIn,
}

impl Bet {
    /// The record's word.
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
