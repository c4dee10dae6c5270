//! How long what is asked of Bluetooth may take.

use std::time::Duration;

/// How long each step may take. Waiting for a board to be switched on has no limit of its own; after `scan` people
/// are told, and it is looked for again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timings {
    /// A plain question to the system's Bluetooth service: milliseconds in fact.
    pub ask: Duration,
    /// Until a board that is on must have been seen: they advertise every 0.1 to 2 s.
    pub scan: Duration,
    /// Connecting, with the list of services: 2 s in fact.
    pub connect: Duration,
    /// Reading the services, subscribing, a write that is confirmed.
    pub step: Duration,
    /// A write that is only queued.
    pub command: Duration,
    /// Taking leave: 2 to 3 s in fact.
    pub leave: Duration,
    /// Between two questions whether a board that says nothing is still connected.
    pub alive: Duration,
    /// Before a step that failed for a moment's reason is tried again.
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
