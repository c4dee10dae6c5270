//! Betting between two players, one street at a time, in three betting structures: no-limit, pot-limit, limit.
//!
//! Source: printed rules B1–B7; rulings 3 and 5 in `docs/rules.md`; `docs/record.md`, "How lines act", rules 3–5.
//! This module knows neither cards nor the clock.

use tabiya_types::{ByColor, Color, Sentence, say};

use super::action::Action;
use super::bet::Bet;
use super::chips::Chips;
use super::offer::Offer;
use super::stakes::Stakes;
use super::violation::Violation;

/// The betting structure: how much a player may bet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Structure {
    /// No-limit: up to the whole stack.
    NoLimit,
    /// Pot-limit: a raise adds at most as many chips as are in the pot after calling.
    PotLimit,
    /// Limit: every bet and raise has a fixed size, and a street allows a limited number of raises.
    Limit {
        /// The size of every bet and raise, in chips.
        bet: Chips,
        /// How many raises a street allows, after the big blind or the opening bet.
        raises: u32,
    },
}

/// The effect of a bet that is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Put {
    Fold,
    /// The player adds this many chips to match the bet; zero is a check.
    Match(Chips),
    /// The player raises to this total on the street.
    Raise(Chips),
}

/// The reason why a bet is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.what())]
pub enum BetError {
    /// It is the other player's turn to bet.
    NotYourTurn {
        /// The player whose turn it is.
        actor: Color,
    },
    /// A check is not possible because there is a bet to call.
    CheckFacingBet {
        /// What a call costs, in chips.
        call: Chips,
    },
    /// The raise is below the minimum raise.
    TooSmall {
        /// The total on the street to which the player wanted to raise.
        to: Chips,
        /// The smallest total to which a raise is allowed.
        least: Chips,
        /// Whether nobody has bet on this street, so that it would be a bet.
        opens: bool,
    },
    /// The raise is more than the player has.
    AboveStack {
        /// The total on the street to which the player wanted to raise.
        to: Chips,
        /// The player's whole stack, as a total on the street.
        most: Chips,
    },
    /// The raise is more than the pot limit allows.
    AbovePot {
        /// The total on the street to which the player wanted to raise.
        to: Chips,
        /// The largest total to which a raise is allowed.
        most: Chips,
    },
    /// In a limit game, the raise does not have the fixed size.
    NotFixed {
        /// The total on the street to which the player wanted to raise.
        to: Chips,
        /// The only total to which a raise is allowed.
        fixed: Chips,
    },
    /// All raises that the street allows are used up.
    RaisesUsedUp {
        /// How many raises the street allows.
        raises: u32,
    },
    /// The opponent is all-in and cannot call a raise.
    FacingAllIn {
        /// The player who is all-in.
        other: Color,
    },
}

impl BetError {
    fn rule(&self) -> &'static str {
        match self {
            Self::NotYourTurn { .. } => "not-your-bet",
            Self::CheckFacingBet { .. } => "check-facing-a-bet",
            Self::TooSmall { .. } => "raise-too-small",
            Self::AboveStack { .. } => "raise-above-stack",
            Self::AbovePot { .. } => "raise-above-pot-limit",
            Self::NotFixed { .. } => "raise-not-fixed",
            Self::RaisesUsedUp { .. } => "raises-used-up",
            Self::FacingAllIn { .. } => "raise-facing-all-in",
        }
    }

    fn what(&self) -> Sentence {
        match *self {
            Self::NotYourTurn { actor } => {
                say!("not-your-bet", "it is {actor}'s turn to bet", actor)
            }
            Self::CheckFacingBet { call } => {
                say!(
                    "check-facing-a-bet",
                    "there is a bet of {call} to call, so a check is not possible",
                    call
                )
            }
            Self::TooSmall { to, least, opens: true } => {
                say!("bet-too-small", "a bet of {to} is too small: the minimum is {least}", to, least)
            }
            Self::TooSmall { to, least, opens: false } => {
                say!("raise-too-small", "a raise to {to} is too small: the minimum is {least}", to, least)
            }
            Self::AboveStack { to, most } => {
                say!(
                    "raise-above-stack",
                    "a raise to {to} is more than the whole stack: the maximum is {most}",
                    to,
                    most
                )
            }
            Self::AbovePot { to, most } => {
                say!(
                    "raise-above-pot-limit",
                    "a raise to {to} is above the pot limit: the maximum is {most}",
                    to,
                    most
                )
            }
            Self::NotFixed { to, fixed } => {
                say!(
                    "raise-not-fixed",
                    "with fixed bets a raise must be to exactly {fixed}, not to {to}",
                    fixed,
                    to
                )
            }
            Self::RaisesUsedUp { raises } => {
                say!(
                    "raises-used-up",
                    "no more raises are allowed on this street: the limit is {raises}",
                    raises
                )
            }
            Self::FacingAllIn { other } => {
                say!(
                    "raise-facing-all-in",
                    "{other} is all-in, so nobody may put in more than the call",
                    other
                )
            }
        }
    }

    fn explain(&self, next: Sentence) -> Violation {
        Violation::new(self.rule(), self.what(), next)
    }
}

