//! What a ruling gave to the clocks, so that it can act again on other readings.

use tabiya_types::{ByColor, Color, Instant};

use super::input::Ruling;
use crate::clock::Clock;

/// The least that a ruling leaves to a side when it acts again: ms, and periods.
const LEAST_MS: i64 = 1_000;
const LEAST_PERIODS: i64 = 1;

/// How much a ruling gave to each side: what it set less the reading that it met, in ms and in periods.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeGiven {
    ms: ByColor<Option<i64>>,
    periods: ByColor<Option<i64>>,
}

impl TimeGiven {
    /// What this ruling gives that acts on this clock at `at`.
    pub(super) fn by(ruling: &Ruling, clock: &Clock, at: Instant) -> Self {
        let less = |value: i64, met: Option<i64>| value - met.unwrap_or(value);
        let ms = ByColor::new(|color| Some(less(signed(ruling.clock_ms[color]?), left(clock, color, at))));
        let periods =
            ByColor::new(|color| Some(less(signed(ruling.periods[color]?), periods(clock, color, at))));
        Self { ms, periods }
    }

    /// The ruling as it acts again: what it gave, added to the present reading.
    pub(super) fn again(&self, ruling: &Ruling, clock: &Clock, now: Instant) -> Ruling {
        let add = |given: Option<i64>, reading: Option<i64>, least: i64| {
            given.map(|given| (reading.unwrap_or(0) + given).max(least))
        };
        let ms = |color| add(self.ms[color], left(clock, color, now), LEAST_MS);
        let of = |color| add(self.periods[color], periods(clock, color, now), LEAST_PERIODS);
        Ruling {
            clock_ms: ByColor::new(|color| ms(color).and_then(|ms| u64::try_from(ms).ok())),
            periods: ByColor::new(|color| of(color).and_then(|periods| u32::try_from(periods).ok())),
            ..ruling.clone()
        }
    }
}

fn signed(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX / 4)
}

/// The reading of a side in ms, as a signed number.
fn left(clock: &Clock, color: Color, at: Instant) -> Option<i64> {
    clock.reading(color, at).map(|left| signed(left.0))
}

fn periods(clock: &Clock, color: Color, at: Instant) -> Option<i64> {
    clock.standing(color, at)?.periods.map(signed)
}
