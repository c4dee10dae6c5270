//! The cards of PokerDrez by their letters, how many of each a deck has, and what each allows to move.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 2, 6, 7, 9 and 16; `docs/record-pokerdrez.md`, "Header" and "What a card
//! wakes".

use tabiya_types::{Card, CardFace, Fact, Pack, Role, one_letter};

/// The number of cards in one deck.
pub const DECK_SIZE: u32 = 56;

/// A card of the PokerDrez deck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DrezCard {
    /// The joker, which lets any piece move.
    Joker,
    /// The queen.
    Queen,
    /// The rook, which also lets its player castle.
    Rook,
    /// The bishop.
    Bishop,
    /// The knight.
    Knight,
    /// The pawn.
    Pawn,
    /// The neutral card (treason), which lets only the king move and may be exchanged.
    Neutral,
}

impl DrezCard {
    /// All cards in the order in which results list them.
    pub const ALL: [Self; 7] =
        [Self::Joker, Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Pawn, Self::Neutral];

    /// The letter of the card in the record.
    pub fn letter(self) -> char {
        match self {
            Self::Joker => 'J',
            Self::Queen => 'Q',
            Self::Rook => 'R',
            Self::Bishop => 'B',
            Self::Knight => 'N',
            Self::Pawn => 'P',
            Self::Neutral => 'X',
        }
    }

    /// The card with this letter; `None` for any other letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.letter() == letter)
    }

    /// The card that a record spells so.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        one_letter(text).and_then(Self::from_letter)
    }

    /// The card that a throw of the die counts as; `None` for a number that a die does not have.
    pub fn of_pips(pips: u8) -> Option<Self> {
        Some(match pips {
            1 => Self::Pawn,
            2 => Self::Knight,
            3 => Self::Bishop,
            4 => Self::Rook,
            5 => Self::Queen,
            6 => Self::Joker,
            _ => return None,
        })
    }

    /// How many such cards one deck has.
    pub fn in_deck(self) -> u32 {
        Pack::PokerDrez.count(self.into()).into()
    }

    /// The kind of piece that the card shows; `None` for the joker and the neutral card.
    pub fn role(self) -> Option<Role> {
        match self {
            Self::Joker | Self::Neutral => None,
            Self::Queen => Some(Role::Queen),
            Self::Rook => Some(Role::Rook),
            Self::Bishop => Some(Role::Bishop),
            Self::Knight => Some(Role::Knight),
            Self::Pawn => Some(Role::Pawn),
        }
    }

    /// Whether a player may move a piece of kind `moved` with this card. Castling counts as a move of the rook. `has`
    /// tells which kinds of piece the player still has on the board.
    pub fn wakes(self, moved: Role, has: impl Fn(Role) -> bool) -> bool {
        match self.role() {
            _ if moved == Role::King => true,
            None => self == Self::Joker,
            Some(shown) => shown == moved || !has(shown),
        }
    }

    pub(super) fn index(self) -> usize {
        match self {
            Self::Joker => 0,
            Self::Queen => 1,
            Self::Rook => 2,
            Self::Bishop => 3,
            Self::Knight => 4,
            Self::Pawn => 5,
            Self::Neutral => 6,
        }
    }
}

impl From<DrezCard> for Fact {
    fn from(card: DrezCard) -> Self {
        CardFace::from(card).into()
    }
}

impl From<DrezCard> for CardFace {
    fn from(card: DrezCard) -> Self {
        match card {
            DrezCard::Joker => Self::Joker,
            DrezCard::Queen => Self::Piece(Card::Queen),
            DrezCard::Rook => Self::Piece(Card::Rook),
            DrezCard::Bishop => Self::Piece(Card::Bishop),
            DrezCard::Knight => Self::Piece(Card::Knight),
            DrezCard::Pawn => Self::Piece(Card::Pawn),
            DrezCard::Neutral => Self::Neutral,
        }
    }
}

impl From<CardFace> for DrezCard {
    fn from(face: CardFace) -> Self {
        match face {
            CardFace::Joker => Self::Joker,
            CardFace::Piece(Card::Queen) => Self::Queen,
            CardFace::Piece(Card::Rook) => Self::Rook,
            CardFace::Piece(Card::Bishop) => Self::Bishop,
            CardFace::Piece(Card::Knight) => Self::Knight,
            CardFace::Piece(Card::Pawn) => Self::Pawn,
            CardFace::Neutral => Self::Neutral,
        }
    }
}

impl From<DrezCard> for String {
    fn from(card: DrezCard) -> Self {
        card.letter().to_string()
    }
}

/// How many cards of each kind lie in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrezCounts([u8; 7]);

impl DrezCounts {
    /// The number of these cards.
    pub fn of(self, card: DrezCard) -> u32 {
        self.0[card.index()].into()
    }

    /// Whether there is such a card.
    pub fn has(self, card: DrezCard) -> bool {
        self.of(card) > 0
    }

    /// The number of all cards.
    pub fn total(self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    /// Adds a card.
    pub(super) fn add(&mut self, card: DrezCard) {
        let count = &mut self.0[card.index()];
        *count = count.saturating_add(1);
    }

    /// Takes a card away. Returns whether there was one.
    pub(super) fn take(&mut self, card: DrezCard) -> bool {
        let count = &mut self.0[card.index()];
        let had = *count > 0;
        *count = count.saturating_sub(1);
        had
    }

    /// The cards in the order in which results list them.
    pub fn cards(self) -> impl Iterator<Item = DrezCard> {
        DrezCard::ALL.into_iter().flat_map(move |card| (0..self.of(card)).map(move |_| card))
    }

    /// The letters in the order in which results list them.
    pub fn text(self) -> String {
        self.cards().map(DrezCard::letter).collect()
    }
}

impl FromIterator<DrezCard> for DrezCounts {
    fn from_iter<I: IntoIterator<Item = DrezCard>>(cards: I) -> Self {
        let mut counts = Self::default();
        cards.into_iter().for_each(|card| counts.add(card));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_has_fifty_six_cards() {
        assert_eq!(DrezCard::ALL.iter().map(|card| card.in_deck()).sum::<u32>(), DECK_SIZE);
    }

    #[test]
    fn a_card_of_a_lost_kind_wakes_every_piece() {
        let wakes = |card: DrezCard, has: &dyn Fn(Role) -> bool| -> String {
            Role::ALL.into_iter().filter(|moved| card.wakes(*moved, has)).map(Role::letter).collect()
        };
        let all = |_| true;
        let no_queen = |role| role != Role::Queen;
        assert_eq!(wakes(DrezCard::Queen, &all), "QK");
        assert_eq!(wakes(DrezCard::Queen, &no_queen), "PNBRQK");
        assert_eq!(wakes(DrezCard::Joker, &all), "PNBRQK");
        assert_eq!(wakes(DrezCard::Neutral, &|_| false), "K");
        assert_eq!(wakes(DrezCard::Rook, &no_queen), "RK");
    }
}
