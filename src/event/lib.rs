//! A hall of tables: what tables and consoles of an event tell each other, who may do what there, and what a console makes of
//! it.
//!
//! The modules `wire`, `lists`, `orders`, `digits`, `joining`, `copies`, `fragments` and `rounds` are pure: they read no time, no chance and no files, and get the
//! check of signatures as an argument.
//!
//! Source: `docs/hall.md`, the contract.

pub mod boot;
pub mod certs;
pub mod console;
pub mod copies;
pub mod dial;
pub mod digits;
pub mod discover;
pub mod fragments;
pub mod join;
pub mod joining;
pub mod keypads;
pub mod laws;
pub mod lists;
pub mod orders;
pub mod pages;
mod passing;
mod ports;
pub mod rounds;
pub mod simulate;
pub mod socket;
pub mod stepped;
pub mod table;
pub mod tls;
pub mod wire;
