//! Simulated players of PokerDrez: pawns off, the deal, cards, die, exchanges and raises.
//!
//! A player lays any card that he can have, as far as everybody knows. So his hand needs no cards of its own.

use tabiya_types::{ByColor, Color, Square};

use super::letter::DrezCard;
use super::lines::DrezAction;
use super::offers::DrezOffer;
use super::pool::ROW;
use crate::rules::action::{Action, OwnAction};
use crate::rules::bet::Bet;
use crate::rules::capability::CardPlace;
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::offer::Offer;

/// In so many of a hundred turns the die is thrown, a neutral card exchanged, or the stake raised.
const THROWS: u64 = 40;
const EXCHANGES: u64 = 4;
const RAISES: u64 = 4;
/// How many of the first cards are dealt into the row: all but the neutral one.
const DEALT: usize = 6;

/// What a player may do besides moving.
#[derive(Default)]
struct CardChoices {
    reveals: Vec<DrezAction>,
    returns: Vec<DrezAction>,
    offers: Vec<DrezOffer>,
    raise: Option<Action>,
}

impl CardChoices {
    fn of(offers: &[Offer]) -> Self {
        let mut choices = Self::default();
        for offer in offers {
            match offer {
                Offer::Do(Action::Own(own)) => match own.of::<DrezAction>() {
                    Some(lay @ DrezAction::Reveal { .. }) => choices.reveals.push(lay.clone()),
                    Some(back @ DrezAction::Return { .. }) => choices.returns.push(back.clone()),
                    Some(_) | None => {}
                },
                Offer::Own(own) => choices.offers.extend(own.of::<DrezOffer>().cloned()),
                Offer::Raise { by, least, .. } => {
                    choices.raise = Some(Action::Bet { by: *by, bet: Bet::Raise(*least) });
                }
                Offer::Do(_) | Offer::Place { .. } => {}
            }
        }
        choices
    }
}

/// What a simulated player does now; `None` if he moves or presses.
pub(super) fn habit(occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
    let choices = CardChoices::of(occasion.offers);
    match occasion.mover {
        None => before_the_chess(&choices, occasion),
        Some(_) => use_cards(&choices, occasion),
    }
}

fn before_the_chess(choices: &CardChoices, occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
    for offer in &choices.offers {
        match offer {
            DrezOffer::Remove { by, at } if !at.is_empty() => return Some(take_pawn_off(*by, at, occasion)),
            DrezOffer::Deal => {
                let common = (0..ROW).map(|_| any_card(occasion)).collect();
                let deal = DrezAction::Deal { common: Some(common), own: ByColor::default() };
                return Some(says(deal));
            }
            _ => {}
        }
    }
    None
}

/// Takes a pawn off the board, which the table sees; or keeps all. A pawn that is gone although the table has not seen it
/// is typed.
fn take_pawn_off(by: Color, at: &[Square], occasion: &mut SimulatedTurn<'_>) -> Habit {
    if let Some(gone) = at.iter().copied().find(|at| occasion.board[*at].is_none()) {
        return says(DrezAction::Remove { by, at: Some(gone) });
    }
    let nth = occasion.index(2 * at.len());
    match at.get(nth) {
        Some(at) => Habit::TakesOff(*at),
        None => says(DrezAction::Remove { by, at: None }),
    }
}

/// A joker or a card of a piece.
fn any_card(occasion: &mut SimulatedTurn<'_>) -> DrezCard {
    let nth = occasion.index(DEALT);
    DrezCard::ALL.get(nth).copied().unwrap_or(DrezCard::Joker)
}

/// What a player does with cards and die before he moves, or after it.
fn use_cards(choices: &CardChoices, occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
    let chance = (occasion.chance)(100);
    if let Some(back) = occasion.pick(&choices.returns) {
        return Some(says(back));
    }
    if choices.reveals.is_empty() && choices.offers.is_empty() {
        return None;
    }
    if let Some(raise) = choices.raise.clone().filter(|_| chance < RAISES) {
        return Some(Habit::Says(raise));
    }
    let throw = choices.offers.iter().find_map(|offer| match offer {
        DrezOffer::Roll { by } => Some(*by),
        _ => None,
    });
    if let Some(by) = throw.filter(|_| chance < THROWS || choices.reveals.is_empty()) {
        let pips = u8::try_from(1 + (occasion.chance)(6)).unwrap_or(1);
        return Some(says(DrezAction::Roll { by, pips }));
    }
    if let Some(swap) = exchange(&choices.offers, occasion).filter(|_| (occasion.chance)(100) < EXCHANGES) {
        return Some(says(swap));
    }
    if occasion.can_move {
        return None;
    }
    occasion.pick(&choices.reveals).or_else(|| cards_to_show(&choices.offers, occasion)).map(says)
}

fn exchange(offers: &[DrezOffer], occasion: &mut SimulatedTurn<'_>) -> Option<DrezAction> {
    let swaps: Vec<DrezOffer> =
        offers.iter().filter(|offer| matches!(offer, DrezOffer::Swap { .. })).cloned().collect();
    let DrezOffer::Swap { by, from, with, cards } = occasion.pick(&swaps)? else { return None };
    let card = occasion.pick(&cards);
    Some(DrezAction::Swap { by, from, with, card })
}

/// Two cards that the player may show because none of them moves anything.
fn cards_to_show(offers: &[DrezOffer], occasion: &SimulatedTurn<'_>) -> Option<DrezAction> {
    let by = offers.iter().find_map(|offer| match offer {
        DrezOffer::Show { by } => Some(*by),
        _ => None,
    })?;
    let pairs = DrezCard::ALL.into_iter().flat_map(|one| DrezCard::ALL.map(|other| [one, other]));
    let mut shown = pairs.map(|cards| DrezAction::Show { by, cards });
    shown.find(|show| (occasion.accepts)(&Action::Own(OwnAction::new(show.clone()))))
}

fn says(action: DrezAction) -> Habit {
    let slow = matches!(action, DrezAction::Deal { .. } | DrezAction::Reveal { from: CardPlace::Common, .. });
    let action = Action::Own(OwnAction::new(action));
    if slow { Habit::SaysSlowly(action) } else { Habit::Says(action) }
}
