//! The running table: wires devices, table, record and clock together. Headless.
//!
//! The one room that waits and retries. Its loop takes its time from outside: the real clock's, a
//! capture's, or a pretended one, so that an evening runs in a second.

pub mod cards_view;
pub mod desk;
pub mod doctor;
mod past;
pub mod presets;
pub mod robots;
pub mod session;
mod signals;
pub mod sleep;
pub mod snapshot;
pub mod store;
mod telling;
pub mod terminal;
pub mod time;
pub mod view;
pub mod words;

pub use session::{Announcement, InputFault, Session};

/// The page on adding a board has a whole one in it, which is compiled and run here.
#[cfg(doctest)]
#[doc = include_str!("../../docs/adding-a-board.md")]
struct AddingABoard;
