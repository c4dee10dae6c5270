//! The faces of the deck of 44 chess cards, and how many cards of each face the deck has.
//!
//! Source: printed rule 0 in `docs/rules.md`.

use std::fmt;

use crate::board::Role;

/// The face of a card. The variants are in the record's order: Q R B N P.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Card {
    /// Queen, letter Q; the deck has 4.
    Queen,
    /// Rook, letter R; the deck has 8.
    Rook,
    /// Bishop, letter B; the deck has 8.
    Bishop,
    /// Knight, letter N; the deck has 8.
    Knight,
    /// Pawn, letter P; the deck has 16.
    Pawn,
}

impl Card {
    /// All five faces in the record's order: Q R B N P.
    pub const ALL: [Self; 5] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Pawn];

    /// The record's letter for the face.
    pub fn letter(self) -> char {
        self.role().letter()
    }

    /// The card for one of the capital letters Q R B N P; `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.letter() == letter)
    }

    /// The piece that the card shows.
    pub fn role(self) -> Role {
        match self {
            Self::Queen => Role::Queen,
            Self::Rook => Role::Rook,
            Self::Bishop => Role::Bishop,
            Self::Knight => Role::Knight,
            Self::Pawn => Role::Pawn,
        }
    }

    /// The card that shows this piece; `None` for the king, which no card shows.
    pub fn from_role(role: Role) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.role() == role)
    }

    /// The number of cards with this face in a deck (printed rule 0 in `docs/rules.md`).
    pub fn in_deck(self) -> u8 {
        match self {
            Self::Queen => 4,
            Self::Rook | Self::Bishop | Self::Knight => 8,
            Self::Pawn => 16,
        }
    }

    /// The position of the face in the record's order: 0 for the queen to 4 for the pawn.
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

/// The number of cards of each face.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts([u8; 5]);

impl Counts {
    /// Counts in the record's order: queens, rooks, bishops, knights, pawns.
    pub const fn new(counts: [u8; 5]) -> Self {
        Self(counts)
    }

    /// The number of cards with this face.
    pub fn of(self, card: Card) -> u8 {
        self.0[card.index()]
    }

    /// These counts with one more card of this face.
    #[must_use]
    pub fn with(mut self, card: Card) -> Self {
        self.0[card.index()] += 1;
        self
    }

    /// The number of cards of all faces together.
    pub fn total(self) -> u8 {
        self.0.iter().sum()
    }

    /// Iterates over the single cards, in the record's order of faces.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().flat_map(move |card| (0..self.of(card)).map(move |_| card))
    }
}

impl FromIterator<Card> for Counts {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::default(), Self::with)
    }
}

/// Writes one letter for each card, in the record's order of faces: `QQRRP`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cards().try_for_each(|card| write!(f, "{}", card.letter()))
    }
}
