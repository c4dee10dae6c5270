//! Time controls, and a chess clock as a value: each method that needs the time takes it as an argument.

mod clock_side;
mod control;
mod named;
mod parse;
mod side;
mod spans;
mod spoken;
#[cfg(test)]
mod tests;
mod value;

pub use clock_side::ClockSide;
pub use control::{Bonus, Stage, StageShare, TimeControl};
pub use named::{GameSpeed, NAMED, NamedControl};
pub use parse::{MOST_MOVES, MOST_PERIODS, ParseControlError};
pub use spoken::{parse_bare, parse_spoken, to_spoken};
pub use value::{Clock, ControlProgress, FallenFlag, Setting};