/// The violation for a bet out of turn; `actor` is the player whose turn it is.
pub(super) fn not_your_bet(actor: Color) -> Violation {
    let next = say!("not-your-bet-next", "wait for {actor}", actor);
    BetError::NotYourTurn { actor }.explain(next)
}

/// The range of amounts to which a player may raise. Each amount is the total that the player would then have put in on
/// this street.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaiseRange {
    /// The smallest total to which the player may raise.
    pub least: Chips,
    /// The largest total to which the player may raise.
    pub most: Chips,
}

/// The bet that a player has to make now, for the screens: who, what a call costs, and which raises are legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BetDue {
    /// The player whose turn it is to bet.
    pub by: Color,
    /// What a call costs, in chips; zero if the player may check.
    pub call: Chips,
    /// The chips that each player has put in on this street.
    pub put: ByColor<Chips>,
    /// The range of totals to which the player may raise; `None` if no raise is legal.
    pub raise: Option<RaiseRange>,
    /// The total after a pot-sized raise. If it is outside the range `raise`, the nearest total within the range.
    pub pot_raise: Option<Chips>,
}

/// An amount of a raise that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaiseAmount {
    /// The smallest.
    Least,
    /// By half of the pot.
    HalfPot,
    /// By the pot.
    Pot,
    /// The whole stack, or what the other can match of it.
    Most,
    /// The highest stake that is agreed, which need not be the whole stack.
    Highest,
}

impl BetDue {
    /// The totals of raises that have names, the smallest first; empty if no raise is legal. An amount that two names mean is there
    /// once, under the first.
    pub fn raise_amounts(&self) -> Vec<(RaiseAmount, Chips)> {
        let Some(RaiseRange { least, most }) = self.raise else { return Vec::new() };
        let level = self.put.white.max(self.put.black).0;
        let half = |pot: Chips| Chips((level + pot.0.saturating_sub(level) / 2).clamp(least.0, most.0));
        let mut amounts = vec![(RaiseAmount::Least, least)];
        amounts.extend(
            self.pot_raise
                .into_iter()
                .flat_map(|pot| [(RaiseAmount::HalfPot, half(pot)), (RaiseAmount::Pot, pot)]),
        );
        // Where no pot-sized raise is known, a highest stake is agreed.
        let last = if self.pot_raise.is_some() { RaiseAmount::Most } else { RaiseAmount::Highest };
        amounts.push((last, most));
        let mut seen = Vec::new();
        amounts.retain(|(_, amount)| {
            let is_new = !seen.contains(amount);
            seen.push(*amount);
            is_new
        });
        amounts
    }
}

/// The state of a street after a bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StreetEnd {
    /// A player still has to act.
    GoesOn,
    /// The betting of this street is over: the bets are equal, or the shorter stack is all-in.
    Equal,
    /// This player folded.
    Folded(Color),
}

