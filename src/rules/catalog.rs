//! The list of all games that Tabiya supports.

use super::bare_clock::BareClock;
use super::chess::Chess;
use super::chess_joker::ChessJoker;
use super::choker::Choker;
use super::kind::Games;
use super::poker_chess::PokerChess;
use super::pokerdrez::PokerDrez;

/// All games that Tabiya supports.
pub static GAMES: Games = &[&Choker, &Chess, &PokerChess, &PokerDrez, &ChessJoker, &BareClock];

/// The name of the game that consists only of a clock; empty if there is no such game.
pub fn clock_alone() -> &'static str {
    GAMES.iter().find(|kind| kind.is_clock_only()).map_or("", |kind| kind.name())
}
