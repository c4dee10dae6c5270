//! How firmly the last action stood: whether the board went on showing it after its press.
//!
//! Hands overtake boards, and people put right what they have just pressed for. What did not stand for a
//! while may have been another action; what stood for long was none.

use tabiya_types::{Board, Instant, Millis, Square};

use super::super::cost::{Marks, PASS};
use super::super::explanation::Explanation;
use super::case::Case;
use super::plies::End;

/// What stood for so long after its press was no slip.
const NO_SLIP: Millis = Millis(3_000);

impl Case<'_> {
    /// Whether the board showed something else than the last action before all late updates had had their
    /// time: its marks gone, or its side's pieces elsewhere. The opponent may have begun to move.
    pub(super) fn last_is_doubtful(&self) -> bool {
        let Some(End::Press(_, pressed)) = self.plies.last().map(|ply| ply.end) else { return false };
        let until = pressed + self.scene.settle();
        let (mut doubtful, mut stands_since) = (false, None);
        for picture in self.scene.sight.pictures(pressed) {
            if self.contradicts_last(&picture.board) {
                doubtful |= picture.from <= until;
                stands_since = None;
                continue;
            }
            let since: Instant = *stands_since.get_or_insert(picture.from.max(pressed));
            if since <= until && picture.until.unwrap_or(self.now) >= since + self.scene.settle() {
                // It came a little late, and stayed.
                return false;
            }
        }
        doubtful && !self.last_stood_long()
    }

    /// Whether a piece such as the last action put was shown elsewhere after its press, before all late
    /// updates had had their time.
    pub(super) fn last_went_elsewhere(&self) -> bool {
        let Some(ply) = self.plies.last() else { return false };
        let (End::Press(_, pressed), after) = (ply.end, self.scene.expected()) else { return false };
        let marks = Marks::of(&self.scene.as_seen(&ply.before), &after);
        let soon = pressed..=pressed + self.scene.settle();
        let pictures = self.scene.sight.pictures(pressed);
        let mut pictures = pictures.iter().filter(|picture| soon.contains(&picture.from));
        pictures.any(|picture| after.differences(&picture.board).any(|at| marks.have(picture.board[at])))
    }

    /// Whether a picture shows the last action's marks gone, or a piece of its side where none should be.
    fn contradicts_last(&self, seen: &Board) -> bool {
        let Some(ply) = self.plies.last() else { return false };
        let (before, after, by) =
            (self.scene.as_seen(&ply.before), self.scene.expected(), ply.before.mover());
        let names = self.scene.sight.tells_pieces();
        let of_mover = |at: Square| names && seen[at].is_some_and(|piece| Some(piece.color) == by);
        after.differences(seen).any(|at| before[at] != after[at] || of_mover(at))
    }

    /// Whether what the last action had changed stood for so long after its press that nobody would put it
    /// right any more.
    pub(super) fn last_stood_long(&self) -> bool {
        let Some(ply) = self.plies.last() else { return false };
        let mut stands_since = None;
        self.scene.sight.pictures(ply.ended).iter().any(|picture| {
            if self.contradicts_last(&picture.board) {
                stands_since = None;
                return false;
            }
            let since: Instant = *stands_since.get_or_insert(picture.from.max(ply.ended));
            picture.until.unwrap_or(self.now) >= since + NO_SLIP
        })
    }

    /// Whether a way moves the piece on that the last action moved, although it had left its square before
    /// the action between was seen or pressed for: it may have gone elsewhere. So it may where nobody has
    /// pressed for either of the two.
    pub(super) fn is_moved_on(&self, way: &Explanation) -> bool {
        let (Some(ply), Some(first)) = (self.plies.last(), way.positions.first()) else { return false };
        // Where nobody pressed it had only stopped on its way, and no press was forgotten.
        let stopped = matches!(ply.end, End::Alone(_)) && way.forgotten() > 0;
        if way.positions.len() < 2 || (way.was_shown() && !stopped) {
            return false;
        }
        let (before, after, end) =
            (self.scene.as_seen(&ply.before), self.scene.expected(), self.scene.sight.board());
        let leaves =
            |at: &Square| after[*at].is_some() && first.board[*at] == after[*at] && end[*at] != after[*at];
        let Some(moved) = before.differences(&after).find(leaves) else { return false };
        if stopped {
            return true;
        }
        let pictures = self.scene.sight.pictures(ply.ended);
        let answer = Marks::of(&after, &first.board);
        let answered =
            pictures.iter().find(|picture| answer.stand_on(&picture.board)).map(|picture| picture.from);
        let answered = [answered, first.pressed].into_iter().flatten().min();
        let last = pictures.iter().rev().find(|picture| picture.board[moved] == after[moved]);
        let left = last.and_then(|picture| picture.until);
        left.zip(answered).is_some_and(|(left, answered)| left + PASS < answered)
    }

    /// Whether a way moves the piece on that the same side has moved last, although that had left its square
    /// so soon after its press that the board may never have shown where it went.
    pub(super) fn is_hurried(&self, way: &Explanation) -> bool {
        let skip = self.plies.len().saturating_sub(2);
        let settled = self.plies.iter().skip(skip).enumerate().map(|(nth, ply)| {
            let pressed = match ply.end {
                End::Press(_, at) => Some(at),
                End::Alone(_) | End::Implied | End::Open | End::Typed => None,
            };
            (self.settled(skip + nth), pressed)
        });
        let understood = way.positions.iter().map(|stood| (stood.board, stood.pressed));
        let Some(root) = self.plies.get(skip).map(|ply| self.scene.as_seen(&ply.before)) else {
            return false;
        };
        let turns: Vec<_> = [(root, None)].into_iter().chain(settled).chain(understood).collect();
        turns.windows(4).any(|turns| {
            let [(before, _), (after, pressed), (answered, _), (next, _)] = turns else { return false };
            let Some(pressed) = *pressed else { return false };
            let moves_on =
                |at: &Square| after[*at].is_some() && answered[*at] == after[*at] && next[*at] != after[*at];
            let Some(moved) = before.differences(after).find(moves_on) else { return false };
            let pictures = self.scene.sight.pictures(pressed);
            let last = pictures.iter().rev().find(|picture| picture.board[moved] == after[moved]);
            last.and_then(|last| last.until).is_some_and(|left| left <= pressed + PASS)
        })
    }
}
