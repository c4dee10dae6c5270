//! The outcome of a game: who won and for what reason.

use std::fmt;
use std::hash::{Hash, Hasher};

use tabiya_types::{ByColor, Color, Sentence, say};

/// The reason why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A player folded in betting.
    Fold,
    /// A player was checkmated.
    Checkmate,
    /// A player's time ran out.
    Timeout,
    /// A player resigned in the placement or in the chess phase.
    Resignation,
    /// A player resigned, but the opponent cannot mate by any series of legal moves (Laws of Chess, 5.1.2).
    ResignationVsInsufficientMaterial,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The same position occurred three times.
    Repetition,
    /// The same position occurred five times.
    FivefoldRepetition,
    /// Neither side has enough material to mate.
    InsufficientMaterial,
    /// A player's time ran out, but the opponent does not have enough material to mate.
    TimeoutVsInsufficientMaterial,
    /// Fifty moves were made without a capture or a pawn move, and a player claimed the draw.
    FiftyMoves,
    /// Seventy-five moves were made without a capture or a pawn move.
    SeventyFiveMoves,
    /// The players agreed on a draw.
    Agreement,
    /// The arbiter decided who wins.
    Ruling,
    /// The arbiter declared the game drawn.
    RuledDraw,
    /// The arbiter gave these points, in half points, which are no win, loss or draw (Laws of Chess, 12.9).
    RuledPoints(ByColor<u8>),
    /// The loser did not play: he came too late, or not at all (Laws of Chess, 6.7). Without a winner, neither played.
    Forfeit,
    /// The arbiter cancelled the game: it counts nothing, and is begun again with the same colours (Laws of Chess, 7.2
    /// and 7.3).
    Cancelled,
    /// A player placed a wrong piece for the second time.
    FalseDeclaration,
    /// The deck or the deal was declared fouled.
    FouledDeck,
    /// A reason that only one kind of game has.
    Own(OwnReason),
}

