//! Moments and durations on the record's timeline, and the source of the present moment.

use std::fmt;
use std::ops::Add;

/// A moment, in milliseconds since the start of the record. The type has no function `now()`. So code without IO cannot
/// read the clock by accident, and a replay computes with the same numbers as the live game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Instant(u64);

/// The latest moment that a record can contain, in ms: JSON numbers are exact up to this value.
pub const LAST_MOMENT: u64 = (1 << 53) - 1;

impl Instant {
    /// The moment at which the record starts.
    pub const ZERO: Self = Self(0);

    /// The moment that lies this many ms after the start of the record.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// The number of ms since the start of the record.
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// The time from `earlier` to this moment; zero if `earlier` is not before it.
    pub fn since(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Millis> for Instant {
    type Output = Self;
    fn add(self, span: Millis) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

/// A duration in whole milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// A duration of zero.
    pub const ZERO: Self = Self(0);

    /// A duration of this many whole seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1000))
    }

    /// This duration minus `other`; zero if `other` is longer.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for Millis {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Writes the duration as `h:mm:ss`, or as `m:ss` below one hour, rounded up to whole seconds.
impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0.div_ceil(1000);
        let (hours, minutes, secs) = (secs / 3600, secs / 60 % 60, secs % 60);
        if hours > 0 { write!(f, "{hours}:{minutes:02}:{secs:02}") } else { write!(f, "{minutes}:{secs:02}") }
    }
}

/// The source of the present moment for the app: the real clock, a recorded capture, or a simulated time.
pub trait Timeline: Send + Sync {
    /// The present moment. It is never earlier than a moment that this method returned before.
    fn now(&self) -> Instant;
}
