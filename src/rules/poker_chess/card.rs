//! The cards of a poker deck: 13 ranks in four suits.

use std::fmt;

/// The letters of the ranks, from the two to the ace.
const RANKS: &[u8; 13] = b"23456789TJQKA";

/// The rank of a card, from the two to the ace. The ace is the highest rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank(u8);

impl Rank {
    /// The ace, the highest rank.
    pub const ACE: Self = Self(12);

    /// All ranks, from the two to the ace.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..=Self::ACE.0).map(Self)
    }

    /// The rank with this index: 0 is the two, 12 is the ace. `None` for a larger index.
    pub fn from_index(index: u32) -> Option<Self> {
        u8::try_from(index).ok().filter(|index| *index <= Self::ACE.0).map(Self)
    }

    /// The index of the rank: 0 is the two, 12 is the ace.
    pub fn index(self) -> u32 {
        u32::from(self.0)
    }

    /// The record's letter for the rank: `2` to `9`, then `T`, `J`, `Q`, `K` and `A`.
    pub fn letter(self) -> char {
        char::from(RANKS[usize::from(self.0)])
    }

    /// The rank for one of the record's letters; `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::all().find(|rank| rank.letter() == letter)
    }
}

/// The suit of a card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Suit {
    /// Hearts, a red suit.
    Hearts,
    /// Diamonds, a red suit.
    Diamonds,
    /// Spades, a black suit.
    Spades,
    /// Clubs, a black suit.
    Clubs,
}

impl Suit {
    /// All four suits, the red ones first.
    pub const ALL: [Self; 4] = [Self::Hearts, Self::Diamonds, Self::Spades, Self::Clubs];

    /// The record's letter for the suit.
    pub fn letter(self) -> char {
        match self {
            Self::Hearts => 'h',
            Self::Diamonds => 'd',
            Self::Spades => 's',
            Self::Clubs => 'c',
        }
    }

    /// Whether the suit is red.
    pub fn is_red(self) -> bool {
        matches!(self, Self::Hearts | Self::Diamonds)
    }

    /// The suit of the other colour that mirrors this one: a spade for a heart, a club for a diamond.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Hearts => Self::Spades,
            Self::Diamonds => Self::Clubs,
            Self::Spades => Self::Hearts,
            Self::Clubs => Self::Diamonds,
        }
    }
}

/// A card of a poker deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayingCard {
    /// The rank of the card.
    pub rank: Rank,
    /// The suit of the card.
    pub suit: Suit,
}

impl PlayingCard {
    /// The card for a text of the record, such as `Th` for the ten of hearts; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let (rank, suit) = (letters.next()?, letters.next()?);
        let suit = Suit::ALL.into_iter().find(|known| known.letter() == suit)?;
        let card = Self { rank: Rank::from_letter(rank)?, suit };
        letters.next().is_none().then_some(card)
    }
}

/// Writes the card as the record does: `Th` for the ten of hearts.
impl fmt::Display for PlayingCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank.letter(), self.suit.letter())
    }
}
