//! The lines of a turn: the die, exchanges, shown cards, the card that is laid, the move, the card put back, and bets.
//!
//! Each line is checked completely before it changes anything. `cards.rs` and `stake.rs` know what the lines do.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 6 to 29; `docs/record-pokerdrez.md`, "How lines act", 3 to 11 and 13.

use tabiya_types::Color;

use super::cards::{DrezCards, unpressed};
use super::letter::DrezCard;
use super::pool::HAND;
use super::refusals::{DrezError, StakeError};
use super::state::PokerDrezState;
use crate::rules::bet::Bet;
use crate::rules::betting::{RaiseRange, not_your_bet};
use crate::rules::game::Game;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::play::Play;
use crate::rules::play_action::PlayAction;
use crate::rules::uci::Uci;
use crate::rules::violation::Violation;

impl PokerDrezState {
    /// Refuses what only a player may do whose turn it is, who has not moved yet, and only while cards count.
    fn may_use_cards(&self, by: Color) -> Result<(), Violation> {
        let play = self.dealt()?;
        self.nothing_waits()?;
        if let Some(owing) = self.owing() {
            return Err(self.no(&DrezError::Owes(owing)));
        }
        play.may_move(by)?;
        if self.cards.count() { Ok(()) } else { Err(self.no(&DrezError::CardsAside)) }
    }

    /// Lets a player do something with the cards before his move.
    pub(super) fn use_cards<T>(
        &mut self,
        by: Color,
        what: impl FnOnce(&mut DrezCards, &Play) -> Result<T, DrezError>,
    ) -> Result<T, Violation> {
        self.may_use_cards(by)?;
        let Some(play) = &self.play else { return Err(self.no(&DrezError::NotDealt)) };
        let done = what(&mut self.cards, play);
        done.map_err(|error| self.no(&error))
    }

    pub(super) fn show(&mut self, by: Color, cards: [DrezCard; HAND]) -> Result<(), Violation> {
        let stuck_draws = self.terms.stuck_draws;
        if let Some(outcome) =
            self.use_cards(by, |all, play| all.show_hand(play, by, (cards, stuck_draws)))?
        {
            self.end(outcome);
        }
        Ok(())
    }

    pub(super) fn moved(&mut self, by: Color, uci: Uci, action: &PlayAction) -> Result<(), Violation> {
        let play = self.dealt()?;
        if let Some(owing) = self.owing() {
            return Err(self.no(&DrezError::Owes(owing)));
        }
        play.may_move(by)?;
        let mut next = play.clone();
        let ended = next.apply(action)?;
        let with = self.cards.use_for(play, by, uci).map_err(|error| self.no(&error))?;
        self.play = Some(next);
        self.moved_with.push(with);
        match ended {
            Some(outcome) => self.end(outcome),
            None => self.cards.moved(by, with),
        }
        Ok(())
    }

    pub(super) fn put_back(&mut self, by: Color, card: DrezCard) -> Result<(), Violation> {
        self.dealt()?;
        self.nothing_waits()?;
        if self.owing() != Some(by) {
            return Err(self.no(&DrezError::NothingOwed));
        }
        let done = self.cards.lay_owed(by, card);
        done.map_err(|error| self.no(&error))
    }

    pub(super) fn claim(
        &mut self,
        by: Color,
        uci: Option<Uci>,
        action: &PlayAction,
    ) -> Result<(), Violation> {
        let play = self.dealt()?;
        let ended = play.clone().apply(action)?;
        if let Some(uci) = uci
            && self.cards_count()
        {
            // The other's turn counts as ended, and with it what was laid or thrown in it.
            if unpressed(play) {
                return Err(self.no(&DrezError::NoCard(by)));
            }
            self.cards.use_for(play, by, uci).map_err(|error| self.no(&error))?;
        }
        if let Some(outcome) = ended {
            self.end(outcome);
        }
        Ok(())
    }

    // ---- bets ----

    /// The player who may raise now, and how far.
    pub(super) fn may_raise(&self) -> Option<(Color, RaiseRange)> {
        let play = self.play.as_ref().filter(|_| self.outcome.is_none())?;
        let by = self.answerer().or_else(|| Some(play.to_move()).filter(|_| !unpressed(play)))?;
        Some((by, self.stake.raise_range()?))
    }

    pub(super) fn bet(&mut self, by: Color, bet: Bet) -> Result<(), Violation> {
        if !self.stake.has_chips() {
            return Err(self.no(&StakeError::NoBets.into()));
        }
        let play = self.dealt()?;
        let answerer = self.answerer();
        match answerer {
            Some(answerer) if answerer != by => return Err(not_your_bet(answerer)),
            None if matches!(bet, Bet::Call | Bet::Fold) => {
                return Err(self.no(&StakeError::NothingToAnswer.into()));
            }
            Some(_) | None => {}
        }
        match bet {
            Bet::Check | Bet::AllIn => Err(self.no(&StakeError::NoSuchBet.into())),
            Bet::Fold => {
                self.end(Outcome::won(by.other(), Reason::Fold));
                Ok(())
            }
            Bet::Call => {
                self.stake.call(by);
                Ok(())
            }
            Bet::Raise(to) => {
                if answerer.is_none() {
                    if let Some(owing) = self.owing() {
                        return Err(self.no(&DrezError::Owes(owing)));
                    }
                    play.may_move(by)?;
                }
                let done = self.stake.raise(by, to);
                done.map_err(|error| self.no(&error.into()))
            }
        }
    }
}
