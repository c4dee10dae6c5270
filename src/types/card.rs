//! The faces of the deck of 44 chess cards, and how many there are of each.
//!
//! Source: printed rule 0.

use std::fmt;

use crate::board::Role;

/// A card's face. The order is the record's: Q R B N P.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Card {
    /// Q, 4 in the deck.
    Queen,
    /// R, 8 in the deck.
    Rook,
    /// B, 8 in the deck.
    Bishop,
    /// N, 8 in the deck.
    Knight,
    /// P, 16 in the deck.
    Pawn,
}

impl Card {
    /// All five, in the record's order.
    pub const ALL: [Self; 5] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Pawn];

    /// The record's letter.
    pub fn letter(self) -> char {
        self.role().letter()
    }

    /// The card of a capital letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.letter() == letter)
    }

    /// The piece the face shows.
    pub fn role(self) -> Role {
        match self {
            Self::Queen => Role::Queen,
            Self::Rook => Role::Rook,
            Self::Bishop => Role::Bishop,
            Self::Knight => Role::Knight,
            Self::Pawn => Role::Pawn,
        }
    }

    /// The card that shows this piece; a king is on no card.
    pub fn from_role(role: Role) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.role() == role)
    }

    /// How many a deck holds (rule 0).
    pub fn in_deck(self) -> u8 {
        match self {
            Self::Queen => 4,
            Self::Rook | Self::Bishop | Self::Knight => 8,
            Self::Pawn => 16,
        }
    }

    /// 0 for the queen … 4 for the pawn.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The English word of the face.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.role(), f)
    }
}

/// How many there are of each face.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts([u8; 5]);

impl Counts {
    /// So many of each face, in the record's order: queens, rooks, bishops, knights, pawns.
    pub const fn new(counts: [u8; 5]) -> Self {
        Self(counts)
    }

    /// How many of this face.
    pub fn of(self, card: Card) -> u8 {
        self.0[card.index()]
    }

    /// One more of this face.
    #[must_use]
    pub fn with(mut self, card: Card) -> Self {
        self.0[card.index()] += 1;
        self
    }

    /// All of them.
    pub fn total(self) -> u8 {
        self.0.iter().sum()
    }

    /// The faces one by one, in the record's order.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().flat_map(move |card| (0..self.of(card)).map(move |_| card))
    }
}

impl FromIterator<Card> for Counts {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::default(), Self::with)
    }
}

/// Letters in the record's order: `QQRRP`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cards().try_for_each(|card| write!(f, "{}", card.letter()))
    }
}
