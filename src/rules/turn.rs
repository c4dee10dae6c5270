//! What a game reports to the table: whose turn it is, its stage, and what an action did.

use tabiya_types::{Board, Color, Sentence};

use super::action::Action;

/// The player whose clock runs, and whether a press would end the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// No clock runs: during the deal, during betting, and after the game.
    Untimed,
    /// A player's clock runs.
    Timed {
        /// The player whose clock runs.
        by: Color,
        /// Whether the player has acted, so that a press would end the turn.
        acted: bool,
        /// Whether this turn counts as one of the moves in a stage of the time control that has a number of moves.
        counts: bool,
    },
}

impl Turn {
    /// The player whose clock runs; `None` if no clock runs.
    pub fn mover(self) -> Option<Color> {
        match self {
            Self::Timed { by, .. } => Some(by),
            Self::Untimed => None,
        }
    }
}

/// The results of an accepted action besides the new state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Remarks for the reader of the record, such as a missing announcement.
    pub notes: Vec<Sentence>,
    /// The player who caused an incident, such as a wrongly placed piece. The opponent gains the penalty time, unless
    /// the incident loses the game.
    pub incident: Option<Color>,
}

/// Who has to act next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// This player has to act.
    Player(Color),
    /// The dealer has to deal.
    Dealer,
    /// No one has to act.
    Nobody,
}

/// A legal action that changes the board, and the board after it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The legal action.
    pub action: Action,
    /// The logical board after the action: a stand-in appears as the piece that it represents.
    pub after: Board,
}

/// Facts about the line that contains an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// The number of the line in the record, from 1, for reports that refer to lines.
    pub line: u32,
    /// Whole seconds since the start of the record, for blinds that rise by time.
    pub seconds: u64,
}

/// The stage of a game, as all screens and the terminal show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The game waits for cards to be dealt.
    Deal,
    /// The players bet.
    Bet,
    /// The players place pieces.
    Place,
    /// The players play chess.
    Chess,
    /// A match with only a clock is running.
    Clock,
    /// A stage that only one kind of game has, with its name.
    Own(&'static str),
    /// The game has a result.
    Over,
    /// The match is over.
    MatchOver,
}

impl Phase {
    /// The record's word for the stage.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deal => "deal",
            Self::Bet => "bet",
            Self::Place => "place",
            Self::Chess => "chess",
            Self::Clock => "clock",
            Self::Own(word) => word,
            Self::Over => "over",
            Self::MatchOver => "match-over",
        }
    }
}
