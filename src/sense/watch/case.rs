//! Searches for explanations of the board and answers questions about them. The caller decides what to do with
//! the results.
//!
//! This file implements rules 1, 2, 4 and 5 of `docs/record.md`, "What was seen, and what was understood".

use tabiya_types::{Board, Color, Instant};

use super::super::explain::{BoardEvidence, Waiting, explain};
use super::super::explanation::{Explanation, Patience, SearchResult};
use super::super::sight::Picture;
use super::plies::{End, Plies};
use super::presses::Scrutiny;
use super::scene::Scene;
use super::waits::Waits;
use crate::table::Probe;

/// Everything that an explanation depends on: the table, the pictures that the board has shown, the settled actions,
/// and the presses and lines that wait for an explanation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) plies: &'a Plies,
    pub(super) waiting: &'a Waits,
    /// The moment of the latest input.
    pub(super) now: Instant,
}

impl Case<'_> {
    /// Explains the items in `waiting`, starting from the position `from`. If `from` is the position after all settled
    /// actions, `earlier` is `None`. Otherwise `earlier` is the index of the settled action that was made in the
    /// position `from`. In this case, an explanation counts only if the board has shown all its positions.
    pub(super) fn explained(
        &self,
        from: &Probe,
        waiting: &[Waiting],
        earlier: Option<usize>,
    ) -> SearchResult {
        let result = self.explained_even_unfelt(from, waiting, earlier);
        let pressed = !waiting.iter().any(|item| matches!(item, Waiting::Unpressed { .. }));
        if self.scene.sight.identifies_pieces() || (pressed && earlier.is_none()) {
            return result;
        }
        // The code below runs only for a board that senses only occupancy. If a new action replaces a settled action,
        // the board must have shown the squares of the new action empty during the turn of the settled action. If an
        // action has no press, the board must have shown the squares of that action empty.
        if let Some(first) = earlier {
            return result.retain(|explanation| self.was_felt_instead(explanation, first));
        }
        let pictures = self.scene.sight.pictures(self.evidence_since(&self.scene.as_seen(from), None));
        result.retain(|explanation| explanation.was_felt(&pictures))
    }

    /// For a board that senses only occupancy: whether it has shown each capture of this explanation that replaces a
    /// settled action. During the turn of the settled action, the board must have shown two squares empty at the same
    /// time: the square of the capture, and the square on which the settled action had put its piece. `first` is the
    /// index of the first settled action that is replaced.
    pub(super) fn was_felt_instead(&self, explanation: &Explanation, first: usize) -> bool {
        explanation.positions.iter().enumerate().all(|(nth, reached)| {
            let settled = self.settled(first + nth);
            let Some(ply) = self.plies.get(first + nth).filter(|_| reached.board != settled) else {
                return true;
            };
            let before = self.scene.as_seen(&ply.before);
            let put = || before.differences(&settled).filter(|at| settled[*at].is_some());
            let until = self.plies.get(first + nth + 1).map_or(self.now, |next| next.ended);
            let in_turn = |picture: &&Picture| {
                picture.from <= until
                    && put().all(|at| picture.board[at].is_none() || reached.felt.taken.has(at))
            };
            let pictures = self.scene.sight.pictures(self.before(first + nth));
            reached.felt.never_taken(pictures.iter().filter(in_turn)) == 0
        })
    }

    /// The moment from which pictures (readings of the whole board) count for an explanation that starts from the
    /// board `physical`. Earlier pictures belong to earlier actions or to setting up the pieces. After a typed
    /// action, pictures count only from the time at which the board last showed `physical` at rest, because
    /// people may carry out a typed action on the board much later.
    pub(super) fn evidence_since(&self, physical: &Board, earlier: Option<usize>) -> Instant {
        match (earlier, self.plies.last()) {
            (Some(first), _) => self.before(first),
            (None, Some(last)) if last.end != End::Typed => last.explained_until,
            (None, last) => {
                let shown =
                    self.scene.sight.last_shown_for(physical, self.scene.settle()).unwrap_or(Instant::ZERO);
                shown.max(last.map_or(Instant::ZERO, |typed| typed.explained_until))
            }
        }
    }

    /// Explains the items in `waiting` like [`Self::explained`], with one difference. On a board that senses only
    /// occupancy, an explanation is kept even if its squares were never shown empty.
    pub(super) fn explained_even_unfelt(
        &self,
        from: &Probe,
        waiting: &[Waiting],
        earlier: Option<usize>,
    ) -> SearchResult {
        let seen_only = earlier.is_some();
        let settled = earlier.map(|first| self.settled(first));
        let physical = self.scene.as_seen(from);
        let previous = earlier.unwrap_or(self.plies.len()).checked_sub(1);
        let previous =
            previous.and_then(|nth| self.plies.get(nth)).map(|ply| self.scene.as_seen(&ply.before));
        let since = self.evidence_since(&physical, earlier);
        let look = |ignored: &[_]| {
            let evidence = BoardEvidence {
                sight: self.scene.sight,
                since,
                ignored,
                settled,
                previous,
                seen_only,
                unpressed: self.scene.auto(),
            };
            let result = explain(from, waiting, &evidence);
            if waiting.iter().any(|item| matches!(item, Waiting::Unpressed { .. })) {
                // An action without a press counts only if the board showed where its pieces went.
                let pictures = self.scene.sight.pictures(since);
                result.retain(|explanation| explanation.left_marks(&physical, &pictures))
            } else {
                result
            }
        };
        let result = look(&[]);
        if matches!(result, SearchResult::Nothing) {
            let flickering = self.scene.sight.flickering();
            if !flickering.is_empty() {
                return match look(&flickering) {
                    // An explanation that changes a flickering square is dropped, because flicker is no evidence of
                    // an action.
                    SearchResult::Unique(explanation) if !explanation.changes_any(&physical, &flickering) => {
                        SearchResult::Unique(explanation)
                    }
                    SearchResult::Unique(_) | SearchResult::Ambiguous(_) | SearchResult::Nothing => {
                        SearchResult::Nothing
                    }
                };
            }
        }
        result
    }

    /// Whether the board has shown the position that a settled action leads to. Only what the board has shown
    /// since the action was settled counts.
    pub(super) fn was_shown(&self, ply: usize) -> bool {
        let after = self.settled(ply);
        let since = self.plies.get(ply).map_or(self.now, |ply| ply.explained_until);
        self.scene.sight.pictures(since).iter().any(|picture| picture.board == after)
    }

    /// Whether the board shows one action of each side at this press. In that case the first player has
    /// forgotten to press, and this press is not the one that starts the clock.
    pub(super) fn shows_two_actions(&self, by: Color, at: Instant) -> bool {
        let result = self.explained(&self.scene.base(), &[Waiting::Press { by, at }], None);
        matches!(result, SearchResult::Unique(found) if found.is_acceptable(Patience::None, false))
    }

    /// Whether one player pressed by mistake and the other player pressed back (`docs/record.md`, "What was seen,
    /// and what was understood", rule 4). This is so if exactly two presses wait, one by each side, and the board
    /// showed the settled position before the first press and has not changed since.
    pub(super) fn is_pressed_back(&self) -> bool {
        let mut waiting = self.waiting.iter();
        match (waiting.next(), waiting.next(), waiting.next()) {
            (Some(Waiting::Press { by, at }), Some(Waiting::Press { by: other, at: back }), None) => {
                by != other
                    && at <= back
                    && self.scene.sight.board() == self.scene.expected()
                    && self.scene.sight.last_change() + self.scene.settle() <= *at
            }
            _ => false,
        }
    }

    /// Whether the first press has waited so long that the board can no longer send late updates. If so, a square that
    /// changes now means that a hand is moving a piece. While the hand moves, the board may match an action only for a
    /// moment.
    pub(super) fn waits_long(&self, now: Instant) -> bool {
        self.waiting.first_press().is_some_and(|(_, at)| at + self.scene.settle() < now)
    }

    /// How long the tracker has waited since the last change of the board and the last press.
    pub(super) fn patience(&self, look: Scrutiny, now: Instant) -> Patience {
        let press = self.waiting.last_press().map_or(Instant::ZERO, |(_, at)| at);
        if look == Scrutiny::End {
            Patience::End
        } else if self.scene.sight.last_change().max(press) + self.scene.settle() <= now {
            if look == Scrutiny::Last || self.waiting.is_stuck(now) { Patience::Last } else { Patience::Rest }
        } else {
            Patience::None
        }
    }

    /// Explains `waiting` without presses that may have no meaning. There are two kinds of such presses. The
    /// first press may have no meaning if the clock of its side was stopped. Two successive presses, one by each
    /// side, cancel each other if the board did not change between them.
    pub(super) fn explained_without(&self, waiting: &[Waiting]) -> SearchResult {
        let mut fewer: Vec<Vec<Waiting>> = Vec::new();
        if matches!(waiting.first(), Some(Waiting::Press { by, .. }) if self.scene.clock_stopped(*by)) {
            fewer.push(waiting.get(1..).unwrap_or_default().to_vec());
        }
        for (nth, pair) in waiting.windows(2).enumerate() {
            if let [Waiting::Press { by, at }, Waiting::Press { by: other, at: back }] = pair
                && by != other
                && self.scene.sight.unchanged_between(*at, *back)
            {
                let (before, after) = (waiting.iter().take(nth), waiting.iter().skip(nth + 2));
                fewer.push(before.chain(after).cloned().collect());
            }
        }
        fewer
            .iter()
            .filter(|fewer| !fewer.is_empty())
            .map(|fewer| self.explained(&self.scene.base(), fewer, None))
            // There may be several ways to leave presses out, and it is unknown which of them is right. So the worst
            // result counts: an ambiguous one, or else the explanation with the highest cost.
            .max_by_key(|result| match result {
                SearchResult::Nothing => (0, 0),
                SearchResult::Unique(explanation) => (1, explanation.cost()),
                SearchResult::Ambiguous(_) => (2, 0),
            })
            .unwrap_or(SearchResult::Nothing)
            .retain(|explanation| explanation.is_acceptable(Patience::None, false))
    }
}
