//! Boards: bytes from a port to observations.
//!
//! Codecs know bytes and no game; links know ports and no bytes; one supervisor reconnects for all
//! makers. What a board tells goes to the tracker as [`Observation`](crate::sense::Observation)s.
#![warn(clippy::indexing_slicing)]

pub mod dgt;
pub mod human;
