//! Looking back: what was settled may turn out to have been something else.
//!
//! Rule 8 of "How a live table understands" (`docs/record.md`), and its extension to actions that the
//! opponent has answered already: the presses stay as they were given, only the actions between them
//! are understood anew, and each of them must have been seen.

use super::super::explain::{Explanation, Patience, Verdict, Waiting};
use super::super::guide::Question;
use super::{End, Ply, Watch};
use crate::clock::{Instant, Millis};
use crate::rules::Board;
use crate::table::{Common, Input, Voice};

/// How many settled actions may turn out to have been others.
const DEEPEST: usize = 4;
/// The same where no press waits: two that were taken together.
const DEEPEST_AT_REST: usize = 2;
/// How far the pictures may be from a way that begins earlier: a piece in the air, a lost update.
const NEAR_ENOUGH: usize = 2;
/// A result is only reopened by the board within so many settling times: later moves are analysis.
const REOPEN_SETTLES: u64 = 8;
/// At an event the last action changes without the arbiter only so soon: late updates.
const SOON_SETTLES: u64 = 2;

/// Another way to understand the last few actions and what waits.
#[derive(Clone, Debug)]
pub(super) struct Back {
    /// How many settled actions it takes back.
    depth: usize,
    way: Explanation,
}

impl Back {
    /// How far the pictures are from it.
    pub(super) fn distance(&self) -> usize {
        self.way.weight.distance
    }

    /// What is unlikely about it, too.
    pub(super) fn oddness(&self) -> usize {
        self.way.oddness()
    }

    /// Whether it may be believed.
    pub(super) fn is_believable(&self, patience: Patience) -> bool {
        self.way.is_believable(patience, false)
    }
}

impl Watch {
    /// After a result only the last action is looked at again, and only for a while.
    pub(super) fn reopen(&mut self, now: Instant) -> bool {
        let soon = Millis(self.settle().0 * REOPEN_SETTLES);
        let Some(last) = self.plies.back().filter(|ply| now <= ply.at + soon) else { return false };
        if self.table.game().outcome().is_none() {
            return false;
        }
        // What ended the game without a press stands no longer: it was never played.
        if matches!(last.end, End::Open | End::Alone(_)) && last.before.physical() == self.sight.board() {
            self.write_quietly(Input::Common(Common::Undo { by: None, reason: None }), now, None);
            self.plies.pop_back();
            return true;
        }
        self.back(now, true, false).is_some_and(|back| self.go_back(back, now))
    }

    /// The best way that begins before the last settled actions; none if nothing fits, or if more than
    /// one fits as well. `resting`: the board is quiet, so that an action may stand that waits for its
    /// press. `last_resort`: nothing better is at hand, so that ways are believed that were shown less well.
    pub(super) fn back(&self, now: Instant, resting: bool, last_resort: bool) -> Option<Back> {
        let last = self.plies.back()?;
        if self.turn_is_typed() && last.end != End::Open {
            return None;
        }
        let doubtful = self.last_is_doubtful();
        let mut best: Option<Back> = None;
        let deepest = if self.waiting.is_empty() { DEEPEST_AT_REST } else { DEEPEST };
        for depth in 1..=deepest.min(self.plies.len()) {
            let first = self.plies.len() - depth;
            let (Some(root), since) = (self.plies.get(first), self.before(first)) else { break };
            if root.end == End::Typed {
                break;
            }
            if self.waiting.is_empty() && !self.touched(root, first) {
                continue;
            }
            for waiting in self.ways_to_wait(first, now, resting) {
                let seen = self.explained(&root.before, &waiting, Some((since, self.settled(first))));
                let Verdict::Is(way) = seen else { continue };
                let late = depth == 1 && !self.stood_firm(root, first);
                let enough = match depth {
                    1 if doubtful => 2 * NEAR_ENOUGH,
                    _ if late || last_resort => NEAR_ENOUGH,
                    _ => 0,
                };
                let far = if last_resort { way.weight.distance } else { way.oddness() };
                if far <= enough
                    && !self.changes_nothing(&way, first)
                    && self.shown_later(&way, first, since)
                    && best
                        .as_ref()
                        .is_none_or(|best| (way.oddness(), &way.weight) < (best.oddness(), &best.way.weight))
                {
                    best = Some(Back { depth, way });
                }
            }
            if best.as_ref().is_some_and(|best| best.oddness() == 0) {
                break;
            }
        }
        best
    }

    /// Whether the board looks different now where that action had changed it.
    fn touched(&self, root: &Ply, first: usize) -> bool {
        let (seen, expected) = (self.sight.board(), self.table.physical());
        let before = root.before.physical();
        let after = self.settled(first);
        before.differences(&after).any(|square| seen[square] != expected[square])
    }

    /// Whether the board has shown the other action after the one that was settled: nobody goes back to
    /// a square that his piece only passed.
    fn shown_later(&self, way: &Explanation, first: usize, since: Instant) -> bool {
        let settled = self.settled(first);
        if way.positions.first().is_some_and(|stood| stood.board == settled) {
            // This action stays; what was made of the board after it goes.
            return true;
        }
        let (pictures, Some(other)) = (self.sight.pictures(since), way.positions.first()) else {
            return false;
        };
        let newer = pictures.iter().rposition(|picture| picture.board == settled).map_or(0, |last| last + 1);
        let apart: Vec<_> = other.board.differences(&settled).collect();
        let in_its_place = |seen: &Board| apart.iter().all(|at| seen[*at] == other.board[*at]);
        pictures
            .iter()
            .skip(newer)
            .any(|picture| other.board.distance(&picture.board) <= 1 || in_its_place(&picture.board))
    }

