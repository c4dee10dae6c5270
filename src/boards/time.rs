//! A [`Timeline`] on the computer's monotonic clock.
#![expect(clippy::disallowed_methods, reason = "a board that is kept connected lives in real time")]

use std::time::Instant as RealInstant;

use tabiya_types::{Instant, Timeline};

/// The time since the start of this timeline on the computer's monotonic clock. Changes of the wall clock do not affect
/// it.
#[derive(Clone, Copy, Debug)]
pub struct MonotonicTime(RealInstant);

impl MonotonicTime {
    /// Starts a timeline whose zero is now.
    pub fn begin() -> Self {
        Self(RealInstant::now())
    }
}

impl Timeline for MonotonicTime {
    fn now(&self) -> Instant {
        Instant::from_millis(u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}
