//! A board at rest: what it means by itself, and what it is asked about.
//!
//! Rules 1, 6, 7 and 8 of "How a live table understands" (`docs/record.md`).

use super::super::explain::{Evidence, Waiting, explain};
use super::super::explanation::{Explanation, Patience, Verdict};
use super::super::guide::{Question, kings_say};
use super::super::sight::Picture;
use super::back::Back;
use super::presses::Look;
use super::{End, PLIES_BACK, Watch};
use crate::table::Probe;
use tabiya_types::{Board, Instant, Millis};

/// Nobody holds a piece in the air for so long.
const SWAPPED: Millis = Millis(2_000);

impl Watch {
    /// The board has stood still for the settling time.
    pub(super) fn quiet(&mut self, now: Instant) {
        if let Some(says) = self.kings() {
            self.question = Some(says);
            return;
        }
        if self.table.clock().paused() || self.sight.board() == self.expected() {
            return;
        }
        let done = if self.table.mover().is_none() {
            self.reopen(now)
        } else if self.waiting.is_empty() {
            self.understand_quiet(now)
        } else {
            self.try_waiting(now, Look::Long);
            self.waiting.is_empty()
        };
        if !done && self.question.is_none() {
            self.offer();
        }
    }

    /// The position from which the board is explained: an action that nobody has pressed for is over
    /// once the other side acts.
    pub(super) fn base(&self) -> Probe {
        let mut probe = self.table.probe();
        if self.turn_is_typed() {
            probe.end_turn();
        }
        probe
    }

    /// What a quiet board means by itself. Returns whether it means anything.
    fn understand_quiet(&mut self, now: Instant) -> bool {
        let probe = self.base();
        let at = self.sight.last_change().max(self.table.turn_began());
        // (7) without presses, and (1) where the action ends the game.
        let one = self.explained(&probe, &[Waiting::Unpressed { at }], None);
        if let Verdict::Which(ways) = &one
            && self.auto()
            && !self.sight.tells_pieces()
        {
            self.ask(ways);
            return true;
        }
        if let Verdict::Is(way) = one {
            let ends =
                way.actions().any(|action| probe.after(action).is_some_and(|next| next.outcome().is_some()));
            if self.auto() || ends {
                self.write_way(&way, now, self.auto());
            }
            return true;
        }
        if self.turn_is_typed() {
            return false;
        }
        // (6) two actions, although the lever tells of no press; or (8) the last one was another.
        let two = self.explained(&probe, &[Waiting::Unpressed { at }, Waiting::Unpressed { at }], None);
        self.take_better(two, now, Patience::Rest)
    }

    /// When a board that only feels pieces has rested for so long with one missing that it must have been a
    /// capture in one swap, and not a piece in the air.
    pub(super) fn swap_at(&self) -> Option<Instant> {
        let rests = self.looked_at == Some(self.sight.last_change())
            && self.looked_closer_at != self.looked_at
            && self.waiting.is_empty()
            && self.question.is_none();
        let may = !self.sight.tells_pieces() && self.sight.known() && self.auto();
        (may && rests && self.sight.board() != self.expected()).then(|| self.sight.last_change() + SWAPPED)
    }

    /// Asks which capture it was, if there is one that looks so.
    pub(super) fn look_closer(&mut self) {
        self.looked_closer_at = self.looked_at;
        if self.turn_is_typed() || self.table.clock().paused() || self.table.mover().is_none() {
            return;
        }
        let at = self.sight.last_change();
        let (base, made) = (self.base(), Waiting::Unpressed { at });
        let way = match self.imagined(&base, std::slice::from_ref(&made), None) {
            // The opponent has answered what was not felt.
            Verdict::Nothing => self.imagined(&base, &[made.clone(), made], None),
            one => one,
        };
        match way {
            Verdict::Nothing => {}
            Verdict::Is(way) => self.ask(&[way]),
            Verdict::Which(ways) => self.ask(&ways),
        }
    }

