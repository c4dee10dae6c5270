//! Time controls, and a chess clock as a value: each method that needs the time takes it as an argument.

mod control;
mod named;
mod parse;
mod side;
mod spans;
#[cfg(test)]
mod tests;
mod value;

pub use control::{Bonus, Stage, TimeControl};
pub use named::{GameSpeed, NAMED, NamedControl, parse_spoken, to_spoken};
pub use parse::{MOST_MOVES, MOST_PERIODS, ParseControlError};
pub use value::{Clock, ControlProgress, FallenFlag, Setting};
