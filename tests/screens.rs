//! The screens as people use them: found and pressed by their accessible names, with a real table and a
//! real record behind them, in pretended time.
#![cfg(feature = "window")]
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]

#[path = "screens/cards.rs"]
mod cards;
#[path = "screens/clock.rs"]
mod clock;
#[path = "screens/harness.rs"]
mod harness;
#[cfg(feature = "snapshots")]
#[path = "screens/pictures.rs"]
mod pictures;
#[path = "screens/stories.rs"]
mod stories;
