//! The floor of Tabiya: the words that boards, cards and engine have in common.
//!
//! Squares, pieces and boards of any material; colours and seats; faces of cards; moments and spans of
//! time; what a sensor says; sentences for people as values. No rule, no IO, no dependency.

mod board;
mod card;
mod finding;
mod harmless;
mod instant;
mod observation;
mod sentence;
mod stack;

pub use board::{Board, ByColor, BySeat, Color, NoBoard, NoSquare, Piece, Role, Seat, Square, Squares};
pub use card::{Card, Counts};
pub use finding::Finding;
pub use harmless::{harmless, harmless_lines, one_letter};
pub use instant::{Instant, LAST_MOMENT, Millis, Timeline};
pub use observation::Observation;
pub use sentence::{Fact, Sentence, Template};
pub use stack::Stack;
