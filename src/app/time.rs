//! The computer's clock as the timeline of a record.
#![expect(clippy::disallowed_methods, reason = "this room reads the real clock")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant as RealInstant};

use tabiya_types::{Instant, Millis, Timeline};

/// Moments since a record's header, read from the computer's monotonic clock: changes of the wall clock and of the time
/// zone have no effect.
#[derive(Clone, Debug)]
pub struct RealTime {
    base: RealInstant,
    offset: Millis,
    /// The time, in ms, for which the program was stopped; all clones of a timeline leave it out.
    held: Arc<AtomicU64>,
}

impl RealTime {
    /// Creates a timeline on which the present moment is `at`: zero for a new match, the last saved moment for a match
    /// that is carried on.
    pub fn starting_at(at: Instant) -> Self {
        Self { base: RealInstant::now(), offset: at.since(Instant::ZERO), held: Arc::default() }
    }

    /// Sets the timeline back by a time for which the program was stopped: it goes on at the moment of the stop.
    pub fn hold_back(&self, stopped: Millis) {
        self.held.fetch_add(stopped.0, Ordering::Relaxed);
    }

    /// The real time that counts since the beginning.
    fn counted(&self) -> Duration {
        self.base.elapsed().saturating_sub(Duration::from_millis(self.held.load(Ordering::Relaxed)))
    }

    /// How long from now until `at`, to the nanosecond; zero if `at` has passed.
    pub fn until(&self, at: Instant) -> Duration {
        let since_base = Duration::from_millis(at.since(Instant::ZERO + self.offset).0);
        since_base.saturating_sub(self.counted())
    }

    /// How long to wait for `at` with the runtime's timer. The timer counts whole milliseconds and fires late, so this
    /// is 3 ms less than [`Self::until`].
    pub fn roughly_until(&self, at: Instant) -> Duration {
        self.until(at).saturating_sub(NEAR)
    }

    /// If `at` is at most 3 ms away, sleeps for half a millisecond or until `at`, whichever comes first, and returns
    /// `true`. Otherwise returns `false` at once. The sleep is short so that the caller can handle new input in time.
    pub fn nap_until(&self, at: Instant) -> bool {
        let left = self.until(at);
        if left > NEAR {
            return false;
        }
        std::thread::sleep(left.min(NAP));
        true
    }
}

/// The length of the last part of a wait, for which the runtime's timer is not exact enough.
const NEAR: Duration = Duration::from_millis(3);
/// The longest single sleep in that last part of a wait. After each sleep the caller checks for new input.
const NAP: Duration = Duration::from_micros(500);

impl Timeline for RealTime {
    fn now(&self) -> Instant {
        let passed = u64::try_from(self.counted().as_millis()).unwrap_or(u64::MAX);
        Instant::ZERO + self.offset + Millis(passed)
    }
}
