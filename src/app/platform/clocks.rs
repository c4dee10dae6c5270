//! The system's clocks besides the monotonic one.

#[cfg(any(target_os = "linux", target_os = "android"))]
use nix::time::{ClockId, clock_gettime};

#[cfg(any(target_os = "linux", target_os = "android"))]
fn read(clock: ClockId) -> Option<u64> {
    let time = clock_gettime(clock).ok()?;
    let (seconds, nanos) = (u64::try_from(time.tv_sec()).ok()?, u64::try_from(time.tv_nsec()).ok()?);
    Some(seconds.saturating_mul(1000).saturating_add(nanos / 1_000_000))
}

/// The boot clock, which keeps running while the computer sleeps, and the monotonic clock, which does not, in ms; `None` if
/// the system does not have both (Linux, `clock_gettime(2)`).
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn boot_and_monotonic() -> Option<(u64, u64)> {
    let monotonic = read(ClockId::CLOCK_MONOTONIC)?;
    Some((read(ClockId::CLOCK_BOOTTIME)?, monotonic))
}

/// `None`, because this system does not have both clocks.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn boot_and_monotonic() -> Option<(u64, u64)> {
    None
}

/// For how long this thread has worked, in ms; zero if the system does not tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn thread_time() -> u64 {
    read(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap_or(0)
}

/// Zero, because this system does not tell.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn thread_time() -> u64 {
    0
}
