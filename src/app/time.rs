//! The real clock as the record's timeline.
#![cfg_attr(
    feature = "headless",
    expect(clippy::disallowed_methods, reason = "this room reads the real clock")
)]

use std::time::{Duration, Instant as RealInstant};

use crate::clock::{Instant, Millis};
use crate::devices::Timeline;

/// Moments since a record's header, read off the machine's monotonic clock: changes of the wall
/// clock and of the time zone do not touch it.
#[derive(Clone, Debug)]
pub struct RealTime {
    base: RealInstant,
    offset: Millis,
}

impl RealTime {
    /// A timeline that stands at `at` now: zero for a new match, the last saved moment for one that
    /// is carried on.
    pub fn starting_at(at: Instant) -> Self {
        Self { base: RealInstant::now(), offset: at.since(Instant::ZERO) }
    }

    /// How long from now until `at`; nothing if it has passed.
    pub fn until(&self, at: Instant) -> Duration {
        Duration::from_millis(at.since(self.now()).0)
    }
}

impl Timeline for RealTime {
    fn now(&self) -> Instant {
        let passed = u64::try_from(self.base.elapsed().as_millis()).unwrap_or(u64::MAX);
        Instant::ZERO + self.offset + Millis(passed)
    }
}
