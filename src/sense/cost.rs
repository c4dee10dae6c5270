//! Computes one part of an explanation's cost; a smaller cost is better. An explanation is a list of actions that may
//! have led to what the board shows now. A picture is the content of all squares that the board showed for a while.
//! The other part of the cost is the number of squares on which the pictures differ from the positions of the
//! explanation; `weigh.rs` counts these squares.
//!
//! A late update is nothing unusual: for a while the board still shows the earlier content of the square. Three
//! things make an explanation less likely: a piece whose arrival the board never showed, a piece that the board
//! showed on another square, and an action that the board showed only after the opponent's reply. All costs are
//! counted in squares, so they can be added to the number of differing squares.

mod newcomers;
mod order;
mod places;

use order::lifted;
use tabiya_types::{Board, Instant, Millis, Piece, Square};

use super::sight::{Felt, Picture};

/// The cost of a forgotten press or a lost update, in squares.
pub(super) const UNLIKELY: usize = 2;
/// The cost, in squares, of an event that hardly ever happens. An explanation with this cost is not accepted
/// during a game; the players are asked instead.
const IMPLAUSIBLE: usize = 7;
/// If a picture begins at most this long after a press, it still counts as evidence for the position before that
/// press. This time allows for one scan of all squares and for a report of the whole board directly after the scan.
pub(super) const LATE: Millis = Millis(400);
/// The time in which a board scans all its squares once. Changes within this time may be reported in any
/// order.
pub(super) const SCAN_TIME: Millis = Millis(250);

/// The position after one of the actions of an explanation.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReachedPosition {
    pub(super) board: Board,
    /// The squares that must have been empty for a moment during the action. A board that senses only
    /// occupancy must have shown this.
    pub(super) felt: Felt,
    /// The time of the press for this action; `None` if the press is still missing or was forgotten.
    pub(super) pressed: Option<Instant>,
    /// The end of the turn in which the action was made; `None` if that turn has not ended yet.
    pub(super) ended: Option<Instant>,
    /// Whether the turn had neither a press nor a reply. Then only the board at rest shows that the turn
    /// ended.
    pub(super) alone: bool,
}

/// An explanation, and the pictures that the board has shown since the beginning of the explanation.
#[derive(Clone, Copy)]
pub(super) struct ShownPath<'a> {
    /// The explanation may leave earlier settled actions as they are. This is the board before the last of those
    /// actions; `None` if there are none.
    pub(super) previous: Option<&'a Board>,
    /// The board at the beginning of the explanation.
    pub(super) root: &'a Board,
    /// The positions after the actions of the explanation, in order.
    pub(super) positions: &'a [ReachedPosition],
    /// The pictures of the board since the beginning of the explanation, the oldest first.
    pub(super) pictures: &'a [Picture],
    /// The board after the first of the settled actions that the explanation replaces; `None` if the
    /// explanation replaces no settled action.
    pub(super) settled: Option<&'a Board>,
}

/// The squares on which an action put pieces, and these pieces.
pub(super) struct Marks(Vec<(Square, Piece)>);

impl Marks {
    pub(super) fn of(before: &Board, after: &Board) -> Self {
        Self(before.differences(after).filter_map(|at| Some((at, after[at]?))).collect())
    }

    /// Whether all these pieces stand on their squares on `board`.
    pub(super) fn stand_on(&self, board: &Board) -> bool {
        self.0.iter().all(|(at, piece)| board[*at] == Some(*piece))
    }

    /// Whether `seen` is one of these pieces. Its square does not matter.
    pub(super) fn have(&self, seen: Option<Piece>) -> bool {
        self.0.iter().any(|(_, piece)| seen == Some(*piece))
    }

    /// Those of the pieces that the opponent's reply has left on their squares. `answered` is the board after the
    /// reply.
    fn left_on(&self, answered: &Board) -> Self {
        Self(self.0.iter().copied().filter(|(at, piece)| answered[*at] == Some(*piece)).collect())
    }
}

impl ShownPath<'_> {
    /// The costs that concern the explanation as a whole. The costs of single positions and of actions out of
    /// order are computed elsewhere.
    pub(super) fn overall_cost(&self) -> usize {
        self.lifted_early()
            + self.piece_missing_at_reply()
            + self.corrected_late()
            + self.misplaced_pieces()
            + self.pressed_elsewhere()
            + self.never_empty()
    }

    /// The cost of squares that were never seen empty. An action may have to empty a square for a moment. If
    /// the board never showed this square empty in that turn, either two pieces were swapped in one movement
    /// or the action is wrong. The cost is zero unless the board senses only occupancy.
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

    /// The cost of the position after the `nth` action. `picture` is the picture nearest to this position: no
    /// other picture differs from the position on fewer squares.
    pub(super) fn position_cost(&self, nth: usize, picture: &Picture) -> usize {
        let (Some(before), Some(after)) = (self.board(nth), self.board(nth + 1)) else { return 0 };
        let next = self.board(nth + 2).unwrap_or(after);
        let moving = lifted(after, next).map(|(_, piece)| piece);
        strangeness(before, after, [next, self.settled.unwrap_or(next)], moving, &picture.board)
            + self.overtaken(before, after, &picture.board)
    }

    /// The board after this number of actions; `None` if the explanation has fewer actions.
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

    /// The cost if `picture` shows the moved piece twice: on its new square, and on another square where the
    /// board first showed it later. In that case the board failed to report that the piece was lifted from
    /// its new square. The cost is zero in all other cases.
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

/// Counts the squares on which `picture` differs from the position `after` an action in a way that no late
/// update explains. There are three cases:
/// - The action did not change the square, but the picture shows a piece that does not belong there.
/// - The action put a piece on the square, but the picture shows no piece there.
/// - The action emptied the square, but the picture shows a new piece there.
///
/// A square does not count if one of the `known` boards has the same piece there. A piece equal to `moving`
/// does not count either, because the next action may have lifted it already.
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
