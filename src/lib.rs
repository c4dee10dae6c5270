//! Tabiya: a companion for a real chess board, a real deck of cards and real chips.
//!
//! A table is a fold over a record. The rooms below `app` are pure: they do no IO, read no time
//! and draw no chance. `docs/architecture.md` is the map.

pub mod clock;
pub mod record;
pub mod rules;
pub mod sense;
pub mod table;

#[cfg(feature = "headless")]
pub mod app;
#[cfg(feature = "headless")]
pub mod cli;
#[cfg(feature = "headless")]
pub mod devices;
#[cfg(feature = "window")]
pub mod ui;

/// The page on adding a board has a whole one in it, which is compiled and run here.
#[cfg(all(doctest, feature = "headless"))]
#[doc = include_str!("../docs/adding-a-board.md")]
struct AddingABoard;
