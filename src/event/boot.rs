//! This start of the program, as consoles know it: a random name, and the whole milliseconds since then, sleep counted.
//!
//! Source: `docs/hall.md`, §4 (`boot`, `up`): an order's age is measured with it.
#![expect(
    clippy::disallowed_methods,
    reason = "a start of the program is named by chance and timed by the computer's clock"
)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tabiya_app::sleep::ClockPair;
use tabiya_engine::record::chain::hex;

/// A start of the program.
#[derive(Debug)]
pub struct Boot {
    id: String,
    began: Instant,
    /// The boot clock at the start; `None` where the system has none that counts sleep.
    since: Option<u64>,
    /// The latest moment that was told: it never goes back.
    told: AtomicU64,
}

impl Boot {
    /// The start of this program is now. `Err` if the system provides no random numbers.
    pub fn now() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes)?;
        let since = ClockPair::now().map(|pair| pair.boot);
        Ok(Self { id: hex(&bytes), began: Instant::now(), since, told: AtomicU64::new(0) })
    }

    /// Its name: 16 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whole milliseconds since then.
    pub fn up(&self) -> u64 {
        let counted = self.since.zip(ClockPair::now()).map(|(began, now)| now.boot.saturating_sub(began));
        let monotonic = || u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let up = counted.unwrap_or_else(monotonic);
        self.told.fetch_max(up, Ordering::Relaxed).max(up)
    }
}

/// Random bytes from the system, for ids, numbers and serial numbers.
pub fn chance<const LENGTH: usize>() -> Result<[u8; LENGTH], getrandom::Error> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
