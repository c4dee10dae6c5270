//! Amounts of chips.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use tabiya_types::{BySeat, Fact, say};

use super::sheet_line::{SheetLine, SheetTopic};

use super::term::{TermKind, TermSpec};

/// A whole number of chips, never negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Chips(pub u32);

/// The largest number of chips in one stack; the sum of two such stacks still fits into a `u32`.
pub const MOST_CHIPS: u32 = 1_000_000_000;

/// The term `stacks` of the games with chips.
pub(super) const STACKS: TermSpec =
    TermSpec::new("stacks", TermKind::Stacks).option("stacks", "STACKS", "Chips: 100 for both, or 100,80");

impl Chips {
    /// No chips.
    pub const ZERO: Self = Self(0);

    /// These chips minus `cost`; zero if `cost` is larger.
    #[must_use]
    pub fn saturating_sub(self, cost: Self) -> Self {
        Self(self.0.saturating_sub(cost.0))
    }

    /// These chips multiplied by `factor`, at most [`MOST_CHIPS`].
    #[must_use]
    pub fn times(self, factor: u32) -> Self {
        Self(self.0.saturating_mul(factor).min(MOST_CHIPS))
    }
}

/// The chips with which the seats begin, A first, as the match sheet says them.
pub(super) fn stacks_line([a, b]: [Chips; 2]) -> SheetLine {
    let topic = SheetTopic::Stacks(BySeat { a: a.0, b: b.0 });
    SheetLine::new(topic, say!("sheet-stacks", "stacks: A {a}, B {b}", a, b))
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
