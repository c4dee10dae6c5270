//! What is odd about a way of understanding, beyond squares that differ.
//!
//! A late square is nothing to wonder about: it shows what stood there before. A piece that never
//! arrived, one that was seen elsewhere, or an action whose mark came after the answer to it speak for
//! another way. All of it is counted in squares, so that it adds to distances.

mod newcomers;
mod order;
mod places;

use order::lifted;
use tabiya_types::{Board, Instant, Millis, Piece, Square};

use super::sight::{Felt, Picture};

/// What a forgotten press or a lost update costs, in squares.
pub(super) const UNLIKELY: usize = 2;
/// What hardly ever happens costs more than is ever believed without asking.
const HARDLY: usize = 7;
/// A position is shown so long after the next press at the latest: one pass of the board, and a dump that
/// cures at once. What takes longer is odd.
pub(super) const LATE: Millis = Millis(400);
/// A board looks at all its squares once in so long: what changes within it may be told in any order.
pub(super) const PASS: Millis = Millis(250);

/// A position on the way, and its own press where there was one.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReachedPosition {
    pub(super) board: Board,
    /// What must have been felt of its action on a board that cannot tell one piece from another.
    pub(super) felt: Felt,
    pub(super) pressed: Option<Instant>,
    /// When its turn ended, as far as it has.
    pub(super) ended: Option<Instant>,
    /// Whether it only stood there, without any press.
    pub(super) alone: bool,
}

/// A way of understanding, and what the board has shown on it.
#[derive(Clone, Copy)]
pub(super) struct ShownPath<'a> {
    /// Where the action settled before it began.
    pub(super) previous: Option<&'a Board>,
    /// Where it begins.
    pub(super) root: &'a Board,
    pub(super) way: &'a [ReachedPosition],
    pub(super) pictures: &'a [Picture],
    /// What was made of its first press before, where that is doubted.
    pub(super) settled: Option<&'a Board>,
}

/// The pieces that an action put somewhere.
pub(super) struct Marks(Vec<(Square, Piece)>);

impl Marks {
    pub(super) fn of(before: &Board, after: &Board) -> Self {
        Self(before.differences(after).filter_map(|at| Some((at, after[at]?))).collect())
    }

    /// Whether all of them stand there.
    pub(super) fn stand_on(&self, board: &Board) -> bool {
        self.0.iter().all(|(at, piece)| board[*at] == Some(*piece))
    }

    /// Whether this is one of them, wherever it stands.
    pub(super) fn have(&self, seen: Option<Piece>) -> bool {
        self.0.iter().any(|(_, piece)| seen == Some(*piece))
    }

    /// Those that still stand after the action that answered theirs.
    fn left_on(&self, answered: &Board) -> Self {
        Self(self.0.iter().copied().filter(|(at, piece)| answered[*at] == Some(*piece)).collect())
    }
}

impl ShownPath<'_> {
    /// What is odd about the way as a whole, but for its disorder, whatever the pictures nearest to its
    /// positions show.
    pub(super) fn as_a_whole(&self) -> usize {
        self.lifted_early()
            + self.answered_in_absence()
            + self.put_right_late()
            + self.elsewhere()
            + self.pressed_elsewhere()
            + self.never_empty()
    }

    /// What it costs that squares which a board that only feels pieces should have shown empty in a turn never
    /// were: a swap in one hand, or no capture at all.
    fn never_empty(&self) -> usize {
        let unseen = |nth: usize| {
            let Some(stood) = self.way.get(nth) else { return 0 };
            let began = nth.checked_sub(1).and_then(|before| self.way.get(before)?.pressed);
            let in_turn = |picture: &&Picture| {
                stood.pressed.is_none_or(|pressed| picture.from <= pressed + LATE)
                    && began.is_none_or(|began| picture.until.is_none_or(|until| until >= began))
            };
            let pictures = self.pictures.iter().filter(in_turn);
            stood.felt.never_left(&pictures) + stood.felt.never_taken(pictures)
        };
        UNLIKELY * (0..self.way.len()).map(unseen).sum::<usize>()
    }

    /// What is odd about the position after the `nth` action, on the picture nearest to it.
    pub(super) fn at(&self, nth: usize, picture: &Picture) -> usize {
        let (Some(before), Some(after)) = (self.board(nth), self.board(nth + 1)) else { return 0 };
        let next = self.board(nth + 2).unwrap_or(after);
        let moving = lifted(after, next).map(|(_, piece)| piece);
        strangeness(before, after, [next, self.settled.unwrap_or(next)], moving, &picture.board)
            + self.overtaken(before, after, &picture.board)
    }

    /// The board after so many actions.
    fn board(&self, actions: usize) -> Option<&Board> {
        match actions.checked_sub(1) {
            None => Some(self.root),
            Some(nth) => self.way.get(nth).map(|stood| &stood.board),
        }
    }

    /// The first picture that shows a piece there.
    fn first(&self, at: Square, piece: Piece) -> Option<usize> {
        self.pictures.iter().position(|picture| picture.board[at] == Some(piece))
    }

    /// What it costs that the piece was seen on another square as well, and there later: it was a lift
    /// that was lost, and the piece had gone on.
    fn overtaken(&self, before: &Board, after: &Board, picture: &Board) -> usize {
        let Some((square, piece)) = Marks::of(before, after).0.first().copied() else { return 0 };
        let later = |at: Square| {
            picture[at] == Some(piece)
                && before[at] != Some(piece)
                && self.first(at, piece) > self.first(square, piece)
        };
        let seen_twice = picture[square] == Some(piece) && after.differences(picture).any(later);
        if seen_twice { UNLIKELY } else { 0 }
    }
}

/// How many squares of a picture near a position are stranger than late: neither as they should be nor
/// as they were before, nor as they are on another board that was `known`, or without the piece that the
/// action brought. The next piece may be `moving` already.
fn strangeness(
    before: &Board,
    after: &Board,
    known: [&Board; 2],
    moving: Option<Piece>,
    picture: &Board,
) -> usize {
    let strange = |at: &Square| match (before[*at], after[*at]) {
        _ if picture[*at].is_some() && picture[*at] == moving => false,
        _ if picture[*at].is_some() && known.iter().any(|board| board[*at] == picture[*at]) => false,
        (was, is) if was == is => picture[*at].is_some(),
        (_, Some(_)) => picture[*at].is_none(),
        (was, None) => picture[*at] != was,
    };
    after.differences(picture).filter(strange).count()
}