/// A reason that only one kind of game has. Two reasons of this type are equal if their words are equal.
#[derive(Clone, Copy)]
pub struct OwnReason {
    /// The record's word for the reason.
    pub word: &'static str,
    /// The reason for people, as a noun: `Ann wins by …`.
    pub sentence: fn() -> Sentence,
    /// How the game ended, as a screen shows it below the result: `Ann wins …`.
    pub ending: fn() -> Sentence,
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
    /// The record's word for the reason.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Checkmate => "checkmate",
            Self::Timeout => "timeout",
            Self::Resignation => "resignation",
            Self::ResignationVsInsufficientMaterial => "resignation-vs-insufficient-material",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FivefoldRepetition => "fivefold-repetition",
            Self::InsufficientMaterial => "insufficient-material",
            Self::TimeoutVsInsufficientMaterial => "timeout-vs-insufficient-material",
            Self::FiftyMoves => "fifty-moves",
            Self::SeventyFiveMoves => "seventy-five-moves",
            Self::Agreement => "agreement",
            Self::Ruling | Self::RuledDraw | Self::RuledPoints(_) | Self::Forfeit | Self::Cancelled => {
                "ruling"
            }
            Self::FalseDeclaration => "false-declaration",
            Self::FouledDeck => "fouled-deck",
            Self::Own(own) => own.word,
        }
    }

    /// Whether a game that ends for this reason is drawn, unless the players agreed that a colour wins drawn games.
    pub fn is_draw(self) -> bool {
        match self {
            Self::Stalemate
            | Self::Repetition
            | Self::FivefoldRepetition
            | Self::InsufficientMaterial
            | Self::TimeoutVsInsufficientMaterial
            | Self::ResignationVsInsufficientMaterial
            | Self::FiftyMoves
            | Self::SeventyFiveMoves
            | Self::Agreement
            | Self::RuledDraw => true,
            Self::Fold
            | Self::Checkmate
            | Self::Timeout
            | Self::Resignation
            | Self::Ruling
            | Self::RuledPoints(_)
            | Self::Forfeit
            | Self::Cancelled
            | Self::FalseDeclaration
            | Self::FouledDeck
            | Self::Own(_) => false,
        }
    }

    /// Whether the arbiter decided the result.
    pub fn is_ruled(self) -> bool {
        matches!(
            self,
            Self::Ruling | Self::RuledDraw | Self::RuledPoints(_) | Self::Forfeit | Self::Cancelled
        )
    }

    /// The reason for people, as a noun: `checkmate`.
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
            Self::ResignationVsInsufficientMaterial => say!(
                "reason-resignation-vs-insufficient-material",
                "resignation against a player who cannot mate"
            ),
            Self::FiftyMoves => say!("reason-fifty-moves", "fifty moves"),
            Self::SeventyFiveMoves => say!("reason-seventy-five-moves", "seventy five moves"),
            Self::Agreement => say!("reason-agreement", "agreement"),
            Self::Ruling | Self::RuledDraw | Self::RuledPoints(_) => say!("reason-ruling", "ruling"),
            Self::Forfeit => say!("reason-forfeit", "forfeit"),
            Self::Cancelled => say!("reason-cancelled", "cancelled by the arbiter"),
            Self::FalseDeclaration => say!("reason-false-declaration", "false declaration"),
            Self::FouledDeck => say!("reason-fouled-deck", "fouled deck"),
            Self::Own(own) => (own.sentence)(),
        }
    }

    /// How the game ended, as a screen shows it below the result: `by checkmate`.
    pub fn ending_sentence(self) -> Sentence {
        match self {
            Self::Fold => say!("ended-fold", "by the opponent's fold"),
            Self::Checkmate => say!("ended-checkmate", "by checkmate"),
            Self::Timeout => say!("ended-timeout", "on time"),
            Self::Resignation => say!("ended-resignation", "by resignation"),
            Self::Stalemate => say!("ended-stalemate", "by stalemate"),
            Self::Repetition => say!("ended-repetition", "the same position three times"),
            Self::FivefoldRepetition => say!("ended-fivefold-repetition", "the same position five times"),
            Self::InsufficientMaterial => say!("ended-insufficient-material", "neither side can mate"),
            Self::TimeoutVsInsufficientMaterial => say!(
                "ended-timeout-vs-insufficient-material",
                "time ran out against a player who cannot mate"
            ),
            Self::ResignationVsInsufficientMaterial => say!(
                "ended-resignation-vs-insufficient-material",
                "resignation against a player who cannot mate"
            ),
            Self::FiftyMoves => say!("ended-fifty-moves", "fifty moves without a capture or a pawn move"),
            Self::SeventyFiveMoves => {
                say!("ended-seventy-five-moves", "seventy-five moves without a capture or a pawn move")
            }
            Self::Agreement => say!("ended-agreement", "by agreement"),
            Self::Ruling | Self::RuledDraw | Self::RuledPoints(_) => {
                say!("ended-ruling", "by the arbiter’s ruling")
            }
            Self::Forfeit => say!("ended-forfeit", "by forfeit"),
            Self::Cancelled => say!("ended-cancelled", "cancelled by the arbiter"),
            Self::FalseDeclaration => say!("ended-false-declaration", "by a second false piece"),
            Self::FouledDeck => say!("ended-fouled-deck", "the deck or the deal was wrong"),
            Self::Own(own) => (own.ending)(),
        }
    }

    /// The value of the PGN tag `Termination` for this reason (PGN standard, 9.8.1).
    pub fn termination(self) -> &'static str {
        match self {
            Self::Timeout => "time forfeit",
            Self::Ruling | Self::RuledDraw | Self::RuledPoints(_) => "adjudication",
            Self::FalseDeclaration => "rules infraction",
            Self::FouledDeck | Self::Forfeit | Self::Cancelled => "abandoned",
            Self::Fold
            | Self::Checkmate
            | Self::Resignation
            | Self::Stalemate
            | Self::Repetition
            | Self::FivefoldRepetition
            | Self::InsufficientMaterial
            | Self::TimeoutVsInsufficientMaterial
            | Self::ResignationVsInsufficientMaterial
            | Self::FiftyMoves
            | Self::SeventyFiveMoves
            | Self::Agreement
            | Self::Own(_) => "normal",
        }
    }
}

/// The outcome of a game: the winner and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The colour that won; `None` for a draw, for points that are none, and for a game that does not count.
    pub winner: Option<Color>,
    /// The reason why the game ended.
    pub reason: Reason,
}

/// How a game was decided: what each front, export and sum of an evening says about an [`Outcome`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// This colour won.
    Won(Color),
    /// The game is drawn.
    Drawn,
    /// The players have these half points, which are no win, loss or draw.
    Points(ByColor<u8>),
    /// The game counts nothing.
    NoResult,
}

impl Outcome {
    /// How the game was decided.
    pub fn decision(self) -> Decision {
        match (self.winner, self.reason) {
            (Some(by), _) => Decision::Won(by),
            (None, Reason::RuledPoints(half_points)) => Decision::Points(half_points),
            (None, Reason::Forfeit) => Decision::Points(ByColor::default()),
            (None, Reason::Cancelled | Reason::FouledDeck) => Decision::NoResult,
            (None, _) => Decision::Drawn,
        }
    }

    /// The half points of each player: two for a win, one for a draw.
    pub fn half_points(self) -> ByColor<u8> {
        match self.decision() {
            Decision::Won(by) => ByColor::new(|color| if color == by { 2 } else { 0 }),
            Decision::Drawn => ByColor { white: 1, black: 1 },
            Decision::Points(half_points) => half_points,
            Decision::NoResult => ByColor::default(),
        }
    }

    /// An outcome in which this colour won.
    pub fn won(winner: Color, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// An outcome without a winner.
    pub fn drawn(reason: Reason) -> Self {
        Self { winner: None, reason }
    }
}
