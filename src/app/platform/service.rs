//! The service manager of a small computer behind a board (systemd), which starts the table and starts it anew when its loop
//! hangs: `sd_notify(3)`. Other systems have none that asks.

use std::time::Duration;

use tabiya_types::{Instant, Millis};

/// A service manager that wants to hear regularly that the table's loop runs.
pub(crate) struct ServiceManager {
    every: Millis,
    told: Instant,
}

impl ServiceManager {
    /// Tells the manager that the table is ready. `None` if there is none, or it does not want to hear more.
    pub(crate) fn tell_ready(now: Instant) -> Option<Self> {
        let patience = told_ready()?;
        // Twice a third of the time stays for a slow disk.
        Some(Self { every: Millis(u64::try_from(patience.as_millis()).ok()? / 3), told: now })
    }

    /// Tells the manager that the loop runs, if it is time for that.
    pub(crate) fn hear(&mut self, now: Instant) {
        if now.since(self.told) >= self.every {
            self.hear_after_stop(now);
        }
    }

    /// Tells the manager that the loop runs again. For the manager its stop has lasted, although the timeline leaves it out.
    pub(crate) fn hear_after_stop(&mut self, now: Instant) {
        self.told = now;
        tell_alive();
    }

    /// The longest time for which the loop may wait.
    pub(crate) fn longest_wait(&self) -> Duration {
        Duration::from_millis(self.every.0)
    }
}

#[cfg(target_os = "linux")]
fn told_ready() -> Option<Duration> {
    // Without a manager there is nobody to tell; an error of one that is there changes nothing for the table.
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
    sd_notify::watchdog_enabled()
}

#[cfg(target_os = "linux")]
fn tell_alive() {
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
}

#[cfg(not(target_os = "linux"))]
fn told_ready() -> Option<Duration> {
    None
}

#[cfg(not(target_os = "linux"))]
fn tell_alive() {}
