//! The record: its text, its chain of hashes, and the journal that keeps it.

pub mod chain;
pub mod json;

#[cfg(feature = "headless")]
pub mod journal;