/// One betting round in which a player still has to act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Street {
    structure: Structure,
    big_blind: Chips,
    /// The chips that each player has put in on this street.
    put: ByColor<Chips>,
    /// The size of the last full raise on this street, in chips.
    last_raise: Chips,
    raises: u32,
    acted: ByColor<bool>,
    actor: Color,
}

impl Street {
    /// The first street: White posts the small blind and Black the big blind; a player with fewer chips posts
    /// the whole stack. `None` if no player has a decision to make.
    pub(crate) fn with_blinds(
        structure: Structure,
        stakes: &mut Stakes,
        small_blind: Chips,
        big_blind: Chips,
    ) -> Option<Self> {
        let mut put = ByColor::default();
        for (color, blind) in [(Color::White, small_blind), (Color::Black, big_blind)] {
            put[color] = blind.min(stakes.stacks[color]);
            pay(stakes, color, put[color]);
        }
        let street = Self::new(structure, big_blind, put, Color::White);
        let decides = stakes.stacks.white > Chips::ZERO && put.white < put.black;
        decides.then_some(street)
    }

    /// A later street. `None` if a player is all-in: then the cards are dealt without betting.
    pub(crate) fn later(
        structure: Structure,
        stakes: &Stakes,
        big_blind: Chips,
        first: Color,
    ) -> Option<Self> {
        let both = stakes.stacks.white > Chips::ZERO && stakes.stacks.black > Chips::ZERO;
        both.then(|| Self::new(structure, big_blind, ByColor::default(), first))
    }

    fn new(structure: Structure, big_blind: Chips, put: ByColor<Chips>, actor: Color) -> Self {
        Self {
            structure,
            big_blind,
            put,
            last_raise: Chips::ZERO,
            raises: 0,
            acted: ByColor::default(),
            actor,
        }
    }

    /// The player whose turn it is to bet.
    pub(crate) fn actor(&self) -> Color {
        self.actor
    }

    /// Gives the turn to another player, after a ruling.
    pub(crate) fn set_actor(&mut self, actor: Color) {
        self.actor = actor;
    }

    /// Applies a ruling that corrected how many chips the players have contributed. The difference between `after` and
    /// `before` is added to the chips that were put in on this street.
    pub(crate) fn correct_put(&mut self, before: &Stakes, after: &Stakes) {
        for color in Color::ALL {
            self.put[color] =
                (self.put[color] + after.contributed[color]).saturating_sub(before.contributed[color]);
        }
    }

    /// What a call costs the player to act, in chips; at most his whole stack.
    pub(crate) fn call(&self, stakes: &Stakes) -> Chips {
        self.highest().saturating_sub(self.put[self.actor]).min(stakes.stacks[self.actor])
    }

    /// The range of totals to which the player to act may raise; `None` if no raise is legal.
    pub(crate) fn raise_range(&self, stakes: &Stakes) -> Option<RaiseRange> {
        let whole = self.whole(stakes);
        if whole <= self.highest() || self.facing_all_in(stakes) || self.capped() {
            return None;
        }
        let (least, most) = (self.least(), self.most(stakes).min(whole));
        if least <= most {
            Some(RaiseRange { least, most })
        } else if whole <= most {
            Some(RaiseRange { least: whole, most: whole })
        } else {
            None
        }
    }

    /// Checks whether this bet would be accepted, without making it.
    pub(crate) fn check(&self, stakes: &Stakes, by: Color, bet: Bet) -> Result<(), Violation> {
        self.judge(stakes, by, bet).map(drop).map_err(|error| self.explain(stakes, &error))
    }

