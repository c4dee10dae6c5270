//! What is odd about a way of understanding, beyond squares that differ.
//!
//! A late square is nothing to wonder about: it shows what stood there before. A piece that never
//! arrived, one that was seen elsewhere, or an action whose mark came after the answer to it speak for
//! another way. All of it is counted in squares, so that it adds to distances.

use super::sight::Picture;
use super::weigh::Stood;
use crate::clock::Millis;
use crate::rules::{Board, Piece, Square};

/// What a forgotten press or a lost update costs, in squares.
pub(super) const UNLIKELY: usize = 2;
/// A position is shown at the latest so long after the next press: one pass of the board, and a dump
/// that cures a lost update.
pub(super) const LATE: Millis = Millis(400);
/// A board looks at all its squares once in so long: what changes within it may be told in any order.
pub(super) const PASS: Millis = Millis(250);
/// A picture that stood so long is no glimpse of a hand's way.
const REST: Millis = Millis(350);

/// A way of understanding, and what the board has shown on it.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    /// Where it begins.
    pub(super) root: &'a Board,
    pub(super) way: &'a [Stood],
    pub(super) pictures: &'a [Picture],
    /// What was made of its first press before, where that is doubted.
    pub(super) settled: Option<&'a Board>,
}

/// The pieces that an action put somewhere.
struct Marks(Vec<(Square, Piece)>);

impl Marks {
    fn of(before: &Board, after: &Board) -> Self {
        Self(before.differences(after).filter_map(|at| Some((at, after[at]?))).collect())
    }

    fn stand_on(&self, board: &Board) -> bool {
        self.0.iter().all(|(at, piece)| board[*at] == Some(*piece))
    }
}

