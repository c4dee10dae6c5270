//! The progress of a long task, shown to a person who waits at a terminal.
//!
//! In the first second of the task nothing is printed. If standard error is not a terminal, nothing is ever printed.

use std::io::{IsTerminal as _, Write as _};

use tabiya_app::time::RealTime;
use tabiya_types::{Instant, Millis, Timeline as _};

/// A task that takes less than this time shows no progress.
const PATIENCE: Millis = Millis(1_000);
/// How often the display is updated.
const EVERY: Millis = Millis(200);
/// The clock is read only once in this number of steps.
const STRIDE: u64 = 1_024;

/// The progress of a task.
pub(super) struct Progress {
    what: &'static str,
    timeline: RealTime,
    steps: u64,
    next: Instant,
    shown: bool,
    /// Whether standard error is a terminal.
    watched: bool,
}

impl Progress {
    /// Begins a task; `what` is a verb such as "replaying".
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

    /// Counts one more step. Updates the display if the last update was long enough ago.
    pub(super) fn step(&mut self) {
        self.steps += 1;
        if !self.watched || !self.steps.is_multiple_of(STRIDE) {
            return;
        }
        let now = self.timeline.now();
        if now >= self.next {
            (self.next, self.shown) = (now + EVERY, true);
            // An error is ignored, because the task can go on without showing its progress.
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
