//! Boards: bytes from a port to observations; and cards with a chip in them.
//!
//! Codecs know bytes and no game; links know ports and no bytes; one supervisor reconnects for all
//! makers. What a board tells goes to the tracker as [`Observation`](crate::sense::Observation)s.
#![warn(clippy::indexing_slicing)]

pub mod address;
mod backoff;
pub mod boards;
pub mod capture;
pub mod cards;
pub mod discover;
pub mod doctor;
pub mod driver;
mod event;
mod flood;
pub mod human;
pub mod lights;
pub mod link;
pub mod notes;
pub mod sim;
// Pseudo-terminals are Unix's.
#[cfg(unix)]
pub mod sim_host;
pub mod steady;
pub mod supervisor;
pub mod typed;

use crate::clock::Instant;

pub use event::{
    BoardEvent, BoardInfo, ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask,
    ClockTimes, Declaration, Side, TagNews,
};

/// The time that the app lives in: the real clock's, a capture's, or a pretended one.
pub trait Timeline: Send + Sync {
    /// The moment that it is, never before one that was told earlier.
    fn now(&self) -> Instant;
}
