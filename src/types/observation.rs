//! What a board reports: the events that drivers pass to the tracker.

use crate::{Board, Color, Piece, Square, Squares};

/// One report of a sensor. Squares are numbered as if White sat at rank 1; if the board was set up the other way
/// round, the tracker, not the driver, rotates the squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observation {
    /// A report of the pieces on all 64 squares.
    Whole(Board),
    /// A report of the occupied squares, from a board that cannot identify pieces.
    Occupied(Squares),
    /// One square changed: the piece that is there now, or `None` if the square is empty.
    Square(Square, Option<Piece>),
    /// The player of this colour pressed the lever or the button of the clock. Drivers call the clock's left side White's;
    /// a program that knows where the clock stands names the player who sits there.
    Press(Color),
}
