//! What an explanation costs beyond the squares on which pictures differ from it.
//!
//! A late square is ordinary: it still shows what stood there before. Three things make an explanation less
//! likely: a piece that the board never showed arriving, a piece that it showed on another square, and an
//! action that it showed only after the reply. All costs are counted in squares, so they can be added to
//! distances.

mod newcomers;
mod order;
mod places;

use order::lifted;
use tabiya_types::{Board, Instant, Millis, Piece, Square};

use super::sight::{Felt, Picture};

/// The cost of a forgotten press or a lost update, in squares.
pub(super) const UNLIKELY: usize = 2;
/// The cost of something that hardly ever happens, in squares. It is more than any explanation may cost
/// without a question to the players.
const IMPLAUSIBLE: usize = 7;
/// How long after the next press a board may still show a position for the first time: one scan of all
/// squares, and a dump of the whole board that follows at once. A later picture adds to the cost.
pub(super) const LATE: Millis = Millis(400);
/// The time in which a board scans all its squares once. Changes within it may be reported in any order.
pub(super) const SCAN_TIME: Millis = Millis(250);

/// A position that an explanation reaches by one of its actions.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReachedPosition {
    pub(super) board: Board,
    /// The squares that a board which senses only occupancy must have shown empty during the action.
    pub(super) felt: Felt,
    /// When the player pressed for the action; `None` if the press is missing or was forgotten.
    pub(super) pressed: Option<Instant>,
    /// When the turn ended; `None` if it has not ended yet.
    pub(super) ended: Option<Instant>,
    /// Whether only the board at rest shows that the turn ended: there was no press and no reply.
    pub(super) alone: bool,
}

/// An explanation, and the pictures that the board has shown meanwhile.
#[derive(Clone, Copy)]
pub(super) struct ShownPath<'a> {
    /// The board before the action that settled last; `None` if there is no earlier settled action.
    pub(super) previous: Option<&'a Board>,
    /// The board at the beginning of the explanation.
    pub(super) root: &'a Board,
    /// The positions that the explanation reaches, in their order.
    pub(super) positions: &'a [ReachedPosition],
    /// The pictures that the board has shown since, in their order.
    pub(super) pictures: &'a [Picture],
    /// The board after the settled action that this explanation reinterprets; `None` if it reinterprets none.
    pub(super) settled: Option<&'a Board>,
}

/// The squares to which an action put pieces, and these pieces.
pub(super) struct Marks(Vec<(Square, Piece)>);

impl Marks {
    pub(super) fn of(before: &Board, after: &Board) -> Self {
        Self(before.differences(after).filter_map(|at| Some((at, after[at]?))).collect())
    }

    /// Whether all these pieces stand on their squares of `board`.
    pub(super) fn stand_on(&self, board: &Board) -> bool {
        self.0.iter().all(|(at, piece)| board[*at] == Some(*piece))
    }

    /// Whether `seen` is one of these pieces, on whatever square.
    pub(super) fn have(&self, seen: Option<Piece>) -> bool {
        self.0.iter().any(|(_, piece)| seen == Some(*piece))
    }

    /// The pieces that still stand on their squares after the opponent's reply.
    fn left_on(&self, answered: &Board) -> Self {
        Self(self.0.iter().copied().filter(|(at, piece)| answered[*at] == Some(*piece)).collect())
    }
}

impl ShownPath<'_> {
    /// The cost of the explanation as a whole. Disorder and single positions are not part of it.
    pub(super) fn overall_cost(&self) -> usize {
        self.lifted_early()
            + self.piece_missing_at_reply()
            + self.corrected_late()
            + self.misplaced_pieces()
            + self.pressed_elsewhere()
            + self.never_empty()
    }

    /// The cost of squares that an action must have emptied but that a board which senses only occupancy never
    /// showed empty in that turn. Either two pieces were swapped in one movement, or the action is wrong.
    fn never_empty(&self) -> usize {
        let unseen = |nth: usize| {
            let Some(reached) = self.positions.get(nth) else { return 0 };
            let began = nth.checked_sub(1).and_then(|before| self.positions.get(before)?.pressed);
            let in_turn = |picture: &&Picture| {
                reached.pressed.is_none_or(|pressed| picture.from <= pressed + LATE)
                    && began.is_none_or(|began| picture.until.is_none_or(|until| until >= began))
            };
            let pictures = self.pictures.iter().filter(in_turn);
            reached.felt.never_left(&pictures) + reached.felt.never_taken(pictures)
        };
        UNLIKELY * (0..self.positions.len()).map(unseen).sum::<usize>()
    }

    /// The cost of the position after the `nth` action, seen in `picture`, which is the nearest to it.
    pub(super) fn position_cost(&self, nth: usize, picture: &Picture) -> usize {
        let (Some(before), Some(after)) = (self.board(nth), self.board(nth + 1)) else { return 0 };
        let next = self.board(nth + 2).unwrap_or(after);
        let moving = lifted(after, next).map(|(_, piece)| piece);
        strangeness(before, after, [next, self.settled.unwrap_or(next)], moving, &picture.board)
            + self.overtaken(before, after, &picture.board)
    }

    /// The board after this number of actions; `None` if the explanation has fewer.
    fn board(&self, actions: usize) -> Option<&Board> {
        match actions.checked_sub(1) {
            None => Some(self.root),
            Some(nth) => self.positions.get(nth).map(|reached| &reached.board),
        }
    }

    /// The index of the first picture that shows `piece` on this square.
    fn first(&self, at: Square, piece: Piece) -> Option<usize> {
        self.pictures.iter().position(|picture| picture.board[at] == Some(piece))
    }

    /// The cost if the picture shows the moved piece on another square as well, and the board showed it there
    /// later: then the piece had moved on, and only its lift was lost.
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

/// On how many squares a picture differs from the position `after` an action by more than a late update: it
/// shows a piece on a square that the action did not change, no piece where the action put one, or a new piece
/// on a square that the action left. Pieces as on one of the `known` boards do not count, nor does the piece
/// that may be `moving` already.
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
