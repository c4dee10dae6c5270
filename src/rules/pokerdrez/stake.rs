//! What a game of PokerDrez is played for: the least stake at the deal, raises in a turn, and who gets the stakes.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 25 to 29; `docs/record-pokerdrez.md`, "How lines act", 2 and 13.

use tabiya_types::{ByColor, Color};

use super::refusals::StakeError;
use super::terms::DrezBets;
use crate::rules::action::Action;
use crate::rules::bet::Bet;
use crate::rules::betting::{BetDue, RaiseRange};
use crate::rules::capability::Betting;
use crate::rules::chips::Chips;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::stakes::Stakes;

/// The stakes of one game. A raise waits only until it is answered or the stakes are given away.
#[derive(Clone, Debug)]
pub(super) struct DrezStake {
    bets: Option<DrezBets>,
    stakes: Stakes,
    /// Who raised last.
    raised: Option<Color>,
    /// Whether that raise waits for an answer.
    waits: bool,
}

impl DrezStake {
    /// Nobody has put anything in. Without `bets` no chips are played for.
    pub(super) fn new(bets: Option<DrezBets>, stacks: ByColor<Chips>) -> Self {
        Self { bets, stakes: Stakes { stacks, ..Stakes::default() }, raised: None, waits: false }
    }

    /// Whether chips are played for.
    pub(super) fn has_chips(&self) -> bool {
        self.bets.is_some()
    }

    /// Who raised last.
    pub(super) fn raised_by(&self) -> Option<Color> {
        self.raised
    }

    /// The player who has to answer a raise.
    pub(super) fn answerer(&self) -> Option<Color> {
        self.raised.filter(|_| self.waits).map(Color::other)
    }

    /// At the deal each player puts the least stake in, or what the smaller stack has.
    pub(super) fn put_in_least(&mut self) {
        let Some(bets) = self.bets else { return };
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
    pub(super) fn raise_range(&self) -> Option<RaiseRange> {
        let Stakes { stacks, contributed, .. } = self.stakes;
        let reach = |color: Color| stacks[color] + contributed[color];
        let least = contributed.white.max(contributed.black) + Chips(1);
        let most = self.bets?.most.min(reach(Color::White)).min(reach(Color::Black));
        (least <= most).then_some(RaiseRange { least, most })
    }

    /// The player who has to answer calls.
    pub(super) fn call(&mut self, by: Color) {
        self.pay(by, self.to_call(by));
        self.waits = false;
    }

    /// A player raises to this total.
    pub(super) fn raise(&mut self, by: Color, to: Chips) -> Result<(), StakeError> {
        let RaiseRange { least, most } = self.raise_range().ok_or(StakeError::NoRaise)?;
        if !(least..=most).contains(&to) {
            return Err(StakeError::OutOfRange { least, most });
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
        self.waits = false;
    }

    /// A ruling sets the chips.
    pub(super) fn rule(&mut self, stakes: Stakes) -> Result<(), StakeError> {
        if self.bets.is_none() {
            return Err(StakeError::NoBets);
        }
        self.stakes = stakes;
        Ok(())
    }
}

impl Betting for DrezStake {
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
