//! Simulated players of Chess Joker: what they draw. Moves and uses of cards are chosen like any other action.

use super::card::JokerCard;
use super::lines::{DrawCard, JokerAction, JokerOffer};
use crate::rules::action::{Action, OwnAction};
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::offer::Offer;

/// Draws a card: any of the players' file that was not in the game yet, or one that is not known. `None` if the player
/// whose turn it is has nothing to draw.
pub(super) fn habit(occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
    let by = occasion.mover?;
    let draws = |offer: &Offer| matches!(offer, Offer::Own(own) if own.of() == Some(&JokerOffer::Draw(by)));
    if !occasion.offers.iter().any(draws) {
        return None;
    }
    let mut own_draws = (occasion.own_draws)(by);
    while !own_draws.is_empty() {
        let nth = occasion.index(own_draws.len());
        let draw = own_draws.swap_remove(nth);
        if (occasion.accepts)(&draw) {
            return Some(Habit::Says(draw));
        }
    }
    let unknown = DrawCard { by, card: JokerCard::default(), read: None };
    Some(Habit::Says(Action::Own(OwnAction::new(JokerAction::Draw(unknown)))))
}
