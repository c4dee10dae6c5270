//! The rules of the games, one module per game, and the traits that the table uses to play them. No time, no
//! IO, no randomness.

mod action;
mod bare_clock;
mod bet;
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
mod outcome;
mod own;
mod play;
mod play_action;
mod stakes;
mod uci;
mod verb;
mod violation;

pub use action::{
    Action, ActionData, Correct, Dealt, DealtCards, Faces, OwnAction, PieceAnnouncement, Place, Reveal,
};
pub use bet::Bet;
pub use betting::{BetDue, BetError, RaiseRange, Structure};
pub use capability::{
    Betting, Cards, ChessLeg, ChessPhase, ChessScore, Goal, Heap, HeapPlace, Placement, Score, ShownCard,
    ShownHand, Stages,
};
pub use cards::{Hand, HandError, HandName, HandRules};
pub use catalog::GAMES;
pub use chips::{Chips, MOST_CHIPS};
pub use datum::{Datum, Group};
pub use fields::{Fields, FormError};
pub use game::{
    Actor, Agreed, Candidate, Change, ChangeData, Context, Done, Game, GameKind, Games, OwnChange, Phase,
    Preset, Start, Turn,
};
pub use hidden::Shown;
pub use offer::{Offer, OfferData, OwnOffer};
pub use outcome::{Outcome, OwnReason, Reason};
pub use play::{Play, PlayError, fen_of};
pub use play_action::PlayAction;
pub use stakes::Stakes;
pub use uci::Uci;
pub use verb::Verb;
pub use violation::Violation;
pub(crate) use violation::{begin_next, game_over};