impl Told<'_> {
    /// What is odd about the position after the `nth` action, on the picture nearest to it.
    pub(super) fn at(&self, nth: usize, picture: &Picture) -> usize {
        let (Some(before), Some(after)) = (self.board(nth), self.board(nth + 1)) else { return 0 };
        let next = self.board(nth + 2).unwrap_or(after);
        strangeness(before, after, [next, self.settled.unwrap_or(next)], &picture.board)
            + self.overtaken(before, after, &picture.board)
    }

    /// The board after so many actions.
    fn board(&self, actions: usize) -> Option<&Board> {
        match actions.checked_sub(1) {
            None => Some(self.root),
            Some(nth) => self.way.get(nth).map(|stood| &stood.board),
        }
    }

    /// What it costs that the piece was seen on another square as well, and there later: it was a lift
    /// that was lost, and the piece had gone on.
    fn overtaken(&self, before: &Board, after: &Board, picture: &Board) -> usize {
        let first = |at: Square, piece: Piece| {
            self.pictures.iter().position(|picture| picture.board[at] == Some(piece))
        };
        let Some((square, piece)) = Marks::of(before, after).0.first().copied() else { return 0 };
        let later = |at: Square| {
            picture[at] == Some(piece) && before[at] != Some(piece) && first(at, piece) > first(square, piece)
        };
        let seen_twice = picture[square] == Some(piece) && after.differences(picture).any(later);
        if seen_twice { UNLIKELY } else { 0 }
    }

    /// How many actions left no mark that was seen after their press, or only when the mark of the next
    /// had long been there. A lost update comes so late; more often it was another action.
    pub(super) fn disorder(&self) -> usize {
        (0..self.way.len().saturating_sub(1)).filter(|nth| self.came_late(*nth).unwrap_or(false)).count()
    }

    fn came_late(&self, nth: usize) -> Option<bool> {
        let (before, after, answered) = (self.board(nth)?, self.board(nth + 1)?, self.board(nth + 2)?);
        let (mut mark, answer) = (Marks::of(before, after), Marks::of(after, answered));
        // What the answer took at once was perhaps never seen.
        mark.0.retain(|(at, piece)| answered[*at] == Some(*piece));
        if mark.0.is_empty() {
            return Some(false);
        }
        let pressed = self.way.get(nth)?.pressed;
        let shown = (self.pictures.iter())
            .filter(|picture| !pressed.is_some_and(|pressed| picture.ended_before(pressed)))
            .find(|picture| mark.stand_on(&picture.board));
        let Some(shown) = shown.map(|picture| picture.from) else { return Some(true) };
        let in_time = pressed.is_some_and(|pressed| shown <= pressed + PASS);
        // The answer may have been lifted again and put back: it came when it was put the last time.
        let stands: Vec<bool> = self.pictures.iter().map(|picture| answer.stand_on(&picture.board)).collect();
        let put =
            |at: &usize| stands.get(*at) == Some(&true) && (*at == 0 || stands.get(at - 1) == Some(&false));
        let answered_at = (0..stands.len()).rev().find(put).and_then(|at| self.pictures.get(at))?.from;
        // Nobody answers before the press.
        if pressed.is_some_and(|pressed| answered_at < pressed) && answered_at < shown {
            return Some(true);
        }
        if in_time {
            // The board had not looked there yet.
            return Some(false);
        }
        let after_press = self.way.get(nth + 1)?.pressed.is_some_and(|pressed| shown > pressed + PASS);
        let after_answer = shown > answered_at + PASS;
        // Whoever was understood otherwise before has had his say: only his own turn counts.
        Some(shown > answered_at + LATE || (after_press && (after_answer || self.settled.is_some())))
    }

    /// Pieces that stood for a while on squares where no position has them; where something settled is
    /// doubted, after its press only.
    pub(super) fn elsewhere(&self) -> usize {
        let Some(pressed) = self.way.iter().find_map(|stood| stood.pressed) else { return 0 };
        let mistake = self.mistake();
        let strange = |picture: &Picture| {
            let known = |at: Square, piece: Piece| {
                let boards = self.way.iter().map(|stood| &stood.board).chain([self.root]).chain(mistake);
                boards.into_iter().any(|board| board[at] == Some(piece))
            };
            picture.board.pieces().filter(|(at, piece)| !known(*at, *piece)).count()
        };
        let counts =
            |picture: &&Picture| picture.stood(REST) && (self.settled.is_none() || picture.from >= pressed);
        UNLIKELY * self.pictures.iter().filter(counts).map(strange).max().unwrap_or(0)
    }

    /// What was pressed for by mistake stood there too, until it was put right. If it still stood there at
    /// the next press it was no mistake.
    fn mistake(&self) -> Option<&Board> {
        let next = self.way.iter().filter_map(|stood| stood.pressed).nth(1);
        let shown_then = |picture: &&Picture| {
            next.is_some_and(|next| picture.from <= next && picture.until.is_none_or(|until| until > next))
        };
        let (settled, other) = (self.settled?, self.board(1)?);
        let stays = |picture: &Picture| other.differences(settled).all(|at| picture.board[at] == settled[at]);
        (!self.pictures.iter().filter(shown_then).any(stays)).then_some(settled)
    }

    /// How far the pictures that stood for a while are from every position.
    pub(super) fn unexplained(&self) -> usize {
        let nearest = |picture: &Picture| {
            let after = self.way.iter().map(|stood| stood.board.distance(&picture.board));
            after.chain([self.root.distance(&picture.board)]).min().unwrap_or(0)
        };
        self.pictures.iter().filter(|picture| picture.stood(REST)).map(nearest).sum()
    }
}

/// How many squares of a picture near a position are stranger than late: neither as they should be nor
/// as they were before, nor as they are on another board that was `known`, or without the piece that the
/// action brought.
fn strangeness(before: &Board, after: &Board, known: [&Board; 2], picture: &Board) -> usize {
    let strange = |at: &Square| match (before[*at], after[*at]) {
        _ if picture[*at].is_some() && known.iter().any(|board| board[*at] == picture[*at]) => false,
        (was, is) if was == is => picture[*at].is_some(),
        (_, Some(_)) => picture[*at].is_none(),
        (was, None) => picture[*at] != was,
    };
    after.differences(picture).filter(strange).count()
}
