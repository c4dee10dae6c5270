//! The chips of one game: each player's stack, contribution and award.

use tabiya_types::{ByColor, Color};

use super::chips::Chips;

/// The chips of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stakes {
    /// The chips that each player has left, including chips won in this game.
    pub stacks: ByColor<Chips>,
    /// The chips that each player has put into the pot; after the game, only the chips that the opponent matched.
    pub contributed: ByColor<Chips>,
    /// The chips that each player has received from the pot.
    pub awarded: ByColor<Chips>,
}

impl Stakes {
    /// The chips in the pot.
    pub fn pot(&self) -> Chips {
        (self.contributed.white + self.contributed.black)
            .saturating_sub(self.awarded.white + self.awarded.black)
    }

    /// The player who got the whole pot; `None` if nobody did, or if each took his own chips back.
    pub fn taker(&self) -> Option<Color> {
        let got =
            |color: Color| self.awarded[color] > Chips::ZERO && self.awarded[color.other()] == Chips::ZERO;
        Color::ALL.into_iter().find(|color| got(*color))
    }

    /// Gives chips that the opponent has not matched back to the player who put them in.
    pub fn return_uncalled(&mut self) {
        for color in Color::ALL {
            let over = self.contributed[color].saturating_sub(self.contributed[color.other()]);
            self.contributed[color] = self.contributed[color].saturating_sub(over);
            self.stacks[color] += over;
        }
    }

    /// Gives the pot to the winner. Without a winner, gives both players their own contributions back. If the pot was
    /// awarded before, that award is taken back first. Chips of it that a ruling has removed stay out of play.
    pub fn award(&mut self, winner: Option<Color>) {
        self.return_uncalled();
        let mut gone = ByColor::<Chips>::default();
        for color in Color::ALL {
            gone[color] = self.awarded[color].saturating_sub(self.stacks[color]);
            self.stacks[color] = self.stacks[color].saturating_sub(self.awarded[color]);
        }
        for color in Color::ALL {
            let got = match winner {
                Some(winner) if winner == color => self.contributed.white + self.contributed.black,
                Some(_) => Chips::ZERO,
                None => self.contributed[color],
            };
            self.awarded[color] = got;
            self.stacks[color] += got;
        }
        for color in Color::ALL {
            let payer = if self.stacks[color] >= gone[color] { color } else { color.other() };
            self.stacks[payer] = self.stacks[payer].saturating_sub(gone[color]);
        }
    }
}
