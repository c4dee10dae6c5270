//! Waiting in this crate's own tests: for a condition, with a deadline that is reached only if the program is broken.
#![allow(dead_code, reason = "the features decide which tests are built")]
#![expect(clippy::disallowed_methods, reason = "ports and threads are waited for in real time")]

use std::time::{Duration, Instant};

/// The longest wait for a condition.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until `holds` returns true; panics after [`PATIENCE`].
#[track_caller]
pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "waited {PATIENCE:?} in vain");
        std::thread::sleep(Duration::from_millis(2));
    }
}
