//! The games of a match that are over and were followed by another.

use tabiya_types::{Seat, Stack};

use crate::clock::Clock;
use crate::rules::Game;

/// A game that is over and was followed by another.
#[derive(Debug)]
pub struct PastGame {
    /// Who had White.
    pub white: Seat,
    /// The game at its end.
    pub game: Box<dyn Game>,
    /// The clock at its end.
    pub clock: Clock,
}

/// All such games of a match. Shared by all states of the match that have played them.
#[derive(Clone, Debug, Default)]
pub struct PastGames(Stack<PastGame>);

impl PastGames {
    pub(super) fn push(&mut self, game: PastGame) {
        self.0.push(game);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The games, the first one first.
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
