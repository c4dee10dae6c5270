//! What several test files share.
#![allow(dead_code, reason = "each test file uses its own part")]

#[cfg(feature = "headless")]
pub mod fixtures;
pub mod hands;
