//! The cost of lifts, placements and presses in an unlikely order. A board may mix up the order of events only
//! within one scan of its squares.

use tabiya_types::{Board, Instant, Millis, Piece, Square};

use super::newcomers::count;
use super::{IMPLAUSIBLE, Marks, SCAN_TIME, ShownPath, UNLIKELY};
use crate::sense::sight::Picture;

/// The longest time from the press until a player lifts a wrongly placed piece again.
const NOTICED: Millis = Millis(2_000);
/// The longest time from the press until a player has put a wrongly placed piece on the right square.
const PUT_RIGHT: Millis = Millis(4_000);
/// The longest time from the press until the board reports the action, if no update was lost.
const REPORTED: Millis = Millis(300);
/// A piece that disappears after it stood on its square for at least this long counts as knocked over. It does not
/// count as lifted by the player for a correction.
const FIRM: Millis = Millis(1_000);
/// A piece that is missing from its square for at least this long counts as taken away, not only as knocked over.
const GONE: Millis = Millis(1_000);

/// The cost, in squares, of a piece that a player lifted before the opponent had ended the previous turn by a press.
/// The cost is not higher, because the piece may only have been knocked over.
const EARLY: usize = 5;

impl ShownPath<'_> {
    /// The cost of pieces that were lifted too early: before the opponent had ended the previous turn by a press.
    /// Players normally lift a piece only after that press.
    pub(super) fn lifted_early(&self) -> usize {
        let early = |nth: &usize| {
            let pressed = self.positions.get(*nth)?.pressed?;
            let (before, after) = (self.board(nth + 1)?, self.board(nth + 2)?);
            let (from, piece) = lifted(before, after)?;
            let then = self.pictures.iter().position(|picture| !picture.ended_before(pressed))?;
            let there = |picture: &Picture| picture.board[from] == Some(piece);
            let was_there = self.pictures.get(..then)?.iter().any(there);
            Some(was_there && !there(self.pictures.get(then)?))
        };
        let turns = 0..self.positions.len().saturating_sub(1);
        EARLY * turns.filter(|nth| early(nth) == Some(true)).count()
    }

    /// The cost of actions whose piece was missing from its new square while the opponent replied.
    pub(super) fn piece_missing_at_reply(&self) -> usize {
        let boards: Vec<&Board> = (self.previous.into_iter().chain([self.root]))
            .chain(self.positions.iter().map(|reached| &reached.board))
            .collect();
        let first = boards.len() - self.positions.len() - 1;
        let absent = |(nth, turns): (usize, &[&Board])| {
            let [before, after, answered] = turns else { return None };
            let (mark, answer) = (Marks::of(before, after).left_on(answered), Marks::of(after, answered));
            let came = self.pictures.iter().position(|picture| answer.stand_on(&picture.board))?;
            let left =
                self.pictures.get(..=came)?.iter().rposition(|picture| mark.stand_on(&picture.board))?;
            let there = self.pictures.get(..=left)?.iter().rev();
            let since = there.take_while(|picture| mark.stand_on(&picture.board)).last()?.from;
            let (left, came) = (self.pictures.get(left)?.until?, self.pictures.get(came)?.from);
            let late = if left.since(since) >= FIRM { SCAN_TIME } else { Millis(0) };
            // A piece that was only knocked over is back on its square when the opponent presses for the reply. If
            // the piece had stood firmly before it was knocked over, its return may be reported up to one scan after
            // that press.
            let pressed = self.positions.get((nth + 1).checked_sub(first)?)?.pressed;
            let stands_again = pressed.is_some_and(|pressed| {
                let then = self.pictures.iter().filter(|picture| !picture.ended_before(pressed));
                let mut then = then.take_while(|picture| picture.from <= pressed + late);
                then.any(|picture| mark.stand_on(&picture.board))
            });
            Some(came.since(left) >= GONE && !stands_again)
        };
        IMPLAUSIBLE * boards.windows(3).enumerate().filter(|turns| absent(*turns) == Some(true)).count()
    }

    /// Counts the actions that the board showed too late or never. An action counts if no observation after the
    /// player's press shows it, or if the first one that shows it came long after the opponent's reply. The last action
    /// is left out. An update may have been lost, but more often the player played something else than this
    /// explanation assumes.
    pub(crate) fn disorder(&self) -> usize {
        (0..self.positions.len().saturating_sub(1))
            .filter(|nth| self.came_late(*nth).unwrap_or(false))
            .count()
    }

    /// Whether the board showed the `nth` action too late; `None` if the pictures do not allow an answer.
    fn came_late(&self, nth: usize) -> Option<bool> {
        let (before, after, answered_board) = (self.board(nth)?, self.board(nth + 1)?, self.board(nth + 2)?);
        let (mark, answer) = (Marks::of(before, after), Marks::of(after, answered_board));
        let pressed = self.positions.get(nth)?.pressed;
        let left = mark.left_on(answered_board);
        if left.0.is_empty() {
            // The reply captured the moved piece, so the board may never have shown that piece.
            let seen = self.pictures.iter().any(|picture| mark.stand_on(&picture.board));
            let taken = self.pictures.iter().find(|picture| answer.stand_on(&picture.board))?;
            return Some(
                !seen && pressed.is_some_and(|pressed| taken.from > pressed + SCAN_TIME + SCAN_TIME),
            );
        }
        let shown = (self.pictures.iter())
            .filter(|picture| !pressed.is_some_and(|pressed| picture.ended_before(pressed)))
            .find(|picture| left.stand_on(&picture.board));
        let Some(shown) = shown.map(|picture| picture.from) else { return Some(true) };
        // The piece of the reply may have been lifted again and put back. Its last placement counts.
        let reply_shown: Vec<bool> =
            self.pictures.iter().map(|picture| answer.stand_on(&picture.board)).collect();
        let put = |at: &usize| {
            reply_shown.get(*at) == Some(&true) && (*at == 0 || reply_shown.get(at - 1) == Some(&false))
        };
        let answered = (0..reply_shown.len()).rev().find(put)?;
        let answered_at = self.pictures.get(answered)?.from;
        // Players reply only after the press.
        if pressed.is_some_and(|pressed| answered_at < pressed) && answered_at < shown {
            return Some(true);
        }
        if pressed.is_some_and(|pressed| shown <= pressed + SCAN_TIME) {
            // The board showed the action within one scan of the press. Possibly it had not scanned the square
            // earlier, so the action is not late.
            return Some(false);
        }
        let too_late = pressed.is_some_and(|pressed| shown > pressed + REPORTED);
        let answer_pressed = self.positions.get(nth + 1)?.pressed.is_some_and(|pressed| pressed < shown);
        Some(
            too_late && answer_pressed && answered_at < shown
                || shown > self.begun(after, answered_board, answered)? + SCAN_TIME,
        )
    }

    /// The time at which an action began: when its piece was lifted or was first shown on its way to the new square,
    /// whichever came first. `put` is the index of the picture that shows the completed action.
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

    /// The time at which the board first showed a piece twice: still on its old square, because its lift was not
    /// reported, and already on another square. A picture shows this if it has one piece of this kind too many, on a
    /// square where no position has such a piece. Only pictures before the index `until` are searched. Returns `None`
    /// if all these pictures lie within one scan of the board, because the old square may not have been scanned yet.
    fn seen_twice(&self, before: &Board, piece: Piece, until: usize) -> Option<Instant> {
        let known = |at: Square| {
            let reached = self.positions.iter().map(|reached| &reached.board);
            let mut boards = reached.chain([self.root]).chain(self.previous);
            boards.any(|board| board[at] == Some(piece))
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
        (ended > first.from + SCAN_TIME).then_some(first.from)
    }

    /// The cost of a correction that came too late. Players who correct a mistake lift the wrong piece within
    /// [`NOTICED`] after their press, and put the right piece down within [`PUT_RIGHT`] after their press.
    pub(super) fn corrected_late(&self) -> usize {
        let cost = || {
            let (settled, before, after) = (self.settled?, self.board(0)?, self.board(1)?);
            let pressed =
                self.positions.first()?.pressed.filter(|_| settled != after && self.positions.len() > 1)?;
            let (was, is) = (Marks::of(before, settled), Marks::of(before, after));
            let shown = self.pictures.iter().position(|picture| {
                !picture.ended_before(pressed) && is.stand_on(&picture.board) && !was.stand_on(&picture.board)
            })?;
            let left = self.pictures.get(..shown)?.iter().rev().find(|picture| was.stand_on(&picture.board));
            let left_late = left.and_then(|left| left.until).is_some_and(|left| left > pressed + NOTICED);
            let shown = self.pictures.get(shown)?.from;
            // The opponent does not reply while an action is being corrected.
            let answered = self.positions.iter().skip(1).find_map(|reached| reached.pressed);
            Some(match answered {
                _ if left_late || shown > pressed + PUT_RIGHT => IMPLAUSIBLE,
                Some(answered) if shown > answered => UNLIKELY,
                _ => 0,
            })
        };
        cost().unwrap_or(0)
    }
}

/// The square that an action's piece leaves, and that piece; `None` if the action moves no piece.
pub(super) fn lifted(before: &Board, after: &Board) -> Option<(Square, Piece)> {
    before.differences(after).find_map(|at| {
        let piece = before[at]?;
        let comes = |(to, other): (Square, Piece)| other == piece && before[to] != after[to];
        after.pieces().any(comes).then_some((at, piece))
    })
}
