//! What the cards shown so far say about a hand that is still partly hidden.
//!
//! Exact: it tries all 125 hands. It uses public information only, that is, the cards and pieces
//! shown by both players (ruling 9 in `docs/rules.md`; record, "How lines act" 7).

use tabiya_types::{Card, Counts};

use super::cards::{HandName, HandRules, KnownHand, Pairs, known_hands};

/// What one player has shown: cards with the pieces they were placed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    cards: Counts,
    pairs: Pairs,
}

impl Shown {
    /// One more card placed as a piece.
    #[must_use]
    pub fn with(self, card: Card, piece: Card) -> Self {
        Self { cards: self.cards.with(card), pairs: self.pairs.with(card, piece) }
    }

    /// Whether some hand explains this card as this piece beside another card that lies open.
    pub(crate) fn admits_beside(
        self,
        card: Card,
        piece: Card,
        open: Option<Card>,
        other: Counts,
        rules: HandRules,
    ) -> bool {
        self.with(card, piece).hands(open, other, rules).next().is_some()
    }

    /// The faces of the cards placed so far.
    pub fn cards(self) -> Counts {
        self.cards
    }

    /// The hands that explain everything: what this player placed, the card lying open before him
    /// (if any), and what the other has shown of the same deck.
    fn hands(
        self,
        open: Option<Card>,
        other: Counts,
        rules: HandRules,
    ) -> impl Iterator<Item = &'static KnownHand> {
        let seen = open.map_or(self.cards, |card| self.cards.with(card));
        known_hands(rules).iter().filter(move |known| {
            let counts = known.hand.counts();
            Card::ALL.into_iter().all(|card| {
                seen.of(card) <= counts.of(card) && counts.of(card) + other.of(card) <= card.in_deck()
            }) && self.pairs.within(known.pairs)
        })
    }

    /// Whether this card can be the next one shown.
    pub fn admits_card(self, card: Card, other: Counts, rules: HandRules) -> bool {
        self.hands(Some(card), other, rules).next().is_some()
    }

    /// Whether some hand explains this card standing as this piece.
    pub fn admits(self, card: Card, piece: Card, other: Counts, rules: HandRules) -> bool {
        self.with(card, piece).hands(None, other, rules).next().is_some()
    }

    /// The pieces that this card can stand for, in the record's order.
    pub fn pieces_of(self, card: Card, other: Counts, rules: HandRules) -> Vec<Card> {
        Card::ALL.into_iter().filter(|piece| self.admits(card, *piece, other, rules)).collect()
    }

    /// The cards that can still come, in the record's order.
    pub fn next_cards(self, other: Counts, rules: HandRules) -> Vec<Card> {
        Card::ALL.into_iter().filter(|card| self.admits_card(*card, other, rules)).collect()
    }

    /// The pieces that can still come, in the record's order.
    pub fn next_pieces(self, other: Counts, rules: HandRules) -> Vec<Card> {
        Card::ALL
            .into_iter()
            .filter(|piece| Card::ALL.into_iter().any(|card| self.admits(card, *piece, other, rules)))
            .collect()
    }

    /// Whether a hand of this name explains this card standing as this piece.
    pub fn admits_name(
        self,
        name: HandName,
        card: Card,
        piece: Card,
        other: Counts,
        rules: HandRules,
    ) -> bool {
        self.with(card, piece).hands(None, other, rules).any(|known| known.name == name)
    }
}
