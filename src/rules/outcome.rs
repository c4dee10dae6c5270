//! How games end, and why.

use std::fmt;
use std::hash::{Hash, Hasher};

use tabiya_types::{Color, Sentence, say};

/// Why a game ended, with the record's words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Gave up the pot in betting.
    Fold,
    /// Mate.
    Checkmate,
    /// Time ran out.
    Timeout,
    /// Gave up in placement or chess.
    Resignation,
    /// No legal move, no check.
    Stalemate,
    /// The same position three times.
    Repetition,
    /// The same position five times.
    FivefoldRepetition,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Time ran out against a player who cannot mate.
    TimeoutVsInsufficientMaterial,
    /// Fifty moves without capture or pawn move, claimed.
    FiftyMoves,
    /// Seventy-five such moves.
    SeventyFiveMoves,
    /// Agreed.
    Agreement,
    /// The arbiter said so.
    Ruling,
    /// A second false piece.
    FalseDeclaration,
    /// The deck or the deal was wrong.
    FouledDeck,
    /// What ends only one game.
    Own(OwnReason),
}

/// A reason that only one game has. Two are the same if their words are.
#[derive(Clone, Copy)]
pub struct OwnReason {
    /// The record's word.
    pub word: &'static str,
    /// The same for people.
    pub sentence: fn() -> Sentence,
}

impl PartialEq for OwnReason {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Eq for OwnReason {}

impl Hash for OwnReason {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.word.hash(to);
    }
}

impl fmt::Debug for OwnReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

impl Reason {
    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Checkmate => "checkmate",
            Self::Timeout => "timeout",
            Self::Resignation => "resignation",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FivefoldRepetition => "fivefold-repetition",
            Self::InsufficientMaterial => "insufficient-material",
            Self::TimeoutVsInsufficientMaterial => "timeout-vs-insufficient-material",
            Self::FiftyMoves => "fifty-moves",
            Self::SeventyFiveMoves => "seventy-five-moves",
            Self::Agreement => "agreement",
            Self::Ruling => "ruling",
            Self::FalseDeclaration => "false-declaration",
            Self::FouledDeck => "fouled-deck",
            Self::Own(own) => own.word,
        }
    }

    /// The same for people.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Fold => say!("reason-fold", "fold"),
            Self::Checkmate => say!("reason-checkmate", "checkmate"),
            Self::Timeout => say!("reason-timeout", "timeout"),
            Self::Resignation => say!("reason-resignation", "resignation"),
            Self::Stalemate => say!("reason-stalemate", "stalemate"),
            Self::Repetition => say!("reason-repetition", "repetition"),
            Self::FivefoldRepetition => say!("reason-fivefold-repetition", "fivefold repetition"),
            Self::InsufficientMaterial => say!("reason-insufficient-material", "insufficient material"),
            Self::TimeoutVsInsufficientMaterial => {
                say!("reason-timeout-vs-insufficient-material", "timeout vs insufficient material")
            }
            Self::FiftyMoves => say!("reason-fifty-moves", "fifty moves"),
            Self::SeventyFiveMoves => say!("reason-seventy-five-moves", "seventy five moves"),
            Self::Agreement => say!("reason-agreement", "agreement"),
            Self::Ruling => say!("reason-ruling", "ruling"),
            Self::FalseDeclaration => say!("reason-false-declaration", "false declaration"),
            Self::FouledDeck => say!("reason-fouled-deck", "fouled deck"),
            Self::Own(own) => (own.sentence)(),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` for a draw and for a game that does not count.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// This colour won.
    pub fn won(winner: Color, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// Nobody won.
    pub fn drawn(reason: Reason) -> Self {
        Self { winner: None, reason }
    }
}
