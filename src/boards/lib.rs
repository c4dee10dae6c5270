//! Boards: bytes from a port to observations.
//!
//! Codecs know bytes and no game; links know ports and no bytes; one supervisor reconnects for all
//! makers. What a board tells goes to the tracker as [`Observation`](tabiya_types::Observation)s.
#![warn(clippy::indexing_slicing)]

pub mod address;
pub mod brand;
pub mod capture;
pub mod catalog;
pub mod driver;
mod event;
pub mod human;
pub mod lights;
pub mod link;
pub mod maker;
pub mod makers;
pub mod near;
pub mod notes;
mod open;
pub mod ports;
pub mod probe;
pub mod sim;
// Pseudo-terminals are Unix's.
#[cfg(unix)]
pub mod sim_host;
pub mod steady;
pub mod supervisor;
pub mod typed;
pub mod ways;

pub use event::{
    BoardEvent, BoardInfo, ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask,
    ClockTimes, Declaration, Side, TagNews,
};

/// The page on adding a board has a whole one in it, which is compiled and run here.
#[cfg(doctest)]
#[doc = include_str!("../../docs/adding-a-board.md")]
struct AddingABoard;
