//! How far a long task has come, for a person who waits at a terminal.
//!
//! Says nothing before a second has passed, and nothing at all where nobody looks.

use std::io::{IsTerminal as _, Write as _};

use tabiya_app::time::RealTime;
use tabiya_types::{Instant, Millis, Timeline as _};

/// What takes no longer needs no words.
const PATIENCE: Millis = Millis(1_000);
/// How often it is said again.
const EVERY: Millis = Millis(200);
/// How many steps are taken between two looks at the clock.
const STRIDE: u64 = 1_024;

/// A long task.
pub(super) struct Progress {
    what: &'static str,
    timeline: RealTime,
    steps: u64,
    next: Instant,
    shown: bool,
    watched: bool,
}

impl Progress {
    /// A task that begins now; `what` as in "reading".
    pub(super) fn new(what: &'static str) -> Self {
        Self {
            what,
            timeline: RealTime::starting_at(Instant::ZERO),
            steps: 0,
            next: Instant::ZERO + PATIENCE,
            shown: false,
            watched: std::io::stderr().is_terminal(),
        }
    }

    /// One step more.
    pub(super) fn step(&mut self) {
        self.steps += 1;
        if !self.watched || !self.steps.is_multiple_of(STRIDE) {
            return;
        }
        let now = self.timeline.now();
        if now >= self.next {
            (self.next, self.shown) = (now + EVERY, true);
            // Nothing depends on whether it could be said.
            let _ = write!(std::io::stderr(), "\r{}: {} lines …", self.what, self.steps);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
