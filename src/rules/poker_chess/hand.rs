//! Poker hands of up to five cards, and how they compare.
//!
//! A hand may have fewer than five cards: what they make counts. Source: `docs/rules-poker-chess.md`, rules 16 to 19;
//! `docs/record-poker-chess.md`, "How lines act", point 3.

use tabiya_types::{Sentence, say};

use super::card::{PlayingCard, Rank};

/// What a hand is, from the lowest to the highest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HandKind {
    /// No card at all.
    None,
    /// No two cards of a rank.
    HighCard,
    /// Two cards of a rank.
    Pair,
    /// Twice two cards of a rank.
    TwoPair,
    /// Three cards of a rank.
    ThreeOfAKind,
    /// Five ranks in a row.
    Straight,
    /// Five cards of a suit.
    Flush,
    /// Three cards of a rank and two of another.
    FullHouse,
    /// Four cards of a rank.
    FourOfAKind,
    /// Five ranks in a row, in one suit.
    StraightFlush,
}

impl HandKind {
    /// All kinds of hand, from the lowest to the highest.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::HighCard,
        Self::Pair,
        Self::TwoPair,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::FourOfAKind,
        Self::StraightFlush,
    ];

    /// The record's word for the kind of hand.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::HighCard => "high-card",
            Self::Pair => "pair",
            Self::TwoPair => "two-pair",
            Self::ThreeOfAKind => "three-of-a-kind",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full-house",
            Self::FourOfAKind => "four-of-a-kind",
            Self::StraightFlush => "straight-flush",
        }
    }

    /// The kind of hand as players say it.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::None => say!("poker-none", "no card"),
            Self::HighCard => say!("poker-high-card", "high card"),
            Self::Pair => say!("poker-pair", "a pair"),
            Self::TwoPair => say!("poker-two-pair", "two pair"),
            Self::ThreeOfAKind => say!("poker-three-of-a-kind", "three of a kind"),
            Self::Straight => say!("poker-straight", "a straight"),
            Self::Flush => say!("poker-flush", "a flush"),
            Self::FullHouse => say!("poker-full-house", "a full house"),
            Self::FourOfAKind => say!("poker-four-of-a-kind", "four of a kind"),
            Self::StraightFlush => say!("poker-straight-flush", "a straight flush"),
        }
    }

    /// How many cards of a rank each group of the hand has, in the order in which the groups are compared.
    fn sizes(self) -> [usize; 5] {
        match self {
            Self::None | Self::HighCard | Self::Straight | Self::Flush | Self::StraightFlush => {
                [1, 1, 1, 1, 1]
            }
            Self::Pair => [2, 1, 1, 1, 0],
            Self::TwoPair => [2, 2, 1, 0, 0],
            Self::ThreeOfAKind => [3, 1, 1, 0, 0],
            Self::FullHouse => [3, 2, 0, 0, 0],
            Self::FourOfAKind => [4, 1, 0, 0, 0],
        }
    }
}

/// The worth of up to five cards. Of two hands the greater one wins; equal hands are worth the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PokerHand {
    kind: HandKind,
    /// The ranks of the groups in the order in which they are compared; no rank is lower than any. A straight has one
    /// group only, that of its highest card.
    ranks: [Option<Rank>; 5],
}

impl PokerHand {
    /// What the hand is.
    pub fn kind(self) -> HandKind {
        self.kind
    }

    /// The letters of the ranks in the order in which they are compared, each as often as the hand has it: `AATTK`.
    pub fn letters(self) -> String {
        let ranks = self.ranks.into_iter().flatten();
        match self.kind {
            HandKind::Straight | HandKind::StraightFlush => {
                let down = |rank: &Rank| {
                    Some(rank.index().checked_sub(1).and_then(Rank::from_index).unwrap_or(Rank::ACE))
                };
                ranks
                    .flat_map(|high| std::iter::successors(Some(high), down).take(5))
                    .map(Rank::letter)
                    .collect()
            }
            kind => {
                let groups = ranks.zip(kind.sizes());
                groups.flat_map(|(rank, size)| std::iter::repeat_n(rank.letter(), size)).collect()
            }
        }
    }
}

/// Up to five cards as they are collected one by one.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    /// The ranks that occur at least once, twice, three times and four times: bit 0 is the two, bit 12 the ace.
    ranks: [u16; 4],
    /// The suits that occur.
    suits: u8,
}

/// The ranks of the lowest straight, 5 4 3 2 A.
const WHEEL: u16 = 0b1_0000_0000_1111;

impl Tally {
    /// These cards and one more.
    pub(super) fn with(self, card: PlayingCard) -> Self {
        let bit = 1 << card.rank.index();
        let [once, twice, thrice, four] = self.ranks;
        let ranks = [once | bit, twice | once & bit, thrice | twice & bit, four | thrice & bit];
        Self { ranks, suits: self.suits | 1 << card.suit as u8 }
    }

    /// What these cards are worth.
    pub(super) fn hand(self) -> PokerHand {
        let [once, twice, thrice, four] = self.ranks;
        let (single, pairs, triples) = (once & !twice, twice & !thrice, thrice & !four);
        let flush = self.ranks.iter().map(|ranks| ranks.count_ones()).sum::<u32>() == 5
            && self.suits.is_power_of_two();
        let straight = straight(once);
        let kind = match (four.count_ones(), triples.count_ones(), pairs.count_ones()) {
            (1, ..) => HandKind::FourOfAKind,
            (_, 1, 1) => HandKind::FullHouse,
            (_, 1, _) => HandKind::ThreeOfAKind,
            (_, _, 2) => HandKind::TwoPair,
            (_, _, 1) => HandKind::Pair,
            _ if flush && straight.is_some() => HandKind::StraightFlush,
            _ if flush => HandKind::Flush,
            _ if straight.is_some() => HandKind::Straight,
            _ if once == 0 => HandKind::None,
            _ => HandKind::HighCard,
        };
        let mut ranks = [None; 5];
        if let Some(high) = straight {
            ranks[0] = Some(high);
        } else {
            let groups = [four, triples, pairs, single].into_iter().flat_map(from_the_top);
            ranks.iter_mut().zip(groups).for_each(|(place, rank)| *place = Some(rank));
        }
        PokerHand { kind, ranks }
    }
}

/// The highest rank of a straight; `None` if these ranks are none.
fn straight(ranks: u16) -> Option<Rank> {
    if ranks == WHEEL {
        return Rank::from_letter('5');
    }
    let lowest = ranks.trailing_zeros();
    let in_a_row = ranks.count_ones() == 5 && ranks >> lowest == 0b1_1111;
    if in_a_row { Rank::from_index(lowest + 4) } else { None }
}

/// The ranks of a set, the highest first.
fn from_the_top(mut ranks: u16) -> impl Iterator<Item = Rank> {
    std::iter::from_fn(move || {
        let highest = ranks.checked_ilog2()?;
        ranks &= !(1 << highest);
        Rank::from_index(highest)
    })
}

#[cfg(test)]
mod tests;
