//! Simulated players of PokerDrez: pawns off, the deal, cards, die, exchanges and raises.
//!
//! A player lays any card that he can have, as far as everybody knows. So his hand needs no cards of its own.

use std::io::Write;

use tabiya_boards::human::Physical;
use tabiya_engine::rules::pokerdrez::{CardPlace, DrezAction, DrezCard, DrezOffer};
use tabiya_engine::rules::{Action, Bet, Offer, OwnAction};
use tabiya_engine::table::{Input, LegalInput};
use tabiya_types::{ByColor, Color, Millis, Square};

use super::{MatchSimulation, SAYING};
use crate::session::InputFault;

/// In so many of a hundred turns the die is thrown, a neutral card exchanged, or the stake raised.
const THROWS: u64 = 40;
const EXCHANGES: u64 = 4;
const RAISES: u64 = 4;

/// What a player of PokerDrez may do besides moving.
#[derive(Default)]
struct CardChoices {
    reveals: Vec<DrezAction>,
    returns: Vec<DrezAction>,
    offers: Vec<DrezOffer>,
    raise: Option<Action>,
}

impl CardChoices {
    fn of(legal: &[LegalInput]) -> Self {
        let mut choices = Self::default();
        for legal in legal {
            match legal {
                LegalInput::Game(Offer::Do(Action::Own(own))) => match own.of::<DrezAction>() {
                    Some(lay @ DrezAction::Reveal { .. }) => choices.reveals.push(lay.clone()),
                    Some(back @ DrezAction::Return { .. }) => choices.returns.push(back.clone()),
                    _ => {}
                },
                LegalInput::Game(Offer::Own(own)) => choices.offers.extend(own.of::<DrezOffer>().cloned()),
                LegalInput::Game(Offer::Raise { by, least, .. }) => {
                    choices.raise = Some(Action::Bet { by: *by, bet: Bet::Raise(*least) });
                }
                _ => {}
            }
        }
        choices
    }
}

impl<W: Write> MatchSimulation<W> {
    /// Before the chess: takes a pawn off, or deals. Returns `false` if the game has nothing of the kind now.
    pub(super) fn before_the_cards(&mut self) -> Result<bool, InputFault> {
        let choices = CardChoices::of(&self.session.table().legal());
        for offer in &choices.offers {
            match offer {
                DrezOffer::Remove { by, at } if !at.is_empty() => return self.take_pawn_off(*by, at),
                DrezOffer::Deal => {
                    let common: Vec<DrezCard> = (0..5).map(|_| self.any_card()).collect();
                    let deal = DrezAction::Deal { common: Some(common), own: ByColor::default() };
                    return self.say_card(deal);
                }
                _ => {}
            }
        }
        Ok(false)
    }

    /// Takes a pawn off the board, which the table sees; or keeps all. A pawn that is gone although the table has not
    /// seen it is typed.
    fn take_pawn_off(&mut self, by: Color, at: &[Square]) -> Result<bool, InputFault> {
        let there = self.sim.board();
        if let Some(gone) = at.iter().copied().find(|at| there[*at].is_none()) {
            return self.say_card(DrezAction::Remove { by, at: Some(gone) });
        }
        let nth = usize::try_from(self.dice.below(2 * at.len() as u64)).unwrap_or(0);
        match at.get(nth) {
            Some(at) => {
                self.agenda.push_back((self.now + Millis(800), Physical::Set(*at, None)));
                self.ready = self.now + Millis(3_000);
                Ok(true)
            }
            None => self.say_card(DrezAction::Remove { by, at: None }),
        }
    }

    /// A joker or a card of a piece.
    fn any_card(&mut self) -> DrezCard {
        let nth = usize::try_from(self.dice.below(6)).unwrap_or(0);
        DrezCard::ALL.get(nth).copied().unwrap_or(DrezCard::Joker)
    }

    /// What a player does with cards and die before he moves, or after it. Returns `false` if he has to move now.
    pub(super) fn use_cards(&mut self) -> Result<bool, InputFault> {
        let choices = CardChoices::of(&self.session.table().legal());
        let chance = self.dice.below(100);
        if let Some(back) = self.pick(&choices.returns) {
            return self.say_card(back);
        }
        if choices.reveals.is_empty() && choices.offers.is_empty() {
            return Ok(false);
        }
        if let Some(raise) = choices.raise.filter(|_| chance < RAISES) {
            self.enter(raise)?;
            self.ready = self.now + SAYING;
            return Ok(true);
        }
        let moves = !self.session.table().probe().candidates().is_empty();
        let throw = choices.offers.iter().find_map(|offer| match offer {
            DrezOffer::Roll { by } => Some(*by),
            _ => None,
        });
        if let Some(by) = throw.filter(|_| chance < THROWS || choices.reveals.is_empty()) {
            let pips = u8::try_from(1 + self.dice.below(6)).unwrap_or(1);
            return self.say_card(DrezAction::Roll { by, pips });
        }
        if let Some(swap) = self.exchange(&choices.offers).filter(|_| self.dice.below(100) < EXCHANGES) {
            return self.say_card(swap);
        }
        if moves {
            return Ok(false);
        }
        if let Some(lay) = self.pick(&choices.reveals) {
            return self.say_card(lay);
        }
        match self.cards_to_show(&choices.offers) {
            Some(show) => self.say_card(show),
            None => Ok(false),
        }
    }

    fn exchange(&mut self, offers: &[DrezOffer]) -> Option<DrezAction> {
        let swaps: Vec<DrezOffer> =
            offers.iter().filter(|offer| matches!(offer, DrezOffer::Swap { .. })).cloned().collect();
        let DrezOffer::Swap { by, from, with, cards } = self.pick(&swaps)? else { return None };
        let card = self.pick(&cards);
        Some(DrezAction::Swap { by, from, with, card })
    }

    /// Two cards that the player may show because none of them moves anything.
    fn cards_to_show(&self, offers: &[DrezOffer]) -> Option<DrezAction> {
        let by = offers.iter().find_map(|offer| match offer {
            DrezOffer::Show { by } => Some(*by),
            _ => None,
        })?;
        let pairs = DrezCard::ALL.into_iter().flat_map(|one| DrezCard::ALL.map(|other| [one, other]));
        let mut shown = pairs.map(|cards| DrezAction::Show { by, cards });
        let table = self.session.table();
        shown.find(|show| {
            let input = Input::Game(Action::Own(OwnAction::new(show.clone())));
            table.refusal(&input, self.now).is_none()
        })
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let nth = usize::try_from(self.dice.below(from.len().max(1) as u64)).unwrap_or(0);
        from.get(nth).cloned()
    }

    fn say_card(&mut self, action: DrezAction) -> Result<bool, InputFault> {
        let lasting = matches!(action, DrezAction::Deal { .. });
        let open = matches!(action, DrezAction::Reveal { from: CardPlace::Common, .. });
        self.enter(Action::Own(OwnAction::new(action)))?;
        self.ready = self.now + if lasting || open { Millis(2_000) } else { SAYING };
        Ok(true)
    }
}
