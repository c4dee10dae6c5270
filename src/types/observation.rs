//! What a board tells: the one vocabulary between devices and the tracker.

use crate::{Board, Color, Piece, Square, Squares};

/// What a sensor says. Squares are the board's own, as if White sat below; a board that was set
/// up the other way round is turned by the tracker, not by the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observation {
    /// All 64 squares at once.
    Whole(Board),
    /// All 64 squares at once, of a board that only feels whether something stands there.
    Occupied(Squares),
    /// One square changed: what stands there now.
    Square(Square, Option<Piece>),
    /// This side pressed the clock's lever or button.
    Press(Color),
}
