//! Waiting: the one place in the tests where a thread sleeps.
//!
//! A test waits until a condition holds. The deadline of the wait passes only if the program is broken.
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::disallowed_methods, reason = "real programs and devices are waited for in real time")]

use std::time::{Duration, Instant};

/// The deadline of a wait. Everything that the tests wait for happens sooner, even on a busy or an emulated machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// The pause between two checks of a condition.
const POLL: Duration = Duration::from_millis(10);

/// Calls `look` until it returns `Ok`. After [`PATIENCE`] it panics with the last error.
#[track_caller]
pub(crate) fn wait_until<T>(mut look: impl FnMut() -> Result<T, String>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        match look() {
            Ok(found) => return found,
            Err(seen) => assert!(Instant::now() < until, "still waiting after {PATIENCE:?}: {seen}"),
        }
        std::thread::sleep(POLL);
    }
}

/// Calls `look` until it returns `Some`. After [`PATIENCE`] it panics and names `what`.
#[track_caller]
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    wait_until(|| look().ok_or_else(|| what.to_owned()))
}

/// Calls `look` until it returns `Some`, for at most `span`.
pub(crate) fn found_within<T>(span: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let until = Instant::now() + span;
    loop {
        let found = look();
        if found.is_some() || Instant::now() >= until {
            return found;
        }
        std::thread::sleep(POLL);
    }
}

/// Lets real time pass. Only for tests whose subject is real time: hands that move pieces, a process that is stopped,
/// a kill at a random moment.
pub(crate) fn let_pass(span: Duration) {
    let end = Instant::now() + span;
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        std::thread::sleep(left);
    }
}
