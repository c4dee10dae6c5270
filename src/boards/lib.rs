//! Boards: bytes from a port to observations.
//!
//! Codecs know bytes and no game; links know ports and no bytes; one supervisor reconnects for all
//! makers. What a board tells goes to the tracker as [`Observation`](tabiya_types::Observation)s.
#![warn(clippy::indexing_slicing)]

pub mod address;
mod backoff;
pub mod capture;
pub mod discover;
pub mod doctor;
pub mod driver;
mod event;
mod flood;
pub mod human;
pub mod lights;
pub mod link;
pub mod makers;
pub mod notes;
pub mod sim;
// Pseudo-terminals are Unix's.
#[cfg(unix)]
pub mod sim_host;
pub mod steady;
pub mod supervisor;
pub mod typed;

pub use event::{
    BoardEvent, BoardInfo, ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask,
    ClockTimes, Declaration, Side, TagNews,
};

/// The page on adding a board has a whole one in it, which is compiled and run here.
#[cfg(doctest)]
#[doc = include_str!("../../docs/adding-a-board.md")]
struct AddingABoard;
