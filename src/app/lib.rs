//! The running table: connects devices, table, record and clock. It draws no window.
//!
//! This is the only crate that waits and retries. Its loop gets the time from outside (the real clock, a capture, or a
//! simulated clock), so a test can play a whole evening in a second.

pub mod alerts;
pub mod board_notes;
pub mod captures;
pub mod chip_set;
pub mod deals;
pub mod deck_work;
pub mod desk;
pub mod doctor;
pub mod fault_report;
pub mod hall;
pub mod keypads;
pub mod lesson;
pub mod owing;
pub mod own_cards;
pub mod piece_sets;
mod platform;
pub mod robots;
pub mod seating;
pub mod session;
pub mod sleep;
pub mod snapshot;
pub mod story;
pub mod time;
pub mod view;
pub mod words;

pub use session::{Announcement, InputFault, Session};

/// The complete example board in `docs/adding-a-board.md`, compiled and run here as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../../docs/adding-a-board.md")]
struct AddingABoard;
