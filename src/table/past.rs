//! The earlier games of a match.

use std::sync::Arc;

use tabiya_types::{BySeat, Seat, Stack};

use super::agreement::Agreement;
use super::input::Ruling;
use crate::clock::Clock;
use crate::rules::Game;

/// A game of the match that has ended and was followed by another.
#[derive(Debug)]
pub struct PastGame {
    /// The seat that had White.
    pub white: Seat,
    /// The game in its final state.
    pub game: Box<dyn Game>,
    /// The clock in its final state.
    pub clock: Clock,
    /// The terms that were in force at its end.
    pub agreement: Arc<Agreement>,
    /// The seats that confirmed its result.
    pub signed: BySeat<bool>,
    /// The chips that each player bought during the game; negative if he took some away.
    pub bought: BySeat<i64>,
}

/// A game of a match, over or running, as the match sheet needs it.
#[derive(Debug)]
pub struct PlayedGame<'a> {
    /// The seat that had White.
    pub white: Seat,
    /// The game.
    pub game: &'a dyn Game,
    /// Its clock.
    pub clock: &'a Clock,
    /// The terms that were in force at its end, or are now.
    pub agreement: &'a Agreement,
    /// The seats that confirmed its result.
    pub signed: BySeat<bool>,
    /// The arbiter's rulings in it that count, oldest first.
    pub rulings: Vec<&'a Ruling>,
}

/// The earlier games of a match. Copies share the games in memory.
#[derive(Clone, Debug, Default)]
pub struct PastGames(Stack<PastGame>);

impl PastGames {
    pub(super) fn push(&mut self, game: PastGame) {
        self.0.push(game);
    }

    /// How many earlier games there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no earlier games.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the games, oldest first.
    pub fn iter(&self) -> <&Self as IntoIterator>::IntoIter {
        self.0.oldest_first()
    }
}

impl<'a> IntoIterator for &'a PastGames {
    type Item = &'a PastGame;
    type IntoIter = std::iter::Rev<std::vec::IntoIter<&'a PastGame>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
