//! Moments and spans of the record's timeline.

use std::fmt;
use std::ops::Add;

/// Milliseconds since the record's header. It has no `now()`: a pure room cannot read the time by
/// accident, and a replay sees the very numbers that the live game saw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Instant(u64);

/// The largest moment a record can name, in ms: JSON numbers stay exact up to here.
pub const LAST_MOMENT: u64 = (1 << 53) - 1;

impl Instant {
    /// The moment of the header.
    pub const ZERO: Self = Self(0);

    /// A moment, in ms since the header.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Ms since the header.
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// How long after `earlier`; nothing if it is not after.
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

/// A span of time in whole milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// No time.
    pub const ZERO: Self = Self(0);

    /// Whole seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1000))
    }

    /// What is left when `other` is taken away; nothing if that is more.
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

/// `h:mm:ss`, or `m:ss` below an hour; what is left of a second counts as a whole one.
impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0.div_ceil(1000);
        let (hours, minutes, secs) = (secs / 3600, secs / 60 % 60, secs % 60);
        if hours > 0 { write!(f, "{hours}:{minutes:02}:{secs:02}") } else { write!(f, "{minutes}:{secs:02}") }
    }
}

/// The time that the app lives in: the real clock's, a capture's, or a pretended one.
pub trait Timeline: Send + Sync {
    /// The moment that it is, never before one that was told earlier.
    fn now(&self) -> Instant;
}
