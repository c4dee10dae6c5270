//! The cards of one game as everybody knows them: the row, the used cards, both players' own cards and the stock.
//!
//! Only public information is kept here, so no hidden face can decide or reveal anything.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 2, 5, 10 and 12; `docs/record-pokerdrez.md`, "How lines act", 2, 5 and 6.

use tabiya_types::{ByColor, Color};

use super::letter::{DECK_SIZE, DrezCard, DrezCounts};

/// The number of open cards in the row.
pub(super) const ROW: usize = 5;
/// The number of cards that each player has in hand.
pub(super) const HAND: usize = 2;
/// The same, as a number of cards.
pub(super) const HAND_CARDS: u32 = 2;
/// The number of cards that a deal takes from the decks.
const DEALT: u32 = 9;

/// What everybody knows of a player's own cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct OwnCards {
    /// The cards whose faces everybody has seen.
    pub(super) known: DrezCounts,
    /// The number of the other cards.
    pub(super) unknown: u32,
}

impl OwnCards {
    /// The letters in the order in which results list them, the unknown cards last.
    pub(super) fn text(self) -> String {
        let mut text = self.known.text();
        (0..self.unknown).for_each(|_| text.push('?'));
        text
    }
}

/// The cards of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardPool {
    decks: u32,
    /// The open cards.
    pub(super) row: DrezCounts,
    /// The cards out of play.
    pub(super) used: DrezCounts,
    /// The players' own cards.
    pub(super) own: ByColor<OwnCards>,
    /// The number of cards in the stock.
    pub(super) stock: u32,
}

impl CardPool {
    /// The cards before the deal: all are in the stock.
    pub(super) fn undealt(decks: u32) -> Self {
        Self {
            decks,
            row: DrezCounts::default(),
            used: DrezCounts::default(),
            own: ByColor::default(),
            stock: DECK_SIZE * decks,
        }
    }

    /// The number of cards in the stock after the deal.
    pub(super) fn full_stock(&self) -> u32 {
        DECK_SIZE * self.decks - DEALT
    }

    /// Deals two unknown cards to each player and these open ones.
    pub(super) fn deal(&mut self, row: DrezCounts) {
        self.row = row;
        self.own = ByColor::new(|_| OwnCards { known: DrezCounts::default(), unknown: HAND_CARDS });
        self.stock = self.full_stock();
    }

    /// How many such cards the decks have.
    pub(super) fn limit(&self, card: DrezCard) -> u32 {
        card.in_deck() * self.decks
    }

    /// How many such cards everybody knows about: in the row, out of play, and in the hands.
    pub(super) fn seen(&self, card: DrezCard) -> u32 {
        let known = |color: Color| self.own[color].known.of(card);
        self.row.of(card) + self.used.of(card) + known(Color::White) + known(Color::Black)
    }

    /// Whether a card that nobody has seen can be this one.
    pub(super) fn can_appear(&self, card: DrezCard) -> bool {
        self.seen(card) < self.limit(card)
    }

    /// Whether an own card of this player can be this one.
    pub(super) fn possible(&self, of: Color, card: DrezCard) -> bool {
        let own = self.own[of];
        own.known.has(card) || (own.unknown > 0 && self.can_appear(card))
    }

    /// Takes a possible card out of a player's hand: one that is known to be it, otherwise an unknown one.
    pub(super) fn take_own(&mut self, of: Color, card: DrezCard) {
        let own = &mut self.own[of];
        if !own.known.take(card) {
            own.unknown = own.unknown.saturating_sub(1);
        }
    }

    /// A player draws up to `most` cards from the stock. Returns how many.
    pub(super) fn draw(&mut self, of: Color, most: u32) -> u32 {
        let drawn = most.min(self.stock);
        self.stock -= drawn;
        self.own[of].unknown += drawn;
        drawn
    }

    /// Whether both cards can be the player's own cards together.
    pub(super) fn possible_pair(&self, of: Color, [one, other]: [DrezCard; HAND]) -> bool {
        let mut then = *self;
        if !then.possible(of, one) {
            return false;
        }
        then.take_own(of, one);
        then.used.add(one);
        then.possible(of, other)
    }
}