    /// Makes a bet. On `Err` nothing has changed.
    pub(crate) fn bet(&mut self, stakes: &mut Stakes, by: Color, bet: Bet) -> Result<StreetEnd, Violation> {
        let put = self.judge(stakes, by, bet).map_err(|error| self.explain(stakes, &error))?;
        self.acted[by] = true;
        match put {
            Put::Fold => return Ok(StreetEnd::Folded(by)),
            Put::Match(chips) => self.put_in(stakes, by, chips),
            Put::Raise(to) => {
                let step = to.saturating_sub(self.highest());
                if self.highest() > Chips::ZERO {
                    self.raises += 1;
                }
                // After an all-in that raises by less than a full raise, the minimum size of later raises stays the
                // same.
                if to >= self.least() {
                    self.last_raise = step;
                }
                self.put_in(stakes, by, to.saturating_sub(self.put[by]));
            }
        }
        let other = by.other();
        let open = self.highest() > self.put[other];
        let all_in = stakes.stacks[by] == Chips::ZERO || stakes.stacks[other] == Chips::ZERO;
        let decides = stakes.stacks[other] > Chips::ZERO && (open || (!self.acted[other] && !all_in));
        self.actor = other;
        Ok(if decides { StreetEnd::GoesOn } else { StreetEnd::Equal })
    }

    fn judge(&self, stakes: &Stakes, by: Color, bet: Bet) -> Result<Put, BetError> {
        if by != self.actor {
            return Err(BetError::NotYourTurn { actor: self.actor });
        }
        let call = self.call(stakes);
        let whole = self.whole(stakes);
        match bet {
            Bet::Fold => Ok(Put::Fold),
            Bet::Check if call > Chips::ZERO => Err(BetError::CheckFacingBet { call }),
            Bet::Check | Bet::Call => Ok(Put::Match(call)),
            Bet::Raise(to) if to > whole => Err(BetError::AboveStack { to, most: whole }),
            Bet::Raise(to) if to == whole => self.judge_all_in(stakes),
            Bet::Raise(_) if self.facing_all_in(stakes) => Err(BetError::FacingAllIn { other: by.other() }),
            Bet::Raise(to) => self.judge_raise(stakes, to),
            Bet::AllIn => self.judge_all_in(stakes),
        }
    }

    /// Decides whether an all-in counts as a call or as a raise. It counts as a call in two cases: the stack is at most
    /// the call, or the opponent is all-in. In all other cases it counts as a raise.
    fn judge_all_in(&self, stakes: &Stakes) -> Result<Put, BetError> {
        let whole = self.whole(stakes);
        if whole <= self.highest() || self.facing_all_in(stakes) {
            return Ok(Put::Match(self.call(stakes)));
        }
        match self.structure {
            Structure::Limit { raises, .. } if self.capped() => Err(BetError::RaisesUsedUp { raises }),
            Structure::Limit { .. } if whole > self.least() => {
                Err(BetError::NotFixed { to: whole, fixed: self.least() })
            }
            _ if whole > self.most(stakes) => Err(BetError::AbovePot { to: whole, most: self.most(stakes) }),
            _ => Ok(Put::Raise(whole)),
        }
    }

    fn judge_raise(&self, stakes: &Stakes, to: Chips) -> Result<Put, BetError> {
        match self.structure {
            Structure::Limit { raises, .. } if self.capped() => Err(BetError::RaisesUsedUp { raises }),
            Structure::Limit { .. } if to != self.least() => {
                Err(BetError::NotFixed { to, fixed: self.least() })
            }
            _ if to < self.least() => {
                let opens = self.highest() == Chips::ZERO;
                Err(BetError::TooSmall { to, least: self.least(), opens })
            }
            _ if to > self.most(stakes) => Err(BetError::AbovePot { to, most: self.most(stakes) }),
            _ => Ok(Put::Raise(to)),
        }
    }

    /// The highest total that a player has put in on this street.
    fn highest(&self) -> Chips {
        self.put.white.max(self.put.black)
    }

    /// The stack of the player to act, as a total on the street.
    fn whole(&self, stakes: &Stakes) -> Chips {
        self.put[self.actor] + stakes.stacks[self.actor]
    }

    fn facing_all_in(&self, stakes: &Stakes) -> bool {
        stakes.stacks[self.actor.other()] == Chips::ZERO
    }

    fn capped(&self) -> bool {
        match self.structure {
            Structure::Limit { raises, .. } => self.highest() > Chips::ZERO && self.raises >= raises,
            Structure::NoLimit | Structure::PotLimit => false,
        }
    }

