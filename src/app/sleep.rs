//! A computer that slept: noticed by two of the system's clocks that part while it does.
//!
//! The monotonic clock stands while a computer is suspended, the boot clock does not (Linux,
//! `clock_gettime(2)`). Tabiya's time is the monotonic one, so that no reading ever changes by a sleep;
//! what was slept is told, and the clocks are paused, since at the board time went on.

use tabiya_types::Millis;

/// Clocks that part by less than this have only been read one after the other.
const LEAST: Millis = Millis(500);

/// Both clocks at one moment, in ms since any beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockPair {
    /// Stands while the computer sleeps.
    pub monotonic: u64,
    /// Goes on.
    pub boot: u64,
}

impl ClockPair {
    /// As the system has them now; `None` where it has only one such clock.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub fn now() -> Option<Self> {
        use nix::time::{ClockId, clock_gettime};
        let read = |clock| {
            let time = clock_gettime(clock).ok()?;
            let (seconds, nanos) = (u64::try_from(time.tv_sec()).ok()?, u64::try_from(time.tv_nsec()).ok()?);
            Some(seconds.saturating_mul(1000).saturating_add(nanos / 1_000_000))
        };
        Some(Self { monotonic: read(ClockId::CLOCK_MONOTONIC)?, boot: read(ClockId::CLOCK_BOOTTIME)? })
    }

    /// As the system has them now; `None` where it has only one such clock.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub fn now() -> Option<Self> {
        None
    }

    /// How long it has slept since both began.
    fn slept(self) -> Millis {
        Millis(self.boot.saturating_sub(self.monotonic))
    }
}

/// Notices sleep from one look to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct SleepWatch {
    before: Option<Millis>,
}

impl SleepWatch {
    /// A look at both clocks: how long the computer slept since the last one, if it did.
    pub fn look(&mut self, pair: Option<ClockPair>) -> Option<Millis> {
        let slept = pair?.slept();
        let before = self.before.replace(slept)?;
        Some(slept.saturating_sub(before)).filter(|slept| *slept >= LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(watch: &mut SleepWatch, monotonic: u64, boot: u64) -> Option<Millis> {
        watch.look(Some(ClockPair { monotonic, boot }))
    }

    #[test]
    fn a_sleep_is_what_one_clock_missed_and_the_other_did_not() {
        let mut watch = SleepWatch::default();
        // Whatever was slept before the program began is none of its business.
        assert_eq!(look(&mut watch, 10_000, 70_000), None);
        assert_eq!(look(&mut watch, 11_000, 71_000), None);
        assert_eq!(look(&mut watch, 12_000, 72_003), None, "read one after the other");
        assert_eq!(look(&mut watch, 12_500, 372_503), Some(Millis(300_000)));
        assert_eq!(look(&mut watch, 13_000, 373_003), None, "told once");
        // A machine that was only busy, or stopped, has slept nothing.
        assert_eq!(look(&mut watch, 73_000, 433_003), None);
        assert_eq!(watch.look(None), None);
        assert_eq!(look(&mut watch, 73_100, 434_103), Some(Millis(1_000)));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_has_both_clocks() {
        let (first, second) = (ClockPair::now().expect("clocks"), ClockPair::now().expect("clocks"));
        assert!(first.monotonic <= second.monotonic && first.boot <= second.boot);
    }
}
