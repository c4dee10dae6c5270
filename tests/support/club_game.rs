//! A deck of cards with chips called Club, and the game of Choker that many tests play.
#![allow(dead_code, reason = "each test file uses what it needs")]

use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardId, Uid};
use tabiya_types::Card;

/// A deck whose first cards are the queens, then the rooks and so on, as nobody should make one; its chips and what
/// is written on them are numbered from 1.
pub(crate) fn deck(uid: impl Fn(u8) -> Uid) -> Deck {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    let card = |(nth, (card, copy)): (u8, (Card, u8))| {
        let face = Face::new(card, copy).expect("a face");
        DeckCard { uid: uid(nth), id: Some(CardId([nth; 16])), face }
    };
    let cards = (1..=44).zip(faces).map(card).collect();
    Deck::new(CardId([200; 16]), "Club", "2026-10-03", cards).expect("a deck")
}

/// The number of a card in that deck.
pub(crate) fn number(letter: char, copy: u8) -> u8 {
    let card = Card::from_letter(letter).expect("a card");
    let before: u8 = Card::ALL.into_iter().take_while(|other| *other != card).map(Card::in_deck).sum();
    before + copy
}

/// What is typed before the first piece is placed, and what is told then.
pub(crate) const BETTING: [(&str, &str); 9] = [
    ("deal", "the cards are dealt"),
    ("raise 6", "White raises to 6"),
    ("call", "Black calls"),
    ("deal", "the cards are dealt"),
    ("check", "Black checks"),
    ("check", "White checks"),
    ("deal", "the cards are dealt"),
    ("check", "White checks"),
    ("check", "Black checks"),
];
/// The cards that both turn over, and where White and Black put the piece.
pub(crate) const PLACED: [(char, &str, &str); 5] =
    [('Q', "d1", "d8"), ('R', "a1", "h8"), ('B', "c1", "c8"), ('P', "d2", "d7"), ('P', "c3", "f6")];
