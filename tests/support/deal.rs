//! Random cards for the tests' games.

use tabiya_boards::human::Dice;
use tabiya_engine::rules::{Hand as Cards, HandRules};
use tabiya_types::Card;

/// A random index of a list of this length.
pub(crate) fn pick(dice: &mut Dice, among: usize) -> usize {
    usize::try_from(dice.below(among as u64)).expect("below the length of a list")
}

/// Two random hands from one deck, as pairs of card and piece.
pub(crate) fn deal(dice: &mut Dice) -> [Vec<(Card, Card)>; 2] {
    let mut deck: Vec<Card> =
        Card::ALL.into_iter().flat_map(|card| (0..card.in_deck()).map(move |_| card)).collect();
    let mut hand = || {
        let cards: Vec<Card> = (0..5).map(|_| deck.swap_remove(pick(dice, deck.len()))).collect();
        Cards::new(cards).expect("a deck deals hands").pairs(HandRules::default()).to_vec()
    };
    [hand(), hand()]
}
