//! The record's words for the actions that several games share.

/// The shared kinds of action, named by the record's words. Each game declares which of them it supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// The record's word `deal`: the cards of a street are dealt.
    Deal,
    /// The record's word `bet`: a player bets.
    Bet,
    /// The record's word `reveal`: a player turns a card over.
    Reveal,
    /// The record's word `place`: a player places a piece.
    Place,
    /// The record's word `correct`: a wrongly placed piece is corrected.
    Correct,
    /// The record's word `fouled`: the deck or the deal is declared fouled.
    Fouled,
    /// The record's word `move`: a player makes a chess move.
    Move,
    /// The record's word `resign`: a player resigns.
    Resign,
    /// The record's word `offer-draw`: a player offers a draw.
    OfferDraw,
    /// The record's word `accept-draw`: a player accepts a draw offer.
    AcceptDraw,
    /// The record's word `decline-draw`: a player declines a draw offer.
    DeclineDraw,
    /// The record's word `claim-draw`: a player claims a draw.
    ClaimDraw,
}

impl Verb {
    /// All shared kinds of action.
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

    /// The kinds of action of the chess phase.
    pub const CHESS: [Self; 6] =
        [Self::Move, Self::Resign, Self::OfferDraw, Self::AcceptDraw, Self::DeclineDraw, Self::ClaimDraw];

    /// The record's word for this kind of action.
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

    /// The kind of action for a word of the record; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.word() == word)
    }
}
