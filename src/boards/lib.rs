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
#[cfg(feature = "simulators")]
pub mod human;
pub mod laws;
pub mod lights;
pub mod link;
pub mod maker;
pub mod makers;
#[cfg(any(feature = "serial", feature = "ble", feature = "livechess"))]
pub mod near;
pub mod notes;
mod open;
#[cfg(feature = "serial")]
pub mod ports;
pub mod probe;
#[cfg(feature = "simulators")]
pub mod sim;
// Pseudo-terminals are Unix's.
#[cfg(all(unix, feature = "simulators"))]
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
