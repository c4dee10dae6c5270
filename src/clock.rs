//! Time controls and the two-sided clock as a value.

mod instant;

pub use instant::{Instant, LAST_MOMENT, Millis};
