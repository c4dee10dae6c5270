//! Time controls and the two-sided clock as a value. Time is an argument everywhere.

mod control;
mod instant;
mod value;

pub use control::{NoControl, Stage, TimeControl};
pub use instant::{Instant, LAST_MOMENT, Millis};
pub use value::{Clock, Fallen, Setting};
