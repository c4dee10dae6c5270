//! Looking back: what was settled may turn out to have been something else.
//!
//! Rule 8 of "How a live table understands" (`docs/record.md`), and its extension to actions that the
//! opponent has answered already: the presses stay as they were given, only the actions between them
//! are understood anew, and each of them must have been seen.

use tabiya_types::{Board, Instant, Millis};

use super::super::cost::UNLIKELY;
use super::super::explain::Waiting;
use super::super::explanation::{Explanation, Patience, SearchResult};
use super::super::guide::Question;
use super::case::Case;
use super::plies::{End, Ply};
use super::tracker::Tracker;
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
    pub(super) depth: usize,
    pub(super) way: Explanation,
}

impl Back {
    /// How far the pictures are from it.
    pub(super) fn distance(&self) -> usize {
        self.way.weight.distance
    }

    /// What is unlikely about it, too.
    pub(super) fn cost(&self) -> usize {
        self.way.cost()
    }

    /// Whether it may be believed.
    pub(super) fn is_believable(&self, patience: Patience) -> bool {
        match patience {
            // While squares still change, it may all be as it was settled.
            Patience::None => self.cost() == 0,
            Patience::Rest | Patience::Last | Patience::End => self.way.is_believable(patience, false),
        }
    }
}

impl Case<'_> {
    /// Whether the board showed something else than the position that ended the game before it had stood for
    /// long, and has not shown it since.
    fn left_soon(&self) -> bool {
        let soon = Millis(self.scene.settle().0 * REOPEN_SETTLES);
        let Some(until) = self.plies.last().map(|ply| ply.at + soon) else { return false };
        let settled = self.scene.expected();
        let pictures = self.scene.sight.pictures(until);
        pictures.iter().all(|picture| picture.from <= until || picture.board != settled)
            && pictures.first().is_some_and(|picture| picture.board != settled)
    }

    /// Whether what ended the game without a press was not all of the action: the piece went on.
    pub(super) fn went_on(&self) -> bool {
        self.plies.last().is_some_and(|ply| matches!(ply.end, End::Open | End::Alone(_))) && self.left_soon()
    }

    /// The best way that begins before the last settled actions; none if nothing fits, or if more than
    /// one fits as well. `resting`: the board is quiet, so that an action may stand that waits for its
    /// press. `last_resort`: nothing better is at hand, so that ways are believed that were shown less well.
    pub(super) fn back(&self, now: Instant, resting: bool, last_resort: bool) -> Option<Back> {
        let last = self.plies.last()?;
        if self.scene.turn_is_typed() && last.end != End::Open {
            return None;
        }
        let doubtful = self.last_is_doubtful();
        let stood_long = self.last_stood_long();
        let mut best: Option<(usize, Back)> = None;
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
                let seen = self.explained(&root.before, &waiting, Some(first));
                let SearchResult::Is(way) = seen else { continue };
                let enough = match depth {
                    1 if doubtful => 2 * NEAR_ENOUGH,
                    1 if !stood_long || way.positions.len() == 1 => NEAR_ENOUGH,
                    _ if last_resort => NEAR_ENOUGH,
                    _ => 0,
                };
                let far = if last_resort { way.weight.distance } else { way.cost() };
                if far <= enough && !self.changes_nothing(&way, first) && self.shown_later(&way, first, since)
                {
                    let odd = way.cost() + UNLIKELY * self.firm_changes(&way, first);
                    if best
                        .as_ref()
                        .is_none_or(|(least, best)| (odd, &way.weight) < (*least, &best.way.weight))
                    {
                        best = Some((odd, Back { depth, way }));
                    }
                }
            }
            if best.as_ref().is_some_and(|(odd, _)| *odd == 0) {
                break;
            }
        }
        best.map(|(_, back)| back)
    }

    /// How many of the settled actions that a way changes had stood after all late updates were there.
    fn firm_changes(&self, way: &Explanation, first: usize) -> usize {
        let plies = self.plies.iter().enumerate().skip(first);
        let firm = |(nth, ply): (usize, &Ply)| {
            let (before, after) = (self.scene.as_seen(&ply.before), self.settled(nth));
            let late = ply.ended + self.scene.settle();
            let stood = |board: &Board| before.differences(&after).all(|at| board[at] == after[at]);
            self.scene.sight.pictures(late).first().is_some_and(|picture| stood(&picture.board))
        };
        plies
            .zip(&way.positions)
            .filter(|((nth, _), stood)| stood.board != self.settled(*nth))
            .filter(|(ply, _)| firm(*ply))
            .count()
    }

    /// Whether the board looks different now where that action had changed it.
    fn touched(&self, root: &Ply, first: usize) -> bool {
        let (seen, expected) = (self.scene.sight.board(), self.scene.expected());
        let before = self.scene.as_seen(&root.before);
        let after = self.settled(first);
        let changed = before.differences(&after).any(|square| seen[square] != expected[square]);
        // What took something looks no different where it stands now.
        changed || (!self.scene.sight.tells_pieces() && seen != expected)
    }

    /// Whether the board has shown the other action after the one that was settled: nobody goes back to
    /// a square that his piece only passed.
    fn shown_later(&self, way: &Explanation, first: usize, since: Instant) -> bool {
        let settled = self.settled(first);
        if way.positions.first().is_some_and(|stood| stood.board == settled) {
            // This action stays; what was made of the board after it goes.
            return true;
        }
        let (pictures, Some(other)) = (self.scene.sight.pictures(since), way.positions.first()) else {
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
        let settled = self.plies.iter().skip(first + 1).map(|ply| self.scene.as_seen(&ply.before));
        let settled = settled.chain([self.scene.expected()]);
        way.positions.len() >= self.plies.len() - first
            && settled.zip(&way.positions).all(|(settled, stood)| settled == stood.board)
    }

    /// The board after that action as it was settled.
    pub(super) fn settled(&self, first: usize) -> Board {
        self.plies
            .get(first + 1)
            .map_or_else(|| self.scene.expected(), |next| self.scene.as_seen(&next.before))
    }

    /// When the turn before that action ended.
    pub(super) fn before(&self, first: usize) -> Instant {
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
            waiting.extend(held(self.plies.opening(), now));
            waiting.extend(self.waiting.iter().cloned());
            waiting
        };
        let all = turns(true);
        let mut ways = vec![all.clone()];
        // After a result that was none the game went on.
        let goes_on = self.scene.table.mover().is_some() || self.scene.is_over();
        if resting && goes_on && !all.iter().any(|item| matches!(item, Waiting::Standing)) {
            let one_more = if self.scene.auto() {
                Waiting::Unpressed { at: self.scene.sight.last_change() }
            } else {
                Waiting::Standing
            };
            ways.push(all.iter().cloned().chain([one_more]).collect());
        }
        if !self.scene.auto() && !self.waiting.is_empty() {
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
            (self.plies.get(last)?.end, self.waiting.first())
        else {
            return None;
        };
        let without =
            |item: &&Waiting| !matches!(item, Waiting::Press { by: b, at: t } if (*b, *t) == (by, at));
        (by == *again).then(|| all.iter().filter(without).cloned().collect())
    }
}

