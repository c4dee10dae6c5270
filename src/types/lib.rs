//! The types that Tabiya's boards, cards and engine share.
//!
//! Squares, pieces and boards; colours and seats; faces of cards; moments and durations; what a sensor
//! reports; sentences for people as values. This crate contains no game rules and no IO, and has no dependencies.

mod board;
mod card;
mod finding;
mod harmless;
mod instant;
mod observation;
mod pack;
mod sentence;
mod stack;

pub use board::{
    Board, ByColor, BySeat, Color, ParseBoardError, ParseSquareError, Piece, Role, Seat, Square, Squares,
};
pub use card::{Card, Counts};
pub use finding::Finding;
pub use harmless::{harmless, harmless_json, harmless_lines, marked, one_letter, shown};
pub use instant::{Instant, LAST_MOMENT, Millis, Timeline};
pub use observation::Observation;
pub use pack::{CardFace, Pack};
pub use sentence::{Fact, Sentence, Template, ToldSentence};
pub use stack::Stack;
