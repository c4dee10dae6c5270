//! This start of the program, as consoles know it: a random name, and the whole milliseconds since then, sleep counted. Where the
//! system has no clock that counts sleep, a sleep makes another start of it.
//!
//! Source: `docs/hall.md`, §4 (`boot`, `up`): an order's age is measured with it.
#![expect(
    clippy::disallowed_methods,
    reason = "a start of the program is named by chance and timed by the computer's clock"
)]

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tabiya_app::sleep::ClockPair;
use tabiya_engine::record::chain::hex;

/// The longest sleep, in ms, that may be missing in the time of a start.
const LONGEST_SLEEP: u64 = 500;

/// Finds out that the computer slept, where the system does not tell: the calendar went on, and the monotonic clock did not. A
/// calendar that people set forward looks the same; then orders are refused once too often, which does no harm.
#[derive(Clone, Copy, Debug)]
struct SleepGuess {
    monotonic: u64,
    calendar: u64,
}

impl SleepGuess {
    /// Whether the computer slept since the last reading of both clocks, in ms.
    fn slept(&mut self, now: Self) -> bool {
        let before = std::mem::replace(self, now);
        let passed = now.monotonic.saturating_sub(before.monotonic);
        now.calendar.saturating_sub(before.calendar) > passed + LONGEST_SLEEP
    }
}

/// What is known of a start.
#[derive(Debug)]
struct Start {
    id: String,
    /// When it was, by the clock that counts.
    since: u64,
    /// The latest moment that was told: it never goes back.
    told: u64,
    guess: SleepGuess,
}

/// A start of the program.
#[derive(Debug)]
pub struct Boot {
    /// The zero of the monotonic clock.
    zero: Instant,
    start: Mutex<Start>,
}

/// The boot clock, which counts sleep; `None` where the system has none.
fn boot_clock() -> Option<u64> {
    ClockPair::now().map(|pair| pair.boot)
}

fn calendar() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Boot {
    /// The start of this program is now. `Err` if the system provides no random numbers.
    pub fn now() -> Result<Self, getrandom::Error> {
        let id = hex(&chance::<8>()?);
        let guess = SleepGuess { monotonic: 0, calendar: calendar() };
        let start = Start { id, since: boot_clock().unwrap_or(0), told: 0, guess };
        Ok(Self { zero: Instant::now(), start: Mutex::new(start) })
    }

    fn start(&self) -> MutexGuard<'_, Start> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn monotonic(&self) -> u64 {
        u64::try_from(self.zero.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Its name: 16 hexadecimal digits.
    pub fn id(&self) -> String {
        self.start().id.clone()
    }

    /// Whole milliseconds since then.
    pub fn up(&self) -> u64 {
        self.moment().1
    }

    /// Its name and the whole milliseconds since then, which belong together: a sleep between two questions would make the time of
    /// another start of it.
    pub fn moment(&self) -> (String, u64) {
        let mut start = self.start();
        let now = boot_clock().unwrap_or_else(|| self.monotonic());
        start.told = start.told.max(now.saturating_sub(start.since));
        (start.id.clone(), start.told)
    }

    /// Looks whether the computer slept without a clock that counts it. Then this is another start, with another name and a time
    /// from zero on. Who reads orders asks before each of them.
    pub fn wake(&self) {
        if boot_clock().is_none() {
            let now = SleepGuess { monotonic: self.monotonic(), calendar: calendar() };
            self.start().wake(now, chance().ok());
        }
    }
}

impl Start {
    fn wake(&mut self, now: SleepGuess, chance: Option<[u8; 8]>) {
        if self.guess.slept(now) {
            let next = || u64::from_str_radix(&self.id, 16).unwrap_or(0).wrapping_add(1).to_be_bytes();
            // Without chance, it is another name all the same.
            self.id = hex(&chance.unwrap_or_else(next));
            (self.since, self.told) = (now.monotonic, 0);
        }
    }
}

/// Random bytes from the system, for ids, numbers and serial numbers.
pub fn chance<const LENGTH: usize>() -> Result<[u8; LENGTH], getrandom::Error> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(monotonic: u64, calendar: u64) -> SleepGuess {
        SleepGuess { monotonic, calendar }
    }

    #[test]
    fn a_lid_that_was_closed_for_a_second_makes_another_start() {
        let id = "00112233445566ff".to_owned();
        let mut start = Start { id: id.clone(), since: 0, told: 9_000, guess: at(0, 50_000) };
        for (monotonic, calendar) in [(1_000, 51_000), (2_000, 52_500), (3_000, 20_000), (4_000, 21_010)] {
            start.wake(at(monotonic, calendar), Some([7; 8]));
            assert_eq!((start.id.as_str(), start.told), (id.as_str(), 9_000), "{monotonic}: no sleep");
        }
        start.wake(at(4_100, 22_110), Some([7; 8]));
        assert_eq!((start.id.as_str(), start.since, start.told), ("0707070707070707", 4_100, 0));
        start.wake(at(5_100, 23_110), None);
        assert_eq!(start.id, "0707070707070707", "it is awake");
        start.wake(at(5_200, 99_110), None);
        assert_eq!(start.id, "0707070707070708", "another one without chance, too");
    }

    #[test]
    fn the_time_of_a_start_never_goes_back() {
        let boot = Boot::now().expect("chance");
        boot.start().told = 60_000;
        assert_eq!(boot.up(), 60_000);
        assert_eq!(boot.id().len(), 16);
    }
}
