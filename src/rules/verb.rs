//! The record's words for the actions that several games share.

/// The shared actions by their words. A game says which of them it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// `deal`
    Deal,
    /// `bet`
    Bet,
    /// `reveal`
    Reveal,
    /// `place`
    Place,
    /// `correct`
    Correct,
    /// `fouled`
    Fouled,
    /// `move`
    Move,
    /// `resign`
    Resign,
    /// `offer-draw`
    OfferDraw,
    /// `accept-draw`
    AcceptDraw,
    /// `decline-draw`
    DeclineDraw,
    /// `claim-draw`
    ClaimDraw,
}

impl Verb {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Deal,
        Self::Bet,
        Self::Reveal,
        Self::Place,
        Self::Correct,
        Self::Fouled,
        Self::Move,
        Self::Resign,
        Self::OfferDraw,
        Self::AcceptDraw,
        Self::DeclineDraw,
        Self::ClaimDraw,
    ];

    /// Those of the chess phase.
    pub const CHESS: [Self; 6] =
        [Self::Move, Self::Resign, Self::OfferDraw, Self::AcceptDraw, Self::DeclineDraw, Self::ClaimDraw];

    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deal => "deal",
            Self::Bet => "bet",
            Self::Reveal => "reveal",
            Self::Place => "place",
            Self::Correct => "correct",
            Self::Fouled => "fouled",
            Self::Move => "move",
            Self::Resign => "resign",
            Self::OfferDraw => "offer-draw",
            Self::AcceptDraw => "accept-draw",
            Self::DeclineDraw => "decline-draw",
            Self::ClaimDraw => "claim-draw",
        }
    }

    /// The action of a record's word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.word() == word)
    }
}
