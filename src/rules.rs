//! Pure rules, one module per game. No time, no IO, no chance.

mod action;
mod bare_clock;
mod betting;
mod capability;
mod cards;
mod catalog;
pub mod chess;
mod chips;
pub mod choker;
mod datum;
mod fields;
mod game;
mod hidden;
mod offer;
mod own;
mod play;

pub use action::{
    Action, ActionData, Correct, Dealt, DealtCards, Faces, OwnAction, Place, Reveal, Says, Verb,
};
pub use betting::{Bet, BetDue, BetError, RaiseRange, Structure};
pub use capability::{
    Betting, Cards, ChessLeg, ChessPhase, ChessScore, Goal, Heap, Lies, Placement, Score, ShownCard,
    ShownHand, Stages,
};
pub use cards::{Hand, HandError, HandName, HandRules};
pub use catalog::GAMES;
pub use chips::{Chips, MOST_CHIPS};
pub use datum::{Datum, Group};
pub use fields::{Fields, FormError};
pub use game::{
    Actor, Agreed, Candidate, Change, ChangeData, Context, Done, Game, Games, Kind, Outcome, OwnChange,
    OwnReason, Phase, Preset, Reason, Stakes, Start, Turn, Violation,
};
pub(crate) use game::{begin_next, game_over};
pub use hidden::Shown;
pub use offer::{Offer, OfferData, OwnOffer};
pub use play::{Play, PlayAction, PlayError, Uci, fen_of};
