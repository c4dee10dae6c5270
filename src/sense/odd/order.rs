//! What came before what: hands lift, put and press in an order that a board only blurs by one pass.

use super::{HARDLY, Marks, PASS, Told};
use crate::clock::{Instant, Millis};
use crate::rules::{Board, Piece, Square};
use crate::sense::sight::Picture;

/// Whoever has pressed for the wrong thing has noticed by then, and lifts it again,
const NOTICED: Millis = Millis(2_000);
/// and has put it right by then.
const PUT_RIGHT: Millis = Millis(4_000);
/// A piece that is gone from its square for so long was not just knocked over.
const GONE: Millis = Millis(1_000);

/// What it costs that a piece was in the air too early. It may have been knocked over and caught.
const EARLY: usize = 5;

impl Told<'_> {
    /// What it costs that a piece was not on its square any more when the turn before its own was pressed for:
    /// nobody lifts his piece before the opponent has pressed.
    pub(super) fn lifted_early(&self) -> usize {
        let early = |nth: &usize| {
            let pressed = self.way.get(*nth)?.pressed?;
            let (before, after) = (self.board(nth + 1)?, self.board(nth + 2)?);
            let (from, piece) = lifted(before, after)?;
            let then = self.pictures.iter().position(|picture| !picture.ended_before(pressed))?;
            let there = |picture: &Picture| picture.board[from] == Some(piece);
            let was_there = self.pictures.get(..then)?.iter().any(there);
            Some(was_there && !there(self.pictures.get(then)?))
        };
        let turns = 0..self.way.len().saturating_sub(1);
        EARLY * turns.filter(|nth| early(nth) == Some(true)).count()
    }

    /// What it costs that a piece was gone from where its own action had put it when that was answered.
    pub(super) fn answered_in_absence(&self) -> usize {
        let boards: Vec<&Board> = (self.previous.into_iter().chain([self.root]))
            .chain(self.way.iter().map(|stood| &stood.board))
            .collect();
        let first = boards.len() - self.way.len() - 1;
        let absent = |(nth, turns): (usize, &[&Board])| {
            let [before, after, answered] = turns else { return None };
            let (mark, answer) = (Marks::of(before, after).left_on(answered), Marks::of(after, answered));
            let came = self.pictures.iter().position(|picture| answer.stand_on(&picture.board))?;
            let left =
                self.pictures.get(..=came)?.iter().rposition(|picture| mark.stand_on(&picture.board))?;
            let (left, came) = (self.pictures.get(left)?.until?, self.pictures.get(came)?.from);
            // What was only knocked over stands again when the answer is pressed for.
            let pressed = self.way.get((nth + 1).checked_sub(first)?)?.pressed;
            let stands_again = pressed.is_some_and(|pressed| {
                let then = self.pictures.iter().find(|picture| !picture.ended_before(pressed));
                then.is_some_and(|picture| mark.stand_on(&picture.board))
            });
            Some(came.since(left) >= GONE && !stands_again)
        };
        HARDLY * boards.windows(3).enumerate().filter(|turns| absent(*turns) == Some(true)).count()
    }

    /// How many actions left no mark that was seen after their press, or only when the mark of the next
    /// had long been there. A lost update comes so late; more often it was another action.
    pub(in crate::sense) fn disorder(&self) -> usize {
        (0..self.way.len().saturating_sub(1)).filter(|nth| self.came_late(*nth).unwrap_or(false)).count()
    }

    fn came_late(&self, nth: usize) -> Option<bool> {
        let (before, after, answered_board) = (self.board(nth)?, self.board(nth + 1)?, self.board(nth + 2)?);
        let (mark, answer) = (Marks::of(before, after), Marks::of(after, answered_board));
        let pressed = self.way.get(nth)?.pressed;
        let left = mark.left_on(answered_board);
        if left.0.is_empty() {
            // What the answer took at once was perhaps never seen.
            let seen = self.pictures.iter().any(|picture| mark.stand_on(&picture.board));
            let taken = self.pictures.iter().find(|picture| answer.stand_on(&picture.board))?;
            return Some(!seen && pressed.is_some_and(|pressed| taken.from > pressed + PASS + PASS));
        }
        let shown = (self.pictures.iter())
            .filter(|picture| !pressed.is_some_and(|pressed| picture.ended_before(pressed)))
            .find(|picture| left.stand_on(&picture.board));
        let Some(shown) = shown.map(|picture| picture.from) else { return Some(true) };
        // The answer may have been lifted again and put back: it came when it was put the last time.
        let stands: Vec<bool> = self.pictures.iter().map(|picture| answer.stand_on(&picture.board)).collect();
        let put =
            |at: &usize| stands.get(*at) == Some(&true) && (*at == 0 || stands.get(at - 1) == Some(&false));
        let answered = (0..stands.len()).rev().find(put)?;
        let answered_at = self.pictures.get(answered)?.from;
        // Nobody answers before the press.
        if pressed.is_some_and(|pressed| answered_at < pressed) && answered_at < shown {
            return Some(true);
        }
        if pressed.is_some_and(|pressed| shown <= pressed + PASS) {
            // The board had not looked there yet.
            return Some(false);
        }
        Some(shown > self.begun(after, answered_board, answered)? + PASS)
    }

    /// When the action that came to stand at a picture was begun: when its piece was lifted.
    fn begun(&self, before: &Board, after: &Board, put: usize) -> Option<Instant> {
        let from = lifted(before, after);
        let lift = from.and_then(|(at, piece)| {
            let before_put = self.pictures.get(..put)?;
            let last = before_put.iter().rev().find(|picture| picture.board[at] == Some(piece))?;
            last.until
        });
        let put = self.pictures.get(put)?.from;
        Some(lift.map_or(put, |lift| lift.min(put)))
    }

    /// What it costs that what was settled stood for longer, or the other action came later, than anybody
    /// puts right after a press.
    pub(super) fn put_right_late(&self) -> usize {
        let late = || {
            let (settled, before, after) = (self.settled?, self.board(0)?, self.board(1)?);
            let pressed = self.way.first()?.pressed.filter(|_| settled != after && self.way.len() > 1)?;
            let (was, is) = (Marks::of(before, settled), Marks::of(before, after));
            let shown = self.pictures.iter().position(|picture| {
                !picture.ended_before(pressed) && is.stand_on(&picture.board) && !was.stand_on(&picture.board)
            })?;
            let left = self.pictures.get(..shown)?.iter().rev().find(|picture| was.stand_on(&picture.board));
            let left_late = left.and_then(|left| left.until).is_some_and(|left| left > pressed + NOTICED);
            Some(left_late || self.pictures.get(shown)?.from > pressed + PUT_RIGHT)
        };
        if late() == Some(true) { HARDLY } else { 0 }
    }
}

/// The piece that an action moves, and the square that it leaves.
pub(super) fn lifted(before: &Board, after: &Board) -> Option<(Square, Piece)> {
    before.differences(after).find_map(|at| {
        let piece = before[at]?;
        let comes = |(to, other): (Square, Piece)| other == piece && before[to] != after[to];
        after.pieces().any(comes).then_some((at, piece))
    })
}
