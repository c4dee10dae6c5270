//! The games that Tabiya knows, a line each.

use super::bare_clock::BareClock;
use super::chess::Chess;
use super::choker::Choker;
use super::game::Games;

/// The games that Tabiya knows.
pub static GAMES: Games = &[&Choker, &Chess, &BareClock];