impl Tracker {
    /// After a result only the last action is looked at again, and only for a while.
    pub(super) fn reopen(&mut self, now: Instant) -> bool {
        if !self.scene().is_over() || !self.case().left_soon() {
            return false;
        }
        let Some(last) = self.plies.last() else { return false };
        // What ended the game without a press stands no longer: it was never played.
        if matches!(last.end, End::Open | End::Alone(_))
            && self.scene().as_seen(&last.before) == self.sight.board()
        {
            self.take_last_back(now);
            return true;
        }
        self.case().back(now, true, false).is_some_and(|back| self.go_back(back, now))
    }

    /// The last action was none: nothing comes in its place.
    pub(super) fn take_last_back(&mut self, now: Instant) {
        self.write_undo(now);
        self.plies.pop();
    }

    fn write_undo(&mut self, now: Instant) {
        self.write_quietly(Input::Common(Common::Undo { by: None, reason: None }), now, None);
    }

    /// Takes back what was settled and writes the better way. At an event the arbiter is asked, but
    /// for late updates.
    pub(super) fn go_back(&mut self, back: Back, now: Instant) -> bool {
        let Some(root) = self.plies.get(self.plies.len() - back.depth).cloned() else { return false };
        let soon = now <= root.at + Millis(self.scene().settle().0 * SOON_SETTLES);
        let undos = self.plies.opening().len() + back.depth;
        if self.table().terms().voice == Voice::Event && !soon {
            let inputs = root.opening.into_iter().chain(back.way.inputs()).collect();
            self.question = Some(Question::Changed { undos, inputs });
            return true;
        }
        for _ in 0..undos {
            self.write_undo(now);
        }
        self.plies.take_back(back.depth);
        self.waiting.clear();
        for line in root.opening {
            self.write_quietly(line.clone(), now, None);
            self.plies.open_with(line);
        }
        let mut way = back.way;
        for (_, at) in &mut way.steps {
            // After an undo nothing can have happened before it.
            *at = now;
        }
        self.write_explanation(&way, now, true);
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
