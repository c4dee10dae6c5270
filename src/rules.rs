//! The rules of the games, one module per game, and the traits that the table uses to play them. This module reads no
//! time, does no IO and draws no random numbers.

mod action;
mod bare_clock;
mod bet;
mod betting;
mod capability;
mod cards;
mod catalog;
mod change;
pub mod chess;
pub mod chess960;
pub mod chess_joker;
mod chips;
pub mod choker;
mod datum;
mod fields;
mod game;
mod habit;
mod hidden;
mod kind;
mod locked;
mod offer;
mod outcome;
mod own;
mod play;
mod play_action;
pub mod poker_chess;
pub mod pokerdrez;
pub mod presets;
mod said;
mod sheet_line;
mod sight;
mod stakes;
mod term;
mod turn;
mod uci;
mod verb;
mod violation;

pub use action::{
    Action, ActionData, Correct, Dealt, DealtCards, Faces, OwnAction, PieceAnnouncement, Place, Reveal,
};
pub use bet::Bet;
pub use betting::{BetDue, BetError, RaiseAmount, RaiseRange, Structure};
pub use capability::{
    Betting, CardPlace, CardSource, CardSpot, CardTravel, Cards, CardsDue, ChessLeg, ChessPhase, ChessScore,
    DieOnTable, FormedHand, Goal, Heap, HeapPlace, HiddenFaces, Laying, PieceSets, Placement, PlayList,
    PokerHands, Score, SheetEntry, ShownCard, ShownHand, SquareDeals, Stages, TurnHands,
};
pub use cards::{Hand, HandError, HandName, HandRules};
pub use catalog::{GAMES, clock_alone};
pub use change::{Change, ChangeData, OwnChange};
pub use chips::{Chips, MOST_CHIPS};
pub use datum::{Datum, Group};
pub use fields::{Fields, FormError};
pub use game::Game;
pub use habit::{Habit, SimulatedTurn};
pub use hidden::Shown;
pub use kind::{Agreed, GameKind, Games, Preset, Start};
pub use offer::{Offer, OfferData, OwnOffer};
pub use outcome::{Decision, Outcome, OwnReason, Reason};
pub use play::{Play, PlayError, fen_of};
pub use play_action::PlayAction;
pub use said::TermReader;
pub use sheet_line::{SheetLine, SheetTopic};
pub use sight::{OwnSight, SightData};
pub use stakes::Stakes;
pub use term::{
    OneNumber, OneWord, TermKind, TermOption, TermSpec, TermWord, UsualNumber, WholeNumber, YesNo,
};
pub use turn::{Actor, Candidate, Context, Done, Phase, Turn};
pub use uci::Uci;
pub use verb::Verb;
pub use violation::{Articles, Violation};
pub(crate) use violation::{begin_next, game_over};
