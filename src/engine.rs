//! The pure engine of Tabiya: rules, clock, table, tracker, and the record's text.
//!
//! A table is a fold over a record. Nothing here does IO, reads the time or draws chance: whatever is
//! needed of the world comes in as an argument. `docs/architecture.md` is the map; which room of these
//! may use which, `tests/rooms.rs` knows.

pub mod clock;
pub mod record;
pub mod rules;
pub mod sense;
pub mod table;

/// The sketches of the games to come are built with the tests, so that they stay true.
#[cfg(doctest)]
#[doc = include_str!("../docs/architecture.md")]
struct Architecture;
