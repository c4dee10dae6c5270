//! A deck of NFC cards with the name `Club`, and a game of Choker that many tests play.
#![allow(dead_code, reason = "each test file uses what it needs")]

use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardId, Uid};
use tabiya_types::{Card, Pack};

/// A deck in the order of its faces: queens, rooks, bishops, knights, pawns. Its UIDs and the ids written on its cards
/// count from 1.
pub(crate) fn deck(uid: impl Fn(u8) -> Uid) -> Deck {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    let card = |(nth, (card, copy)): (u8, (Card, u8))| {
        let face = Face::new(Pack::Choker, card, copy).expect("a face");
        DeckCard { uid: uid(nth), id: Some(CardId([nth; 16])), face }
    };
    let cards = (1..=44).zip(faces).map(card).collect();
    Deck::new(Pack::Choker, CardId([200; 16]), "Club", "2026-10-03", cards).expect("a deck")
}

/// The number of a card in the deck of [`deck`], from 1.
pub(crate) fn number(letter: char, copy: u8) -> u8 {
    let card = Card::from_letter(letter).expect("a card");
    let before: u8 = Card::ALL.into_iter().take_while(|other| *other != card).map(Card::in_deck).sum();
    before + copy
}

/// The lines typed before the first placement, each with the program's answer.
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
/// The card that both players turn over in each round, and the squares on which White and Black place its piece.
pub(crate) const PLACED: [(char, &str, &str); 5] =
    [('Q', "d1", "d8"), ('R', "a1", "h8"), ('B', "c1", "c8"), ('P', "d2", "d7"), ('P', "c3", "f6")];
