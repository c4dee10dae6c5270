//! Pure rules, one module per game. No time, no IO, no chance.

mod bare_clock;
mod betting;
mod cards;
mod catalog;
pub mod chess;
mod chips;
pub mod choker;
mod game;
mod hidden;
mod play;
mod text;

pub use betting::{Bet, BetDue, BetError, RaiseRange, Structure};
pub use cards::{Hand, HandError, HandName, HandRules};
pub use catalog::GAMES;
pub use chips::{Chips, MOST_CHIPS};
pub use game::{
    Action, ActionData, Actor, Agreed, Candidate, Change, ChessLeg, ChessScore, Context, Done, Game, Games,
    Kind, Legal, Outcome, Preset, Reason, ShownCard, Stakes, Start, Turn, Violation,
};
pub(crate) use game::{begin_next, game_over};
pub use hidden::Shown;
pub use play::{Play, PlayAction, PlayError, Uci, fen_of};
pub use text::{Fields, FormError};
