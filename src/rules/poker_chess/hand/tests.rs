//! All hands of up to five cards, compared with a second evaluator that is written in another way.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::rules::poker_chess::card::Suit;

/// What the second evaluator says of a hand: the record's name, and the ranks that are compared, from 2 to 14.
type Second = (usize, &'static str, Vec<u8>);

/// The names from the lowest to the highest.
const NAMES: [&str; 10] = [
    "none",
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
];

/// The second evaluator: sorts the cards by how often their rank occurs, and looks at the pattern.
fn second(cards: &[(u8, u8)]) -> Second {
    let times = |rank: u8| cards.iter().filter(|card| card.0 == rank).count();
    let mut ranks: Vec<u8> = cards.iter().map(|card| card.0).collect();
    ranks.sort_by_key(|rank| std::cmp::Reverse((times(*rank), *rank)));
    ranks.dedup();
    let pattern: Vec<usize> = ranks.iter().map(|rank| times(*rank)).collect();
    let one_suit = cards.len() == 5 && cards.iter().all(|card| card.1 == cards[0].1);
    let run = match ranks[..] {
        [14, 5, 4, 3, 2] => Some(5),
        [high, _, _, _, low] if high - low == 4 => Some(high),
        _ => None,
    };
    let name = match (&pattern[..], run.is_some(), one_suit) {
        ([], ..) => "none",
        ([4, ..], ..) => "four-of-a-kind",
        ([3, 2], ..) => "full-house",
        ([3, ..], ..) => "three-of-a-kind",
        ([2, 2, ..], ..) => "two-pair",
        ([2, ..], ..) => "pair",
        (_, true, true) => "straight-flush",
        (_, _, true) => "flush",
        (_, true, _) => "straight",
        _ => "high-card",
    };
    let ranks = run.map_or(ranks, |high| vec![high]);
    (NAMES.iter().position(|known| *known == name).expect("in the list"), name, ranks)
}

/// The deck, each card with its rank and suit for the second evaluator.
fn deck() -> Vec<(PlayingCard, (u8, u8))> {
    let mut deck = Vec::new();
    for (number, rank) in (2..).zip(Rank::all()) {
        for (of, suit) in (0..).zip(Suit::ALL) {
            deck.push((PlayingCard { rank, suit }, (number, of)));
        }
    }
    deck
}

/// Calls `each` for every hand of `count` more cards, of those after the first `from` of the deck.
fn hands(
    deck: &[(PlayingCard, (u8, u8))],
    (count, from): (usize, usize),
    tally: Tally,
    cards: &mut Vec<(u8, u8)>,
    each: &mut impl FnMut(PokerHand, &[(u8, u8)]),
) {
    if count == 0 {
        return each(tally.hand(), cards);
    }
    for (nth, (card, second)) in deck.iter().enumerate().skip(from) {
        cards.push(*second);
        hands(deck, (count - 1, nth + 1), tally.with(*card), cards, each);
        cards.pop();
    }
}

/// All different hands of `count` cards, with the second evaluator's opinion; and how many hands of each name there are.
fn classes(count: usize) -> (BTreeMap<PokerHand, Second>, BTreeMap<&'static str, u32>) {
    let (mut classes, mut named) = (BTreeMap::new(), BTreeMap::new());
    hands(&deck(), (count, 0), Tally::default(), &mut Vec::new(), &mut |hand, cards| {
        let second = second(cards);
        *named.entry(second.1).or_default() += 1;
        assert_eq!(hand.kind().word(), second.1, "{cards:?}");
        let known = classes.entry(hand).or_insert_with(|| second.clone());
        assert_eq!(*known, second, "{cards:?} is worth as much as another hand");
    });
    (classes, named)
}

#[test]
fn every_hand_is_what_a_second_evaluator_says() {
    let mut all: Vec<(PokerHand, Second)> = Vec::new();
    for (count, different) in [(0, 1), (1, 13), (2, 91), (3, 455), (4, 1820), (5, 7462)] {
        let (classes, named) = classes(count);
        assert_eq!(classes.len(), different, "{count} cards");
        if count == 5 {
            let wanted = [
                ("flush", 5_108),
                ("four-of-a-kind", 624),
                ("full-house", 3_744),
                ("high-card", 1_302_540),
                ("pair", 1_098_240),
                ("straight", 10_200),
                ("straight-flush", 40),
                ("three-of-a-kind", 54_912),
                ("two-pair", 123_552),
            ];
            assert_eq!(named.into_iter().collect::<Vec<_>>(), wanted);
        }
        all.extend(classes);
    }
    // Hands with different numbers of cards are compared too. A list of ranks is lower than a longer one that begins
    // with the same ranks.
    all.sort_by_key(|(hand, _)| *hand);
    for pair in all.windows(2) {
        let [(lower, second_lower), (higher, second_higher)] = pair else { continue };
        assert_eq!(lower.cmp(higher), second_lower.cmp(second_higher), "{lower:?} {higher:?}");
    }
    let seconds: BTreeSet<&Second> = all.iter().map(|(_, second)| second).collect();
    assert_eq!(seconds.len(), all.len(), "hands with different numbers of cards are never equal");
}

fn hand(cards: &str) -> PokerHand {
    let cards = cards.split_whitespace().map(|text| PlayingCard::parse(text).expect("a card"));
    cards.fold(Tally::default(), Tally::with).hand()
}

#[test]
fn the_letters_are_in_the_order_in_which_they_are_compared() {
    for (cards, name, letters) in [
        ("", "none", ""),
        ("2c", "high-card", "2"),
        ("Kh Ac Kd Th As", "two-pair", "AAKKT"),
        ("7h Jc 7d Jh Js", "full-house", "JJJ77"),
        ("Ah 2c 3d 4h 5s", "straight", "5432A"),
        ("Ah 2h 3h 4h 5h", "straight-flush", "5432A"),
        ("Th Jc Qd Kh As", "straight", "AKQJT"),
        ("2h 2c 2d 2s", "four-of-a-kind", "2222"),
        ("9h 9c 9d", "three-of-a-kind", "999"),
        ("2h 9h 4h Kh Jh", "flush", "KJ942"),
        ("2h 3h 4h Kh", "high-card", "K432"),
        ("Kh Ah 2h 3h 4s", "high-card", "AK432"),
    ] {
        assert_eq!((hand(cards).kind().word(), hand(cards).letters()), (name, letters.to_owned()), "{cards}");
    }
}
