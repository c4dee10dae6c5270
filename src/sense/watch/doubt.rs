//! Decides whether the last settled action is certain, that is, whether the board continued to show it after
//! its press.
//!
//! Hands are faster than boards, and players correct an action right after their press. If the board showed an
//! action only briefly, another action may have been played. If it showed the action for long, the action is
//! certain.

use tabiya_types::{Board, Instant, Millis, Square};

use super::super::cost::{Marks, SCAN_TIME};
use super::super::explanation::Explanation;
use super::case::Case;
use super::plies::End;

/// An action that the board shows for at least this long after its press is certain.
const NO_SLIP: Millis = Millis(3_000);

impl Case<'_> {
    /// Whether the board contradicted the last settled action within the settling time after its press: the
    /// moved pieces were gone, or pieces of that side were on wrong squares. A piece that the opponent has
    /// lifted is no contradiction.
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
                // The board showed the action a little late, but then continued to show it.
                return false;
            }
        }
        doubtful && !self.last_shown_long()
    }

    /// Whether the board showed a piece of the same colour and kind as the moved piece on a wrong square, within the
    /// settling time after the press of the last action.
    pub(super) fn last_went_elsewhere(&self) -> bool {
        let Some(ply) = self.plies.last() else { return false };
        let (End::Press(_, pressed), after) = (ply.end, self.scene.expected()) else { return false };
        let marks = Marks::of(&self.scene.as_seen(&ply.before), &after);
        let soon = pressed..=pressed + self.scene.settle();
        let pictures = self.scene.sight.pictures(pressed);
        let mut pictures = pictures.iter().filter(|picture| soon.contains(&picture.from));
        pictures.any(|picture| after.differences(&picture.board).any(|at| marks.have(picture.board[at])))
    }

    /// Whether the shown position `seen` contradicts the last action. It does if it differs from the
    /// expected position on a square that the action changed, or if a piece of the side that acted is on a
    /// wrong square.
    fn contradicts_last(&self, seen: &Board) -> bool {
        let Some(ply) = self.plies.last() else { return false };
        let (before, after, by) =
            (self.scene.as_seen(&ply.before), self.scene.expected(), ply.before.mover());
        let names = self.scene.sight.identifies_pieces();
        let of_mover = |at: Square| names && seen[at].is_some_and(|piece| Some(piece.color) == by);
        after.differences(seen).any(|at| before[at] != after[at] || of_mover(at))
    }

    /// Whether the board showed the last action for so long after its press that a correction is unlikely.
    pub(super) fn last_shown_long(&self) -> bool {
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

    /// Whether an explanation moves the piece of the last action again, and the last action may therefore
    /// have been another one. There are two cases:
    ///
    /// - The piece had left its square before the board showed the opponent's reply, and before the press
    ///   for that reply.
    /// - The last action had no press, and the explanation contains an action whose press was forgotten.
    pub(super) fn is_moved_on(&self, explanation: &Explanation) -> bool {
        let (Some(ply), Some(first)) = (self.plies.last(), explanation.positions.first()) else {
            return false;
        };
        // Whether the last action had no press, and the explanation contains a forgotten press. It is then more
        // probable that no press was forgotten, and that the piece only paused on its way.
        let stopped = matches!(ply.end, End::Unpressed(_)) && explanation.forgotten() > 0;
        if explanation.positions.len() < 2 || (explanation.was_shown() && !stopped) {
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
        left.zip(answered).is_some_and(|(left, answered)| left + SCAN_TIME < answered)
    }

    /// Whether an explanation moves the same piece in two consecutive turns of its side, although the piece left its
    /// square within one scan of the board after the first turn's press. In that case the first action may have been
    /// another one: the piece may really have been put on a square where the board never showed it.
    pub(super) fn is_hurried(&self, explanation: &Explanation) -> bool {
        let skip = self.plies.len().saturating_sub(2);
        let settled = self.plies.iter().skip(skip).enumerate().map(|(nth, ply)| {
            let pressed = match ply.end {
                End::Press(_, at) => Some(at),
                End::Unpressed(_) | End::Implied | End::Open | End::Typed => None,
            };
            (self.settled(skip + nth), pressed)
        });
        let understood = explanation.positions.iter().map(|reached| (reached.board, reached.pressed));
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
            last.and_then(|last| last.until).is_some_and(|left| left <= pressed + SCAN_TIME)
        })
    }
}
