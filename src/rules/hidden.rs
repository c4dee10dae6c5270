//! Which hands a player can have, given the cards that were shown so far.
//!
//! The result is exact: the code tries all 125 hands. It uses only public information, that is, the cards and pieces
//! that both players have shown (ruling 8 in `docs/rules.md`; `docs/record.md`, "How lines act", rule 7).

use tabiya_types::{Card, Counts};

use super::cards::{HandName, HandRules, KnownHand, Pairs, known_hands};

/// The cards that one player has shown, each with the piece that it was placed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    cards: Counts,
    pairs: Pairs,
}

impl Shown {
    /// Returns these shown cards with one more card, which was placed as `piece`.
    #[must_use]
    pub fn with(self, card: Card, piece: Card) -> Self {
        Self { cards: self.cards.with(card), pairs: self.pairs.with(card, piece) }
    }

    /// Whether this player can have a hand in which `card` may be placed as `piece`. The hand must also contain the
    /// card `open`, if there is one: it was turned over, but not placed yet.
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

    /// The hands that are consistent with all known cards: the cards that this player has placed, the `open` card (if
    /// any), and the cards `other` that the opponent has shown from the same deck.
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

    /// Whether `card` can be the next card that this player turns over.
    pub fn admits_card(self, card: Card, other: Counts, rules: HandRules) -> bool {
        self.hands(Some(card), other, rules).next().is_some()
    }

    /// Whether some possible hand of this player contains `card` and lets it be placed as `piece`.
    pub fn admits(self, card: Card, piece: Card, other: Counts, rules: HandRules) -> bool {
        self.with(card, piece).hands(None, other, rules).next().is_some()
    }

    /// The pieces that `card` can be placed as, in the record's order.
    pub fn pieces_of(self, card: Card, other: Counts, rules: HandRules) -> Vec<Card> {
        Card::ALL.into_iter().filter(|piece| self.admits(card, *piece, other, rules)).collect()
    }

    /// The cards that this player can still turn over, in the record's order.
    pub fn next_cards(self, other: Counts, rules: HandRules) -> Vec<Card> {
        Card::ALL.into_iter().filter(|card| self.admits_card(*card, other, rules)).collect()
    }

    /// The pieces that this player can still place, in the record's order.
    pub fn next_pieces(self, other: Counts, rules: HandRules) -> Vec<Card> {
        Card::ALL
            .into_iter()
            .filter(|piece| Card::ALL.into_iter().any(|card| self.admits(card, *piece, other, rules)))
            .collect()
    }

    /// Whether some possible hand with this name contains `card` and lets it be placed as `piece`.
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
