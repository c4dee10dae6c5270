//! The list of all games that Tabiya supports.

use super::bare_clock::BareClock;
use super::chess::Chess;
use super::choker::Choker;
use super::kind::Games;

/// All games that Tabiya supports.
pub static GAMES: Games = &[&Choker, &Chess, &BareClock];
