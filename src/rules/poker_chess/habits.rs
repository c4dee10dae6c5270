//! Simulated players of Poker Chess: which pieces they name for their hands.

use tabiya_types::Square;

use super::choose::{Choices, Choose};
use crate::rules::action::{Action, OwnAction};
use crate::rules::habit::{Habit, SimulatedTurn};
use crate::rules::offer::Offer;

/// Names any of the sets of pieces that may form the player's hand; `None` if he has nothing to choose.
pub(super) fn habit(occasion: &mut SimulatedTurn<'_>) -> Option<Habit> {
    let by = occasion.mover?;
    let choices = occasion.offers.iter().find_map(|offer| match offer {
        Offer::Own(own) => own.of::<Choices>().filter(|choices| choices.by == by).cloned(),
        _ => None,
    })?;
    let mut squares: Vec<Square> = choices.sets.all.iter().collect();
    for (count, of) in &choices.sets.some {
        let mut left: Vec<Square> = of.iter().collect();
        for _ in 0..*count {
            let nth = occasion.index(left.len());
            squares.push(left.swap_remove(nth));
        }
    }
    Some(Habit::Says(Action::Own(OwnAction::new(Choose { by, squares }))))
}
