//! The sets of pieces from which a player's hand is formed, and the best of them.
//!
//! A hand is formed by a player's four highest pieces and one of his lowest. Source: `docs/rules-poker-chess.md`, rules
//! 10 to 16; `docs/record-poker-chess.md`, "How lines act", points 2 to 4.

use tabiya_types::{Role, Square, Squares};

use super::deal::Deal;
use super::hand::{PokerHand, Tally};
use crate::rules::capability::PieceSets;

/// The kinds of piece, the highest first.
const KINDS: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// How many of a player's highest pieces form his hand, together with one of his lowest.
const HIGHEST: usize = 4;

/// A hand, and the squares whose cards form it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LaidHand {
    pub(super) hand: PokerHand,
    pub(super) squares: Squares,
}

impl PieceSets {
    /// The sets of a player, who has pieces of each kind on these squares.
    pub(super) fn of(squares: impl Fn(Role) -> Squares) -> Self {
        let kinds = KINDS.map(squares);
        let lowest = kinds.iter().rposition(|kind| !kind.is_empty());
        let mut sets = Self { all: Squares::NONE, some: Vec::new() };
        let mut left = HIGHEST;
        for (nth, kind) in kinds.into_iter().enumerate() {
            let of_highest = left.min(kind.len());
            left -= of_highest;
            let count = of_highest + usize::from(lowest == Some(nth));
            if count >= kind.len() {
                sets.all = union(sets.all, kind);
            } else if count > 0 {
                sets.some.push((count, kind));
            }
        }
        sets
    }

    /// Whether these squares are one of the sets.
    pub(super) fn has(&self, squares: Squares) -> bool {
        let common = |of: Squares| Squares::from_bits(of.bits() & squares.bits());
        let within = self.some.iter().fold(self.all, |within, (_, of)| union(within, *of));
        common(within) == squares
            && common(self.all) == self.all
            && self.some.iter().all(|(count, of)| common(*of).len() == *count)
    }

    /// The highest hand of all sets. Of equal hands it is the one whose squares come first, from a1 to h8.
    pub(super) fn best(&self, deal: &Deal) -> LaidHand {
        let mut search = Search { deal, best: laid(deal, Squares::NONE) };
        let (tally, squares) =
            squares_of(self.all).fold((Tally::default(), 0), |so_far, at| with(deal, so_far, at));
        search.choose(tally, squares, &self.some);
        search.best
    }
}

/// The hand that the cards under these squares make.
pub(super) fn laid(deal: &Deal, squares: Squares) -> LaidHand {
    let (tally, squares) =
        squares_of(squares).fold((Tally::default(), 0), |so_far, at| with(deal, so_far, at));
    LaidHand { hand: tally.hand(), squares: Squares::from_bits(squares) }
}

/// Adds the card under a square, if there is one, to the cards and the squares with a card so far.
fn with(deal: &Deal, (tally, squares): (Tally, u64), at: Square) -> (Tally, u64) {
    match deal.card(at) {
        Some(card) => (tally.with(card), squares | 1 << at.index()),
        None => (tally, squares),
    }
}

fn union(one: Squares, other: Squares) -> Squares {
    Squares::from_bits(one.bits() | other.bits())
}

/// The squares of a set from a1 to h8, without looking at those outside the set.
fn squares_of(set: Squares) -> impl Iterator<Item = Square> {
    let mut left = set.bits();
    std::iter::from_fn(move || {
        let at = Square::from_index(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(at)
    })
}

/// The search for the best set.
struct Search<'a> {
    deal: &'a Deal,
    best: LaidHand,
}

impl Search<'_> {
    /// Chooses from each of these groups, after the cards and squares that are chosen already.
    fn choose(&mut self, tally: Tally, squares: u64, groups: &[(usize, Squares)]) {
        match groups {
            [] => self.consider(tally, squares),
            [(count, of), rest @ ..] => self.choose_from(tally, squares, (*count, of.bits()), rest),
        }
    }

    /// Chooses `count` squares of `of`, and then from each of the other groups.
    fn choose_from(
        &mut self,
        tally: Tally,
        squares: u64,
        (count, of): (usize, u64),
        rest: &[(usize, Squares)],
    ) {
        if count == 0 {
            return self.choose(tally, squares, rest);
        }
        let mut left = of;
        let mut without_card = false;
        while left.count_ones() as usize >= count {
            let Some(at) = Square::from_index(left.trailing_zeros() as usize) else { return };
            left &= left - 1;
            let (next, chosen) = with(self.deal, (tally, squares), at);
            // Pieces on squares without a card bring nothing, so it does not matter which of them is chosen.
            if chosen == squares && std::mem::replace(&mut without_card, true) {
                continue;
            }
            self.choose_from(next, chosen, (count - 1, left), rest);
        }
    }

    fn consider(&mut self, tally: Tally, squares: u64) {
        let hand = tally.hand();
        let best = self.best.squares.bits();
        // Of the squares that only one of the two sets has, the first one decides which set comes first.
        let differ = best ^ squares;
        let first = differ & differ.wrapping_neg();
        if hand > self.best.hand || hand == self.best.hand && squares & first != 0 {
            self.best = LaidHand { hand, squares: Squares::from_bits(squares) };
        }
    }
}
