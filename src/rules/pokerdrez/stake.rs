//! What a game of PokerDrez is played for: the least stake at the deal, raises in a turn, and who gets the stakes.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 25 to 29; `docs/record-pokerdrez.md`, "How lines act", 2 and 13.

use tabiya_types::{ByColor, Color};

use super::refusals::DrezError;
use super::state::PokerDrezState;
use crate::rules::action::Action;
use crate::rules::bet::Bet;
use crate::rules::betting::{BetDue, RaiseRange, not_your_bet};
use crate::rules::capability::Betting;
use crate::rules::chips::Chips;
use crate::rules::game::Game;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::stakes::Stakes;
use crate::rules::violation::{Violation, no_chips};

impl PokerDrezState {
    /// At the deal each player puts the least stake in, or what the smaller stack has.
    pub(super) fn put_in_least(&mut self) {
        let Some(bets) = self.terms.bets else { return };
        let Stakes { stacks, .. } = self.stakes;
        let least = bets.least.min(stacks.white).min(stacks.black);
        for color in Color::ALL {
            self.pay(color, least);
        }
    }

    fn pay(&mut self, by: Color, chips: Chips) {
        self.stakes.stacks[by] = self.stakes.stacks[by].saturating_sub(chips);
        self.stakes.contributed[by] += chips;
    }

    /// The totals to which a raise may go: above the stake so far, at most the highest stake and what either player
    /// can reach. `None` if no raise is possible.
    fn raise_range(&self) -> Option<RaiseRange> {
        let Stakes { stacks, contributed, .. } = self.stakes;
        let reach = |color: Color| stacks[color] + contributed[color];
        let least = contributed.white.max(contributed.black) + Chips(1);
        let most = self.terms.bets?.most.min(reach(Color::White)).min(reach(Color::Black));
        (least <= most).then_some(RaiseRange { least, most })
    }

    /// The player who may raise now, and how far.
    pub(super) fn may_raise(&self) -> Option<(Color, RaiseRange)> {
        let play = self.play.as_ref().filter(|_| self.outcome.is_none())?;
        let by = self.answerer().or_else(|| Some(play.to_move()).filter(|_| !self.unpressed()))?;
        Some((by, self.raise_range()?))
    }

    pub(super) fn bet(&mut self, by: Color, bet: Bet) -> Result<(), Violation> {
        if self.terms.bets.is_none() {
            return Err(self.no(&DrezError::NoBets));
        }
        let play = self.dealt()?;
        let answerer = self.answerer();
        match answerer {
            Some(answerer) if answerer != by => return Err(not_your_bet(answerer)),
            None if matches!(bet, Bet::Call | Bet::Fold) => {
                return Err(self.no(&DrezError::NothingToAnswer));
            }
            Some(_) | None => {}
        }
        match bet {
            Bet::Check | Bet::AllIn => return Err(self.no(&DrezError::NoSuchBet)),
            Bet::Fold => self.end(Outcome::won(by.other(), Reason::Fold)),
            Bet::Call => {
                self.pay(by, self.to_call(by));
                self.waits = false;
            }
            Bet::Raise(to) => {
                if answerer.is_none() {
                    if let Some(owing) = self.owing() {
                        return Err(self.no(&DrezError::Owes(owing)));
                    }
                    play.may_move(by)?;
                }
                self.raise(by, to)?;
            }
        }
        Ok(())
    }

    fn raise(&mut self, by: Color, to: Chips) -> Result<(), Violation> {
        let Some(RaiseRange { least, most }) = self.raise_range() else {
            return Err(self.no(&DrezError::NoRaise));
        };
        if !(least..=most).contains(&to) {
            return Err(self.no(&DrezError::OutOfRange { least, most }));
        }
        self.pay(by, to.saturating_sub(self.stakes.contributed[by]));
        (self.raised, self.waits) = (Some(by), true);
        Ok(())
    }

    /// What a player still has to put in to match the other's stake.
    pub(super) fn to_call(&self, by: Color) -> Chips {
        let Stakes { stacks, contributed, .. } = self.stakes;
        contributed[by.other()].saturating_sub(contributed[by]).min(stacks[by])
    }

    /// Gives the stakes to the winner. On a draw the player whose raise was the last has lost his, unless the draw is
    /// a ruling or the deal was fouled.
    pub(super) fn award(&mut self, outcome: Outcome) {
        let own_back = outcome.reason.is_ruled() || outcome.reason == Reason::FouledDeck;
        let against_raiser = self.raised.filter(|_| !own_back).map(Color::other);
        self.stakes.award(outcome.winner.or(against_raiser));
    }

    pub(super) fn rule_stakes(&mut self, stakes: Stakes) -> Result<(), Violation> {
        if self.terms.bets.is_none() {
            return Err(no_chips(DrezError::NoBets.what()));
        }
        self.stakes = stakes;
        Ok(())
    }
}

impl Betting for PokerDrezState {
    fn stakes(&self) -> Stakes {
        self.stakes
    }

    fn due(&self) -> Option<BetDue> {
        let by = self.answerer()?;
        let (call, put) = (self.to_call(by), self.stakes.contributed);
        Some(BetDue { by, call, put, raise: self.raise_range(), pot_raise: None })
    }

    fn bettor_on_time(&self) -> Option<Color> {
        self.answerer()
    }

    fn blinds(&self, _: u64) -> ByColor<Chips> {
        ByColor::default()
    }

    fn default_action(&self) -> Option<Action> {
        self.answerer().map(|by| Action::Bet { by, bet: Bet::Fold })
    }
}
