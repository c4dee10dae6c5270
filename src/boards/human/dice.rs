//! A seeded random generator: the same seed gives the same numbers on every machine.
//!
//! The generator takes no randomness from the system. Probabilities are whole thousandths: they are easy to read in a
//! table, and all machines round them equally.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabiya_types::Millis;

/// A probability in thousandths: 0 never happens, 1000 always.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct PerMille(pub u16);

impl PerMille {
    /// The probability of an event that never happens.
    pub const NEVER: Self = Self(0);
    /// The probability of an event that always happens.
    pub const ALWAYS: Self = Self(1000);
}

/// A range of durations in ms, including both ends. All durations in it are equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The shortest duration, in ms.
    pub least: u64,
    /// The longest duration, in ms. If it is less than `least`, every duration is `least`.
    pub most: u64,
}

impl Span {
    /// Creates the range from `least` to `most` ms.
    pub const fn new(least: u64, most: u64) -> Self {
        Self { least, most }
    }

    /// The range with both ends limited to `cap` ms.
    #[must_use]
    pub fn capped(self, cap: u64) -> Self {
        Self { least: self.least.min(cap), most: self.most.min(cap) }
    }
}

/// A random generator.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Creates a generator whose numbers depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns true with the probability `likely`.
    pub fn chance(&mut self, likely: PerMille) -> bool {
        self.below(1000) < u64::from(likely.0)
    }

    /// A random whole number from 0 to `end - 1`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // Multiplies and shifts. The result is biased by less than `end` / 2^32, too little for any test to notice.
        (u64::from(self.0.next_u32()) * end) >> 32
    }

    /// A random duration from `span`.
    pub fn span(&mut self, span: Span) -> Millis {
        Millis(span.least + self.below(span.most.saturating_sub(span.least) + 1))
    }

    /// Returns one of `choices` at random, or `None` if `choices` is empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        let at = self.below(u64::try_from(choices.len()).unwrap_or(u64::MAX));
        usize::try_from(at).ok().and_then(|at| choices.get(at)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_keeps_to_its_probability() {
        let mut dice = Dice::new(1);
        let hits = (0..10_000).filter(|_| dice.chance(PerMille(200))).count();
        assert!((1_850..2_150).contains(&hits), "{hits} of 10000 at 200 in 1000");
        assert!(!dice.chance(PerMille::NEVER));
        assert!(dice.chance(PerMille::ALWAYS));
    }

    #[test]
    fn a_span_holds_both_its_ends() {
        let mut dice = Dice::new(2);
        let drawn: Vec<u64> = (0..200).map(|_| dice.span(Span::new(5, 8)).0).collect();
        assert!(drawn.iter().all(|ms| (5..=8).contains(ms)));
        assert!(drawn.contains(&5) && drawn.contains(&8));
    }
}
