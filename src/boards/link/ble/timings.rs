//! Timeouts and intervals for Bluetooth LE.

use std::time::Duration;

/// Timeouts and intervals for Bluetooth LE. The search for a board has no total timeout: each time `scan` runs out,
/// people are informed, and the search starts again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timings {
    /// The timeout of a simple request to the system's Bluetooth service. In practice a request takes milliseconds.
    pub ask: Duration,
    /// The duration of one search. Boards advertise every 0.1 to 2 s.
    pub scan: Duration,
    /// The timeout of connecting, including reading the list of services. In practice this takes 2 s.
    pub connect: Duration,
    /// The timeout of reading the services, of subscribing, and of a confirmed write.
    pub step: Duration,
    /// The timeout of an unconfirmed write.
    pub command: Duration,
    /// The timeout of disconnecting. In practice this takes 2 to 3 s.
    pub leave: Duration,
    /// The interval at which the program checks whether a silent board is still connected.
    pub alive: Duration,
    /// The pause before a step that failed temporarily is retried.
    pub again: Duration,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            ask: Duration::from_secs(5),
            scan: Duration::from_secs(15),
            connect: Duration::from_secs(20),
            step: Duration::from_secs(5),
            command: Duration::from_secs(2),
            leave: Duration::from_secs(5),
            alive: Duration::from_secs(5),
            again: Duration::from_millis(300),
        }
    }
}
