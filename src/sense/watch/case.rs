//! Explaining the board: from a position, what waits, and what was shown since.
//!
//! Rules 1, 2, 4 and 5 of "How a live table understands" (`docs/record.md`). Nothing is decided here: a case is
//! looked at, and whoever asked makes of it what it thinks right.

use tabiya_types::{Board, Color, Instant};

use super::super::explain::{BoardEvidence, Waiting, explain};
use super::super::explanation::{Explanation, Patience, SearchResult};
use super::super::sight::Picture;
use super::plies::{End, Plies};
use super::presses::Scrutiny;
use super::scene::Scene;
use super::waits::Waits;
use crate::table::Probe;

/// All that there is to go on: what the board shows, what was settled, and what waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) plies: &'a Plies,
    pub(super) waiting: &'a Waits,
    /// The newest moment that anything came in.
    pub(super) now: Instant,
}

impl Case<'_> {
    /// Explains what waits from a position on. `earlier`: which of the settled actions was made in it, if it
    /// is not the one settled last; then only what was seen on the way counts.
    pub(super) fn explained(
        &self,
        from: &Probe,
        waiting: &[Waiting],
        earlier: Option<usize>,
    ) -> SearchResult {
        let verdict = self.imagined(from, waiting, earlier);
        let pressed = !waiting.iter().any(|item| matches!(item, Waiting::Unpressed { .. }));
        if self.scene.sight.tells_pieces() || (pressed && earlier.is_none()) {
            return verdict;
        }
        // Where nobody pressed, only what was felt can tell that something was done; and what was settled is only
        // changed to what was felt when it was made.
        if let Some(first) = earlier {
            return verdict.retain(|way| self.was_felt_instead(way, first));
        }
        let pictures = self.scene.sight.pictures(self.told_since(&self.scene.as_seen(from), None));
        verdict.retain(|way| way.was_felt(&pictures))
    }

    /// Whether all captures in a way that differ from what was settled were felt in their turn, with the piece that
    /// is said to have taken off the square to which it was thought to have gone.
    pub(super) fn was_felt_instead(&self, way: &Explanation, first: usize) -> bool {
        way.positions.iter().enumerate().all(|(nth, stood)| {
            let settled = self.settled(first + nth);
            let Some(ply) = self.plies.get(first + nth).filter(|_| stood.board != settled) else {
                return true;
            };
            let before = self.scene.as_seen(&ply.before);
            let put = || before.differences(&settled).filter(|at| settled[*at].is_some());
            let until = self.plies.get(first + nth + 1).map_or(self.now, |next| next.ended);
            let in_turn = |picture: &&Picture| {
                picture.from <= until
                    && put().all(|at| picture.board[at].is_none() || stood.felt.taken.has(at))
            };
            let pictures = self.scene.sight.pictures(self.before(first + nth));
            stood.felt.never_taken(pictures.iter().filter(in_turn)) == 0
        })
    }

    /// What was shown before this does not belong to the way from that position on: it belongs to the setting-up,
    /// or to earlier moves; a typed move may be carried out on the board long after.
    pub(super) fn told_since(&self, physical: &Board, earlier: Option<usize>) -> Instant {
        match (earlier, self.plies.last()) {
            (Some(first), _) => self.before(first),
            (None, Some(last)) if last.end != End::Typed => last.told,
            (None, last) => {
                let stood =
                    self.scene.sight.last_stood(physical, self.scene.settle()).unwrap_or(Instant::ZERO);
                stood.max(last.map_or(Instant::ZERO, |typed| typed.told))
            }
        }
    }

    /// The same, whether all of it was felt or not by a board that only feels pieces.
    pub(super) fn imagined(&self, from: &Probe, waiting: &[Waiting], earlier: Option<usize>) -> SearchResult {
        let seen_only = earlier.is_some();
        let settled = earlier.map(|first| self.settled(first));
        let physical = self.scene.as_seen(from);
        let previous = earlier.unwrap_or(self.plies.len()).checked_sub(1);
        let previous =
            previous.and_then(|nth| self.plies.get(nth)).map(|ply| self.scene.as_seen(&ply.before));
        let since = self.told_since(&physical, earlier);
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
            let verdict = explain(from, waiting, &evidence);
            if waiting.iter().any(|item| matches!(item, Waiting::Unpressed { .. })) {
                // Where nobody pressed, only what was seen can tell that something was done.
                let pictures = self.scene.sight.pictures(since);
                verdict.retain(|way| way.left_marks(&physical, &pictures))
            } else {
                verdict
            }
        };
        let verdict = look(&[]);
        if matches!(verdict, SearchResult::Nothing) {
            let flickering = self.scene.sight.flickering();
            if !flickering.is_empty() {
                return match look(&flickering) {
                    // A square that flickers tells of no action by itself.
                    SearchResult::Is(way) if !way.changes_any(&physical, &flickering) => {
                        SearchResult::Is(way)
                    }
                    SearchResult::Is(_) | SearchResult::Which(_) | SearchResult::Nothing => {
                        SearchResult::Nothing
                    }
                };
            }
        }
        verdict
    }

    /// Whether the board has shown what one of the settled actions led to, after it was settled.
    pub(super) fn was_shown(&self, ply: usize) -> bool {
        let after = self.settled(ply);
        let since = self.plies.get(ply).map_or(self.now, |ply| ply.told);
        self.scene.sight.pictures(since).iter().any(|picture| picture.board == after)
    }

    /// Whether the board shows an action of each side, so that a press by the second is no start of the
    /// clock: the first player has forgotten to press.
    pub(super) fn tells_of_two(&self, by: Color, at: Instant) -> bool {
        let way = self.explained(&self.scene.base(), &[Waiting::Press { by, at }], None);
        matches!(way, SearchResult::Is(way) if way.is_believable(Patience::None, false))
    }

    /// (4) Pressed by mistake and pressed back, with the board as it was settled before each press, and
    /// after them.
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

    /// Whether all late updates have had their time: a square that changes now is changed by a hand, and
    /// the board may look right for a moment only.
    pub(super) fn waits_long(&self, now: Instant) -> bool {
        self.waiting.first_press().is_some_and(|(_, at)| at + self.scene.settle() < now)
    }

    /// How long was waited: after the last change, and after the last press.
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

    /// Some presses mean nothing: the first, where the clock of that side stood, and two that cancelled
    /// each other while the board stood still.
    pub(super) fn explained_without(&self, waiting: &[Waiting]) -> SearchResult {
        let mut fewer: Vec<Vec<Waiting>> = Vec::new();
        if matches!(waiting.first(), Some(Waiting::Press { by, .. }) if self.scene.stands(*by)) {
            fewer.push(waiting.get(1..).unwrap_or_default().to_vec());
        }
        for (nth, pair) in waiting.windows(2).enumerate() {
            if let [Waiting::Press { by, at }, Waiting::Press { by: other, at: back }] = pair
                && by != other
                && self.scene.sight.stood(*at, *back)
            {
                let (before, after) = (waiting.iter().take(nth), waiting.iter().skip(nth + 2));
                fewer.push(before.chain(after).cloned().collect());
            }
        }
        fewer
            .iter()
            .filter(|fewer| !fewer.is_empty())
            .map(|fewer| self.explained(&self.scene.base(), fewer, None))
            // Which of the presses meant nothing is not known: none may make it look better than it is.
            .max_by_key(|verdict| match verdict {
                SearchResult::Nothing => (0, 0),
                SearchResult::Is(way) => (1, way.cost()),
                SearchResult::Which(_) => (2, 0),
            })
            .unwrap_or(SearchResult::Nothing)
            .retain(|way| way.is_believable(Patience::None, false))
    }
}
