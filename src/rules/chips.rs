//! Chips.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use tabiya_types::Fact;

/// A whole number of chips. Chips are never halved and never negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Chips(pub u32);

/// The most chips one stack may hold: both stacks together still fit their type.
pub const MOST_CHIPS: u32 = 1_000_000_000;

impl Chips {
    /// None.
    pub const ZERO: Self = Self(0);

    /// What is left when `cost` is taken out; nothing if that is more.
    #[must_use]
    pub fn less(self, cost: Self) -> Self {
        Self(self.0.saturating_sub(cost.0))
    }

    /// So many times as much, at most [`MOST_CHIPS`].
    #[must_use]
    pub fn times(self, factor: u32) -> Self {
        Self(self.0.saturating_mul(factor).min(MOST_CHIPS))
    }
}

impl Add for Chips {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Chips {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Chips {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<Chips> for Fact {
    fn from(chips: Chips) -> Self {
        chips.0.into()
    }
}
