//! The engine of Tabiya: rules, clock, table, tracker, and the record as text.
//!
//! A table is a fold over the lines of a record. Nothing in this crate does IO, reads the time or draws random
//! numbers; times and random values come in as arguments. `docs/architecture.md` gives an overview, and
//! `tests/house/rooms.rs` checks which module may use which.

pub mod clock;
pub mod record;
pub mod rules;
pub mod sense;
pub mod table;

/// The documentation of the architecture, whose sketches of future games are compiled as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/architecture.md")]
struct Architecture;

/// The page for people who add a game, whose example is compiled and run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../docs/adding-a-game.md")]
struct AddingAGame;