    /// Whether a way takes nothing back but what it does again.
    fn changes_nothing(&self, way: &Explanation, first: usize) -> bool {
        let settled = self.plies.iter().skip(first + 1).map(|ply| ply.before.physical());
        let settled = settled.chain([self.table.physical()]);
        way.positions.len() >= self.plies.len() - first
            && settled.zip(&way.positions).all(|(settled, stood)| settled == stood.board)
    }

    /// Whether the board still showed that action when all late updates had had their time.
    fn stood_firm(&self, root: &Ply, first: usize) -> bool {
        let after = self.settled(first);
        let late = root.ended + self.settle();
        self.sight
            .pictures(late)
            .iter()
            .any(|picture| picture.board == after && picture.until.is_none_or(|until| until > late))
    }

    /// The board after that action as it was settled.
    fn settled(&self, first: usize) -> Board {
        self.plies.get(first + 1).map_or(self.table.physical(), |next| next.before.physical())
    }

    fn before(&self, first: usize) -> Instant {
        first.checked_sub(1).and_then(|before| self.plies.get(before)).map_or(Instant::ZERO, |ply| ply.ended)
    }

    /// What there is to explain from that ply on, in the order in which it is tried.
    fn ways_to_wait(&self, first: usize, now: Instant, resting: bool) -> Vec<Vec<Waiting>> {
        let turns = |alone: bool| {
            let mut waiting = Vec::new();
            for (nth, ply) in self.plies.iter().enumerate().skip(first) {
                if nth > first {
                    waiting.extend(held(&ply.opening, ply.ended));
                }
                waiting.extend(end_of(ply, alone));
            }
            waiting.extend(held(&self.opening, now));
            waiting.extend(self.waiting.iter().cloned());
            waiting
        };
        let all = turns(true);
        let mut ways = vec![all.clone()];
        // After a result that was none the game went on.
        let goes_on = self.table.mover().is_some() || self.table.game().outcome().is_some();
        if resting && goes_on && !all.contains_standing() {
            let one_more = if self.auto() {
                Waiting::Unpressed { at: self.sight.last_change() }
            } else {
                Waiting::Standing
            };
            ways.push(all.iter().cloned().chain([one_more]).collect());
        }
        if !self.auto() && !self.waiting.is_empty() {
            let pressed = turns(false);
            if pressed.len() != all.len() {
                ways.push(pressed);
            }
            ways.extend(self.pressed_again(first, &all));
        }
        ways
    }

    /// Put right and pressed again by the same side: the first of the two presses ended nothing.
    fn pressed_again(&self, first: usize, all: &[Waiting]) -> Option<Vec<Waiting>> {
        let last = self.plies.len().checked_sub(1).filter(|last| *last == first)?;
        let (End::Press(by, at), Some(Waiting::Press { by: again, .. })) =
            (self.plies.get(last)?.end, self.waiting.front())
        else {
            return None;
        };
        let without =
            |item: &&Waiting| !matches!(item, Waiting::Press { by: b, at: t } if (*b, *t) == (by, at));
        (by == *again).then(|| all.iter().filter(without).cloned().collect())
    }

    /// Takes back what was settled and writes the better way. At an event the arbiter is asked, but
    /// for late updates.
    pub(super) fn go_back(&mut self, back: Back, now: Instant) -> bool {
        let Some(root) = self.plies.get(self.plies.len() - back.depth).cloned() else { return false };
        let soon = now <= root.at + Millis(self.settle().0 * SOON_SETTLES);
        if self.table.terms().voice == Voice::Event && !soon {
            self.question = back.way.actions().next().cloned().map(Question::Changed);
            return self.question.is_some();
        }
        for _ in 0..self.opening.len() + back.depth {
            self.write_quietly(Input::Common(Common::Undo { by: None, reason: None }), now, None);
        }
        self.plies.truncate(self.plies.len() - back.depth);
        self.opening.clear();
        self.waiting.clear();
        for line in root.opening {
            self.write_quietly(line.clone(), now, None);
            self.opening.push(line);
        }
        let mut way = back.way;
        for (_, at) in &mut way.steps {
            // After an undo nothing can have happened before it.
            *at = now;
        }
        self.write_way(&way, now, true);
        true
    }
}

fn held(opening: &[Input], at: Instant) -> impl Iterator<Item = Waiting> {
    opening.iter().map(move |input| Waiting::Held { input: input.clone(), at })
}

/// What ended a turn, as something that waits again. `alone`: whether actions without a press are
/// believed in.
fn end_of(ply: &Ply, alone: bool) -> Option<Waiting> {
    match ply.end {
        End::Press(by, at) => Some(Waiting::Press { by, at }),
        End::Alone(at) if alone => Some(Waiting::Unpressed { at }),
        End::Open if alone => Some(Waiting::Standing),
        End::Alone(_) | End::Open | End::Implied | End::Typed => None,
    }
}

trait Waits {
    fn contains_standing(&self) -> bool;
}

impl Waits for Vec<Waiting> {
    fn contains_standing(&self) -> bool {
        self.iter().any(|item| matches!(item, Waiting::Standing))
    }
}