    /// The total of the smallest full raise; in a limit game no other raise is allowed.
    fn least(&self) -> Chips {
        let step = match self.structure {
            Structure::Limit { bet, .. } => bet,
            Structure::NoLimit | Structure::PotLimit => self.last_raise.max(self.big_blind),
        };
        self.highest() + step
    }

    /// The total of the largest raise that the betting structure allows.
    fn most(&self, stakes: &Stakes) -> Chips {
        match self.structure {
            Structure::NoLimit => self.whole(stakes),
            Structure::PotLimit => self.pot_sized(stakes),
            Structure::Limit { .. } => self.least(),
        }
    }

    /// The total of a raise by as many chips as are in the pot after calling.
    fn pot_sized(&self, stakes: &Stakes) -> Chips {
        let after_call = stakes.pot() + self.highest().saturating_sub(self.put[self.actor]);
        self.highest() + after_call
    }

    /// The bet that the player to act has to make.
    pub(crate) fn due(&self, stakes: &Stakes) -> BetDue {
        let raise = self.raise_range(stakes);
        BetDue {
            by: self.actor,
            call: self.call(stakes),
            put: self.put,
            raise,
            pot_raise: raise.map(|range| self.pot_sized(stakes).clamp(range.least, range.most)),
        }
    }

    fn put_in(&mut self, stakes: &mut Stakes, by: Color, chips: Chips) {
        self.put[by] += chips;
        pay(stakes, by, chips);
    }

    /// The violation for a refused bet, with what would be legal instead.
    fn explain(&self, stakes: &Stakes, error: &BetError) -> Violation {
        match error {
            BetError::NotYourTurn { actor } => not_your_bet(*actor),
            _ => error.explain(self.in_words(stakes)),
        }
    }

    /// All bets that the player to act may make.
    pub(crate) fn offers(&self, stakes: &Stakes) -> Vec<Offer> {
        let by = self.actor();
        let bet = |bet| Offer::Do(Action::Bet { by, bet });
        let stay = if self.call(stakes) > Chips::ZERO { Bet::Call } else { Bet::Check };
        let mut offers = vec![bet(Bet::Fold), bet(stay)];
        offers.extend(self.raise_range(stakes).map(|RaiseRange { least, most }| Offer::Raise {
            by,
            least,
            most,
        }));
        offers.extend(self.check(stakes, by, Bet::AllIn).is_ok().then(|| bet(Bet::AllIn)));
        offers
    }

    /// The legal bets as a sentence: `call 4, raise to 8 or more, or fold`.
    pub(crate) fn in_words(&self, stakes: &Stakes) -> Sentence {
        let call = self.call(stakes);
        let stay = if call > Chips::ZERO {
            say!("offer-call", "call {call}", call)
        } else {
            say!("offer-check", "check")
        };
        match self.raise_range(stakes) {
            Some(range) => {
                let raise = self.offer(range, self.whole(stakes));
                say!("offers-with-raise", "{stay}, {raise}, or fold", stay, raise)
            }
            None => say!("offers", "{stay}, or fold", stay),
        }
    }

    /// The possible raise as a sentence. The first bet of a street is called a bet, a later one a raise.
    fn offer(&self, RaiseRange { least, most }: RaiseRange, whole: Chips) -> Sentence {
        match (self.highest() > Chips::ZERO, least == most, most == whole) {
            (_, true, true) => say!("offer-all-in", "go all-in, to {most} in all", most),
            (true, true, false) => say!("offer-raise", "raise to {to}", to = least),
            (true, false, true) => say!("offer-raise-from", "raise to {least} or more", least),
            (true, false, false) => say!("offer-raise-between", "raise to {least} to {most}", least, most),
            (false, true, false) => say!("offer-bet", "bet {to}", to = least),
            (false, false, true) => say!("offer-bet-from", "bet {least} or more", least),
            (false, false, false) => say!("offer-bet-between", "bet {least} to {most}", least, most),
        }
    }
}

fn pay(stakes: &mut Stakes, by: Color, chips: Chips) {
    stakes.stacks[by] = stakes.stacks[by].saturating_sub(chips);
    stakes.contributed[by] += chips;
}
