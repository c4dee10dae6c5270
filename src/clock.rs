//! Time controls and the two-sided clock as a value. Time is an argument everywhere.

mod control;
mod named;
mod parse;
mod side;
mod spans;
#[cfg(test)]
mod tests;
mod value;

pub use control::{Bonus, Stage, TimeControl};
pub use named::{GameSpeed, NAMED, NamedControl, as_said, said};
pub use parse::{MOST_MOVES, MOST_PERIODS, NoControl};
pub use value::{Clock, Fallen, Setting, Standing};
