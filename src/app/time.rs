//! The real clock as the record's timeline.
#![expect(clippy::disallowed_methods, reason = "this room reads the real clock")]

use std::time::{Duration, Instant as RealInstant};

use tabiya_types::{Instant, Millis, Timeline};

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

    /// How long from now until `at`, to the nanosecond; nothing if it has passed.
    pub fn until(&self, at: Instant) -> Duration {
        let since_base = Duration::from_millis(at.since(Instant::ZERO + self.offset).0);
        since_base.saturating_sub(self.base.elapsed())
    }

    /// How long the runtime's timer may be trusted to wait for `at`: it counts whole milliseconds and
    /// comes late.
    pub fn roughly_until(&self, at: Instant) -> Duration {
        self.until(at).saturating_sub(NEAR)
    }

    /// Sleeps towards a moment that is near, exactly and at most for half a millisecond, so that what comes in
    /// meanwhile is seen. Whether it was near enough for that.
    pub fn nap_until(&self, at: Instant) -> bool {
        let left = self.until(at);
        if left > NEAR {
            return false;
        }
        std::thread::sleep(left.min(NAP));
        true
    }
}

/// What the runtime's timer is not trusted with.
const NEAR: Duration = Duration::from_millis(3);
/// For how long the loop looks at nothing.
const NAP: Duration = Duration::from_micros(500);

impl Timeline for RealTime {
    fn now(&self) -> Instant {
        let passed = u64::try_from(self.base.elapsed().as_millis()).unwrap_or(u64::MAX);
        Instant::ZERO + self.offset + Millis(passed)
    }
}
