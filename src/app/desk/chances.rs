//! What is drawn before a match begins: who plays White, a random deal, a start position. Each is shown until the next is drawn, and
//! numbered, so that people see that it was drawn again.

use super::environment::Environment;
use crate::deals;
use crate::snapshot::{Coin, DrawnPosition, Shuffled};

/// What was drawn last, each with how often.
#[derive(Debug, Default)]
pub(super) struct Chances {
    coin: Option<Coin>,
    shuffled: Option<Shuffled>,
    drawn: Option<DrawnPosition>,
}

impl Chances {
    /// The last toss of the coin, until a match has begun with it.
    pub(super) fn coin(&self) -> Option<Coin> {
        self.coin
    }

    /// The last random deal.
    pub(super) fn shuffled(&self) -> Option<Shuffled> {
        self.shuffled.clone()
    }

    /// The last start position of Chess960.
    pub(super) fn drawn(&self) -> Option<DrawnPosition> {
        self.drawn
    }

    /// Tosses the coin. `Err` is a sentence that says why there is no random number; what was drawn before stays then.
    pub(super) fn toss(&mut self, around: &Environment) -> Result<(), String> {
        let seat = (around.coin)()?;
        let toss = self.coin.map_or(1, |coin| coin.toss + 1);
        self.coin = Some(Coin { seat, toss });
        Ok(())
    }

    /// Takes the coin away: a match has begun.
    pub(super) fn put_coin_away(&mut self) {
        self.coin = None;
    }

    /// Draws a random deal. `Err` as for [`Self::toss`].
    pub(super) fn shuffle(&mut self, around: &Environment) -> Result<(), String> {
        let cards = deals::random(&around.chance)?;
        let draw = self.shuffled.as_ref().map_or(1, |last| last.draw + 1);
        self.shuffled = Some(Shuffled { cards, draw });
        Ok(())
    }

    /// Draws a start position of Chess960. `Err` as for [`Self::toss`].
    pub(super) fn draw_position(&mut self, around: &Environment) -> Result<(), String> {
        let number = deals::chess960(&around.chance)?;
        let draw = self.drawn.map_or(1, |last| last.draw + 1);
        self.drawn = Some(DrawnPosition { number, draw });
        Ok(())
    }
}