    /// Takes a way on from here or, if the board has shown that one better, a way that begins earlier.
    pub(super) fn take_better(&mut self, forward: Verdict, now: Instant, patience: Patience) -> bool {
        let resting = patience != Patience::None;
        let doubtful = self.last_is_doubtful();
        if doubtful && !resting {
            // What is late may tell yet.
            return false;
        }
        let certain =
            matches!(&forward, Verdict::Is(way) if way.was_shown() && way.is_hardly_odd() && !doubtful);
        let last_resort = match &forward {
            Verdict::Is(way) => way.forgotten() > 1 && !self.last_stood_long(),
            Verdict::Nothing => resting && !self.waiting.is_empty(),
            Verdict::Which(_) => false,
        };
        let back = if certain { None } else { self.back(now, resting, last_resort) };
        // Rather was the last action another, if it never stood firm.
        let rather = |way: &Explanation, back: &Back| {
            if doubtful || way.forgotten() > 1 {
                back.oddness() <= way.oddness()
            } else {
                back.oddness() < way.oddness()
            }
        };
        if let (Verdict::Is(way), Some(back)) = (&forward, &back)
            && patience != Patience::End
            && way.is_close_to(&back.way)
        {
            // What comes may tell; if it does not, people will.
            return false;
        }
        match (forward, back) {
            (Verdict::Is(way), back) if !back.as_ref().is_some_and(|back| rather(&way, back)) => {
                let unrivalled = way.is_only_one() && back.is_none();
                let believed = if doubtful {
                    way.is_believable_in_doubt(patience, unrivalled, self.last_went_elsewhere())
                } else {
                    way.is_believable(patience, unrivalled)
                };
                if believed && (self.is_moved_on(&way) || self.is_hurried(&way)) {
                    // Where nobody pressed it may still be put right.
                    if !self.waiting.is_empty() {
                        self.ask(&[way]);
                    }
                    return false;
                }
                if believed {
                    self.waiting.clear();
                    self.write_way(&way, now, true);
                }
                believed
            }
            (Verdict::Which(ways), back) if back.as_ref().is_none_or(|back| back.distance() > 0) => {
                if resting {
                    self.ask(&ways);
                }
                false
            }
            (_, Some(back)) => back.is_believable(patience) && self.go_back(back, now),
            (_, None) => false,
        }
    }

    /// Explains what waits from a position on. `earlier`: which of the settled actions was made in it, if it
    /// is not the one settled last; then only what was seen on the way counts.
    pub(super) fn explained(&self, from: &Probe, waiting: &[Waiting], earlier: Option<usize>) -> Verdict {
        let verdict = self.imagined(from, waiting, earlier);
        let pressed = !waiting.iter().any(|item| matches!(item, Waiting::Unpressed { .. }));
        if self.sight.tells_pieces() || (pressed && earlier.is_none()) {
            return verdict;
        }
        // Where nobody pressed, only what was felt can tell that something was done; and what was settled is only
        // changed to what was felt when it was made.
        if let Some(first) = earlier {
            return verdict.retain(|way| self.was_felt_instead(way, first));
        }
        let pictures = self.sight.pictures(self.told_since(&self.as_seen(from), None));
        verdict.retain(|way| way.was_felt(&pictures))
    }

    /// Whether all captures in a way that differ from what was settled were felt in their turn, with the piece that
    /// is said to have taken off the square to which it was thought to have gone.
    fn was_felt_instead(&self, way: &Explanation, first: usize) -> bool {
        way.positions.iter().enumerate().all(|(nth, stood)| {
            let settled = self.settled(first + nth);
            let Some(ply) = self.plies.get(first + nth).filter(|_| stood.board != settled) else {
                return true;
            };
            let before = self.as_seen(&ply.before);
            let put = || before.differences(&settled).filter(|at| settled[*at].is_some());
            let until = self.plies.get(first + nth + 1).map_or(self.now, |next| next.ended);
            let in_turn = |picture: &&Picture| {
                picture.from <= until
                    && put().all(|at| picture.board[at].is_none() || stood.felt.taken.has(at))
            };
            let pictures = self.sight.pictures(self.before(first + nth));
            stood.felt.never_taken(pictures.iter().filter(in_turn)) == 0
        })
    }

    /// What was shown before this does not belong to the way from that position on: it belongs to the setting-up,
    /// or to earlier moves; a typed move may be carried out on the board long after.
    fn told_since(&self, physical: &Board, earlier: Option<usize>) -> Instant {
        match (earlier, self.plies.back()) {
            (Some(first), _) => self.before(first),
            (None, Some(last)) if last.end != End::Typed => last.told,
            (None, last) => {
                let stood = self.sight.last_stood(physical, self.settle()).unwrap_or(Instant::ZERO);
                stood.max(last.map_or(Instant::ZERO, |typed| typed.told))
            }
        }
    }

