//! The chips of one game: what each has, has put in, and got out.

use tabiya_types::{ByColor, Color};

use super::chips::Chips;

/// The chips of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stakes {
    /// What each has behind, what was won included.
    pub stacks: ByColor<Chips>,
    /// What each has put in; matched chips only once the game is over.
    pub contributed: ByColor<Chips>,
    /// What each got out.
    pub awarded: ByColor<Chips>,
}

impl Stakes {
    /// What lies in the pot.
    pub fn pot(&self) -> Chips {
        (self.contributed.white + self.contributed.black).less(self.awarded.white + self.awarded.black)
    }

    /// Chips that the other did not match go back.
    pub fn return_uncalled(&mut self) {
        for color in Color::ALL {
            let over = self.contributed[color].less(self.contributed[color.other()]);
            self.contributed[color] = self.contributed[color].less(over);
            self.stacks[color] += over;
        }
    }

    /// The pot goes to the winner, or each takes back what he put in. An award made before goes back
    /// first; where a ruling has taken some of those chips away since, it is so much smaller now.
    pub fn award(&mut self, winner: Option<Color>) {
        self.return_uncalled();
        let mut gone = ByColor::<Chips>::default();
        for color in Color::ALL {
            gone[color] = self.awarded[color].less(self.stacks[color]);
            self.stacks[color] = self.stacks[color].less(self.awarded[color]);
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
            self.stacks[payer] = self.stacks[payer].less(gone[color]);
        }
    }
}
