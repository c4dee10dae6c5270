//! Detects that the computer slept, by comparing two system clocks: only one of them runs during sleep.
//!
//! The monotonic clock stops while a computer is suspended, the boot clock does not (Linux, `clock_gettime(2)`). Tabiya
//! uses the monotonic clock, so sleep never changes the players' clock readings. For the players at the board, however,
//! time went on. So Tabiya reports how long the computer slept, and pauses the players' clocks.

use tabiya_types::{Instant, Millis};

use crate::platform;

/// The least difference that counts as sleep. Smaller differences arise because the two clocks are read one after the
/// other.
const LEAST: Millis = Millis(500);

/// The readings of the monotonic clock and the boot clock at one moment, in ms; their zero points are arbitrary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockPair {
    /// The monotonic clock, which stops while the computer sleeps.
    pub monotonic: u64,
    /// The boot clock, which keeps running.
    pub boot: u64,
}

impl ClockPair {
    /// Reads the monotonic clock and the boot clock; `None` if the system does not have both.
    pub fn now() -> Option<Self> {
        platform::boot_and_monotonic().map(|(boot, monotonic)| Self { monotonic, boot })
    }

    /// How long the computer has slept since it was switched on.
    fn slept(self) -> Millis {
        Millis(self.boot.saturating_sub(self.monotonic))
    }
}

/// Why the program did nothing for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    /// The computer slept.
    Slept,
    /// The computer ran, but the program did not: somebody stopped it, or the machine had no time for it.
    Stopped,
}

/// How much later than planned the loop goes on if the program was stopped. A busy computer is late by less.
const LATE: Millis = Millis(3_000);

/// How long the program was stopped between `from` and `now`; `None` if it ran on. Meanwhile it worked for `busy`, and was
/// to wait for no longer than `planned`.
pub fn stopped(from: Instant, now: Instant, busy: Millis, planned: Millis) -> Option<Millis> {
    Some(now.since(from).saturating_sub(planned).saturating_sub(busy)).filter(|late| *late >= LATE)
}

/// For how long this thread has worked, in ms; zero if the system does not tell.
pub fn work_done() -> Millis {
    Millis(platform::thread_time())
}

/// Detects sleep between two readings of the clocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct SleepWatch {
    before: Option<Millis>,
}

impl SleepWatch {
    /// Takes a new reading of the clocks. Returns how long the computer slept since the previous one, or `None` if it
    /// did not sleep.
    pub fn sample(&mut self, pair: Option<ClockPair>) -> Option<Millis> {
        let slept = pair?.slept();
        let before = self.before.replace(slept)?;
        Some(slept.saturating_sub(before)).filter(|slept| *slept >= LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(watch: &mut SleepWatch, monotonic: u64, boot: u64) -> Option<Millis> {
        watch.sample(Some(ClockPair { monotonic, boot }))
    }

    #[test]
    fn a_sleep_is_what_one_clock_missed_and_the_other_did_not() {
        let mut watch = SleepWatch::default();
        // Sleep before the program started does not count.
        assert_eq!(look(&mut watch, 10_000, 70_000), None);
        assert_eq!(look(&mut watch, 11_000, 71_000), None);
        assert_eq!(look(&mut watch, 12_000, 72_003), None, "read one after the other");
        assert_eq!(look(&mut watch, 12_500, 372_503), Some(Millis(300_000)));
        assert_eq!(look(&mut watch, 13_000, 373_003), None, "reported once");
        // Both clocks keep running while the process is only busy or stopped.
        assert_eq!(look(&mut watch, 73_000, 433_003), None);
        assert_eq!(watch.sample(None), None);
        assert_eq!(look(&mut watch, 73_100, 434_103), Some(Millis(1_000)));
    }

    #[test]
    fn a_stop_is_what_neither_work_nor_a_wait_explains() {
        let stop = |busy, planned| {
            let (from, now) = (Instant::ZERO, Instant::from_millis(5_000));
            stopped(from, now, Millis(busy), Millis(planned))
        };
        assert_eq!(stop(0, 0), Some(Millis(5_000)));
        assert_eq!(stop(500, 1_000), Some(Millis(3_500)));
        assert_eq!(stop(0, 4_000), None, "it waited");
        assert_eq!(stop(4_000, 0), None, "it worked");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_has_both_clocks() {
        let (first, second) = (ClockPair::now().expect("clocks"), ClockPair::now().expect("clocks"));
        assert!(first.monotonic <= second.monotonic && first.boot <= second.boot);
    }
}
