//! Rounds of an event: players, results, files of other programs, standings, pairings, levels and prizes, as values. Everything here
//! is pure: it reads no time, no chance and no files.
//!
//! Source: `docs/rounds.md`, and the texts of FIDE's handbook that each module names.

pub mod book;
pub mod chips;
pub mod crosstable;
pub mod csv;
pub mod levels;
pub mod pairs;
pub mod points;
pub mod prizes;
pub mod ratings;
pub mod season;
pub mod standings;
#[cfg(test)]
mod tests;
pub mod trf;
