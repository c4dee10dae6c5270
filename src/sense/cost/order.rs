//! What came before what: hands lift, put and press in an order that a board only blurs by one pass.

use tabiya_types::{Board, Instant, Millis, Piece, Square};

use super::newcomers::count;
use super::{HARDLY, Marks, PASS, ShownPath, UNLIKELY};
use crate::sense::sight::Picture;

/// Whoever has pressed for the wrong thing has noticed by then, and lifts it again,
const NOTICED: Millis = Millis(2_000);
/// and has put it right by then.
const PUT_RIGHT: Millis = Millis(4_000);
/// Nobody presses for an answer to what the board has not told so long after its press, if nothing was lost.
const TOLD: Millis = Millis(300);
/// A piece that had stood for so long before it went was knocked over rather than put right.
const FIRM: Millis = Millis(1_000);
/// A piece that is gone from its square for so long was not just knocked over.
const GONE: Millis = Millis(1_000);

/// What it costs that a piece was in the air too early. It may have been knocked over and caught.
const EARLY: usize = 5;

impl ShownPath<'_> {
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
            let stood = self.pictures.get(..=left)?.iter().rev();
            let stood = stood.take_while(|picture| mark.stand_on(&picture.board)).last()?.from;
            let (left, came) = (self.pictures.get(left)?.until?, self.pictures.get(came)?.from);
            let late = if left.since(stood) >= FIRM { PASS } else { Millis(0) };
            // What was only knocked over stands again when the answer is pressed for; what had stood firm
            // before may be told to do so a pass later.
            let pressed = self.way.get((nth + 1).checked_sub(first)?)?.pressed;
            let stands_again = pressed.is_some_and(|pressed| {
                let then = self.pictures.iter().filter(|picture| !picture.ended_before(pressed));
                let mut then = then.take_while(|picture| picture.from <= pressed + late);
                then.any(|picture| mark.stand_on(&picture.board))
            });
            Some(came.since(left) >= GONE && !stands_again)
        };
        HARDLY * boards.windows(3).enumerate().filter(|turns| absent(*turns) == Some(true)).count()
    }

    /// How many actions left no mark that was seen after their press, or only when the mark of the next
    /// had long been there. A lost update comes so late; more often it was another action.
    pub(crate) fn disorder(&self) -> usize {
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
        let too_late = pressed.is_some_and(|pressed| shown > pressed + TOLD);
        let answer_pressed = self.way.get(nth + 1)?.pressed.is_some_and(|pressed| pressed < shown);
        Some(
            too_late && answer_pressed && answered_at < shown
                || shown > self.begun(after, answered_board, answered)? + PASS,
        )
    }

    /// When the action that came to stand at a picture was begun: when its piece was lifted, or was first
    /// seen on its way.
    fn begun(&self, before: &Board, after: &Board, put: usize) -> Option<Instant> {
        let from = lifted(before, after);
        let lift = from.and_then(|(at, piece)| {
            let before_put = self.pictures.get(..put)?;
            let last = before_put.iter().rev().find(|picture| picture.board[at] == Some(piece))?;
            last.until
        });
        let on_its_way = from.and_then(|(_, piece)| self.seen_twice(before, piece, put));
        let put = self.pictures.get(put)?.from;
        Some([lift, on_its_way].into_iter().flatten().fold(put, Instant::min))
    }

    /// When a piece whose lift was lost was first seen elsewhere, before a picture: one such piece too many, on
    /// a square where no position has one. A board that has not looked everywhere yet shows two for a pass.
    fn seen_twice(&self, before: &Board, piece: Piece, until: usize) -> Option<Instant> {
        let known = |at: Square| {
            let boards = self.way.iter().map(|stood| &stood.board).chain([self.root]).chain(self.previous);
            boards.into_iter().any(|board| board[at] == Some(piece))
        };
        let most = count(before, piece).max(count(self.root, piece));
        let twice = |picture: &&Picture| {
            let mut strangers = before.differences(&picture.board);
            count(&picture.board, piece) > most
                && strangers.any(|at| picture.board[at] == Some(piece) && !known(at))
        };
        let mut pictures = self.pictures.get(..until)?.iter().filter(twice);
        let first = pictures.next()?;
        let ended = pictures.next_back().unwrap_or(first).until?;
        (ended > first.from + PASS).then_some(first.from)
    }

    /// What it costs that what was settled stood for longer, or the other action came later, than anybody
    /// puts right after a press.
    pub(super) fn put_right_late(&self) -> usize {
        let cost = || {
            let (settled, before, after) = (self.settled?, self.board(0)?, self.board(1)?);
            let pressed = self.way.first()?.pressed.filter(|_| settled != after && self.way.len() > 1)?;
            let (was, is) = (Marks::of(before, settled), Marks::of(before, after));
            let shown = self.pictures.iter().position(|picture| {
                !picture.ended_before(pressed) && is.stand_on(&picture.board) && !was.stand_on(&picture.board)
            })?;
            let left = self.pictures.get(..shown)?.iter().rev().find(|picture| was.stand_on(&picture.board));
            let left_late = left.and_then(|left| left.until).is_some_and(|left| left > pressed + NOTICED);
            let shown = self.pictures.get(shown)?.from;
            // Nobody answers what is just being put right.
            let answered = self.way.iter().skip(1).find_map(|stood| stood.pressed);
            Some(match answered {
                _ if left_late || shown > pressed + PUT_RIGHT => HARDLY,
                Some(answered) if shown > answered => UNLIKELY,
                _ => 0,
            })
        };
        cost().unwrap_or(0)
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
