//! What a card without a written effect may have done, from the boards before and after it: a proposal that the player
//! puts right and the other confirms.
//!
//! Source: `docs/record-chess-joker.md`, "A board's picture", 6.

use tabiya_types::{Piece, Role};

use super::lines_of_board::{bit, each, square};
use super::men::Men;
use super::step::CardStep;

/// The steps that lead from one board to another. In this order: pieces taken off, pieces that go or change places, new
/// pieces, promotions.
pub(super) fn steps_between(before: &Men, after: &Men) -> Vec<CardStep> {
    let (mut goings, vanished, appeared) = paired(before, after);
    let mut promotions = Vec::new();
    let mut new = Vec::new();
    let mut left = vanished;
    for (at, piece) in appeared {
        let pawn = left.iter().position(|(_, gone)| promotes(*gone, piece, at));
        if let Some(nth) = pawn {
            goings.push((left.remove(nth).0, at));
            promotions.push(CardStep::Becomes(square(at), piece.role));
        } else {
            new.push(CardStep::Adds(piece, square(at)));
        }
    }
    let taken = left.iter().filter(|(at, _)| after.at(*at).is_none());
    let mut steps: Vec<CardStep> = taken.map(|(at, _)| CardStep::Takes(square(*at))).collect();
    steps.extend(in_order(goings));
    steps.extend(new);
    steps.extend(promotions);
    steps
}

type Placed = (usize, Piece);

/// Pairs the pieces of one letter that vanished with those that appeared, both from a1 to h8: where each came from and
/// went, and what vanished and appeared besides.
fn paired(before: &Men, after: &Men) -> (Vec<(usize, usize)>, Vec<Placed>, Vec<Placed>) {
    let changed = before.differences(after);
    let on = |men: &Men| -> Vec<Placed> {
        each(changed).filter_map(|at| men.at(at).map(|piece| (at, piece))).collect()
    };
    let (mut vanished, mut appeared) = (on(before), on(after));
    let mut goings = Vec::new();
    vanished.retain(|(from, piece)| {
        let partner = appeared.iter().position(|(_, came)| came == piece);
        goings.extend(partner.map(|nth| (*from, appeared.remove(nth).0)));
        partner.is_none()
    });
    (goings, vanished, appeared)
}

/// Whether a pawn that vanished may have become this piece, on its own eighth rank.
fn promotes(pawn: Piece, piece: Piece, at: usize) -> bool {
    let mut end = Men::default();
    end.put(at, pawn);
    pawn.role == Role::Pawn && pawn.color == piece.color && end.pawns_at_the_end() & bit(at) != 0
}

/// The goings in an order in which none goes where another has still to leave. Pieces in a ring change places.
fn in_order(mut goings: Vec<(usize, usize)>) -> Vec<CardStep> {
    goings.sort_unstable();
    let mut steps = Vec::new();
    while !goings.is_empty() {
        let free = goings.iter().position(|(_, to)| goings.iter().all(|(from, _)| from != to));
        if let Some(nth) = free {
            let (from, to) = goings.remove(nth);
            steps.push(CardStep::Goes(square(from), square(to)));
        } else {
            // Everything that is left stands in rings. The piece that stands on `start` goes to its goal; what stood
            // there comes to `start`, and goes on from there.
            let (start, to) = goings.remove(0);
            steps.push(CardStep::Swaps(square(start), square(to)));
            if let Some(next) = goings.iter_mut().find(|(from, _)| *from == to) {
                next.0 = start;
            }
            goings.retain(|(from, to)| from != to);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use tabiya_types::Board;

    use super::*;

    fn steps(before: &str, after: &str) -> String {
        let men = |placement: &str| Men::of(&placement.parse::<Board>().expect("a placement"));
        let steps: Vec<String> =
            steps_between(&men(before), &men(after)).iter().map(CardStep::to_string).collect();
        steps.join(" ")
    }

    #[test]
    fn pieces_of_one_letter_are_paired_from_a1_to_h8() {
        assert_eq!(steps("8/8/8/8/8/8/8/N1N5", "8/8/8/8/8/N1N5/8/8"), "a1a3 c1c3");
        assert_eq!(steps("8/8/8/3p4/8/8/8/N7", "8/8/8/3N4/8/8/8/8"), "a1d5");
    }

    #[test]
    fn what_is_left_was_added_or_taken_off_or_promoted() {
        assert_eq!(steps("8/8/8/3p4/8/8/8/8", "8/8/8/8/8/8/8/1N6"), "-d5 +Nb1");
        assert_eq!(steps("3p4/8/4P3/8/8/8/8/8", "3Q4/8/8/8/8/8/8/8"), "e6d8 d8=Q");
        assert_eq!(steps("8/8/8/3b4/8/8/8/8", "8/8/8/3N4/8/8/8/8"), "+Nd5");
        assert_eq!(steps("8/8/8/8/8/8/4p3/8", "8/8/8/8/8/8/8/4n3"), "e2e1 e1=N");
    }

    #[test]
    fn no_piece_goes_where_another_has_still_to_leave() {
        assert_eq!(steps("8/8/8/8/8/8/8/RN6", "8/8/8/8/8/8/8/1RN5"), "b1c1 a1b1");
        assert_eq!(steps("8/8/8/8/8/8/8/RN6", "8/8/8/8/8/8/8/NR6"), "a1<>b1");
        assert_eq!(steps("8/8/8/8/8/8/8/RNB5", "8/8/8/8/8/8/8/BRN5"), "a1<>b1 a1<>c1");
    }
}