    /// The same, whether all of it was felt or not by a board that only feels pieces.
    fn imagined(&self, from: &Probe, waiting: &[Waiting], earlier: Option<usize>) -> Verdict {
        let seen_only = earlier.is_some();
        let settled = earlier.map(|first| self.settled(first));
        let physical = self.as_seen(from);
        let previous = earlier.unwrap_or(self.plies.len()).checked_sub(1);
        let previous = previous.and_then(|nth| self.plies.get(nth)).map(|ply| self.as_seen(&ply.before));
        let since = self.told_since(&physical, earlier);
        let look = |ignored: &[_]| {
            let evidence = Evidence {
                sight: &self.sight,
                since,
                ignored,
                settled,
                previous,
                seen_only,
                unpressed: self.auto(),
            };
            let verdict = explain(from, waiting, &evidence);
            if waiting.iter().any(|item| matches!(item, Waiting::Unpressed { .. })) {
                // Where nobody pressed, only what was seen can tell that something was done.
                let pictures = self.sight.pictures(since);
                verdict.retain(|way| way.left_marks(&physical, &pictures))
            } else {
                verdict
            }
        };
        let verdict = look(&[]);
        if matches!(verdict, Verdict::Nothing) {
            let flickering = self.sight.flickering();
            if !flickering.is_empty() {
                return match look(&flickering) {
                    // A square that flickers tells of no action by itself.
                    Verdict::Is(way) if !way.changes_any(&physical, &flickering) => Verdict::Is(way),
                    Verdict::Is(_) | Verdict::Which(_) | Verdict::Nothing => Verdict::Nothing,
                };
            }
        }
        verdict
    }

    /// Earlier positions, the start position: offered, never done (8).
    fn offer(&mut self) {
        let seen = self.sight.board();
        let back = self.plies.iter().rev().position(|ply| self.as_seen(&ply.before) == seen);
        // A board that never showed what was done since has fallen behind, or is away: nothing was set back.
        let back = back
            .filter(|back| (self.plies.len() - 1 - back..self.plies.len()).any(|ply| self.was_shown(ply)));
        let first = self.plies.len() < PLIES_BACK && back.is_some_and(|back| back + 1 == self.plies.len());
        if let Some(back) = back {
            let (actions, undos) = (back + 1, back + 1 + self.opening.len());
            let new_game = first && self.plies.len() > 2 && self.is_over();
            self.question =
                Some(if new_game { Question::NewGame } else { Question::TakeBack { actions, undos } });
        }
    }

    /// Whether the board has shown what one of the settled actions led to, after it was settled.
    fn was_shown(&self, ply: usize) -> bool {
        let after = self.settled(ply);
        let since = self.plies.get(ply).map_or(self.now, |ply| ply.told);
        self.sight.pictures(since).iter().any(|picture| picture.board == after)
    }

    /// What the kings say, while a game runs.
    fn kings(&self) -> Option<Question> {
        self.table.mover()?;
        self.sight.tells_pieces().then(|| kings_say(&self.sight.board())).flatten()
    }

    /// (1) An action that stands when the clock is stopped or the input ends settles at its last
    /// change, without a press.
    pub(super) fn take_standing_action(&mut self, now: Instant) {
        if !self.waiting.is_empty() || !self.sight.known() || self.table.clock().paused() {
            return;
        }
        let at = self.sight.last_change().max(self.table.turn_began());
        if self.sight.board() == self.expected() || self.table.mover().is_none() {
            return;
        }
        if let Verdict::Is(way) = self.explained(&self.base(), &[Waiting::Unpressed { at }], None) {
            self.write_way(&way, now, false);
        }
    }

    /// The input ends: an action that nobody pressed for, and that was soon put back, was none.
    pub(super) fn drop_what_stands_no_longer(&mut self, now: Instant) {
        let Some(last) = self.plies.back() else { return };
        let back = self.as_seen(&last.before) == self.sight.board() && self.waiting.is_empty();
        if back && matches!(last.end, End::Alone(_)) && !self.last_stood_long() {
            self.take_last_back(now);
        }
    }

    /// Asks which of several ways it was.
    pub(super) fn ask(&mut self, ways: &[Explanation]) {
        self.question =
            Some(Question::Which(ways.iter().map(|way| way.actions().cloned().collect()).collect()));
    }
}
