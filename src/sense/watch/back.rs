//! Reinterpretation: the board may show later that a settled action was in fact another action.
//!
//! This file implements rule 8 of `docs/record.md`, "What was seen, and what was understood", also for actions
//! to which the opponent has already replied. The presses stay unchanged. Only the actions between the presses
//! are replaced, and the board must have shown each new action.

use tabiya_types::{Board, Instant, Millis};

use super::super::cost::UNLIKELY;
use super::super::explain::Waiting;
use super::super::explanation::{Explanation, Patience, SearchResult};
use super::super::guide::Question;
use super::case::Case;
use super::plies::{End, Ply};
use super::tracker::Tracker;
use crate::table::{Common, Input, Voice};

/// The largest number of settled actions that are replaced together.
const DEEPEST: usize = 4;
/// The largest number of settled actions that are replaced while no press waits. Two are allowed, because two actions
/// may have been settled together.
const DEEPEST_AT_REST: usize = 2;
/// The greatest accepted cost of an explanation that replaces settled actions. It allows for a piece in the air,
/// or for a lost update.
const NEAR_ENOUGH: usize = 2;
/// A change of the board can reopen a game within this many settling times after the game's end. Later changes count
/// as the players' analysis of the game.
const REOPEN_SETTLES: u64 = 8;
/// At an event: a late update replaces a settled action without a question to the arbiter if it comes within this many
/// settling times after the action. An update that comes later leads to a question.
const SOON_SETTLES: u64 = 2;

/// An explanation that replaces the last few settled actions and also explains everything that waits.
#[derive(Clone, Debug)]
pub(super) struct Reinterpretation {
    /// How many settled actions the explanation replaces.
    pub(super) depth: usize,
    pub(super) explanation: Explanation,
}

impl Reinterpretation {
    /// The distance between the explanation and the pictures of the board that are nearest to its positions: the number
    /// of squares that differ.
    pub(super) fn distance(&self) -> usize {
        self.explanation.weight.distance
    }

    /// The cost of the explanation, in squares.
    pub(super) fn cost(&self) -> usize {
        self.explanation.cost()
    }

    /// Whether the cost of the explanation is acceptable after this waiting time.
    pub(super) fn is_acceptable(&self, patience: Patience) -> bool {
        match patience {
            // While squares still change, the settled actions may turn out to be right. So only an explanation
            // without any cost may replace them.
            Patience::None => self.cost() == 0,
            Patience::Rest | Patience::Last | Patience::End => {
                self.explanation.is_acceptable(patience, false)
            }
        }
    }
}

impl Case<'_> {
    /// Whether the board left the position that ended the game within [`REOPEN_SETTLES`] settling times and has
    /// not shown that position again.
    fn left_soon(&self) -> bool {
        let soon = Millis(self.scene.settle().0 * REOPEN_SETTLES);
        let Some(until) = self.plies.last().map(|ply| ply.at + soon) else { return false };
        let settled = self.scene.expected();
        let pictures = self.scene.sight.pictures(until);
        pictures.iter().all(|picture| picture.from <= until || picture.board != settled)
            && pictures.first().is_some_and(|picture| picture.board != settled)
    }

    /// Whether the action that ended the game had no press, and was only a part of a longer action. This is assumed if
    /// the board soon left the final position.
    pub(super) fn went_on(&self) -> bool {
        self.plies.last().is_some_and(|ply| matches!(ply.end, End::Open | End::Unpressed(_)))
            && self.left_soon()
    }

    /// The best explanation that replaces the last settled actions. `None` if no such explanation fits, or if several
    /// fit equally well. `resting` is whether the board is quiet. A quiet board may show an action whose press has not
    /// come yet. `last_resort` is whether no other explanation is acceptable. In that case the pictures may fit less
    /// well.
    pub(super) fn best_reinterpretation(
        &self,
        now: Instant,
        resting: bool,
        last_resort: bool,
    ) -> Option<Reinterpretation> {
        let last = self.plies.last()?;
        if self.scene.turn_is_typed() && last.end != End::Open {
            return None;
        }
        let doubtful = self.last_is_doubtful();
        let stood_long = self.last_shown_long();
        let mut best: Option<(usize, Reinterpretation)> = None;
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
            for waiting in self.possible_waiting(first, now, resting) {
                let result = self.explained(&root.before, &waiting, Some(first));
                let SearchResult::Unique(found) = result else { continue };
                let most = match depth {
                    1 if doubtful => 2 * NEAR_ENOUGH,
                    1 if !stood_long || found.positions.len() == 1 => NEAR_ENOUGH,
                    _ if last_resort => NEAR_ENOUGH,
                    _ => 0,
                };
                let own = if last_resort { found.weight.distance } else { found.cost() };
                if own <= most
                    && !self.changes_nothing(&found, first)
                    && self.shown_later(&found, first, since)
                {
                    let cost = found.cost() + UNLIKELY * self.firm_changes(&found, first);
                    if best.as_ref().is_none_or(|(least, best)| {
                        (cost, &found.weight) < (*least, &best.explanation.weight)
                    }) {
                        best = Some((cost, Reinterpretation { depth, explanation: found }));
                    }
                }
            }
            if best.as_ref().is_some_and(|(cost, _)| *cost == 0) {
                break;
            }
        }
        best.map(|(_, back)| back)
    }

    /// Counts the settled actions that the explanation changes although they are firm. An action is firm if the board
    /// still showed it after all late updates had arrived.
    fn firm_changes(&self, explanation: &Explanation, first: usize) -> usize {
        let plies = self.plies.iter().enumerate().skip(first);
        let firm = |(nth, ply): (usize, &Ply)| {
            let (before, after) = (self.scene.as_seen(&ply.before), self.settled(nth));
            let late = ply.ended + self.scene.settle();
            let shows = |board: &Board| before.differences(&after).all(|at| board[at] == after[at]);
            self.scene.sight.pictures(late).first().is_some_and(|picture| shows(&picture.board))
        };
        plies
            .zip(&explanation.positions)
            .filter(|((nth, _), reached)| reached.board != self.settled(*nth))
            .filter(|(ply, _)| firm(*ply))
            .count()
    }

    /// Whether the board differs from the expected board on a square that the settled action `root` changed.
    /// `first` is the index of this action.
    fn touched(&self, root: &Ply, first: usize) -> bool {
        let (seen, expected) = (self.scene.sight.board(), self.scene.expected());
        let before = self.scene.as_seen(&root.before);
        let after = self.settled(first);
        let changed = before.differences(&after).any(|square| seen[square] != expected[square]);
        // A board that senses only occupancy cannot show which piece made a capture, so for such a board any
        // difference counts.
        changed || (!self.scene.sight.identifies_pieces() && seen != expected)
    }

    /// Whether the board showed the explanation's first action after it had last shown the settled action in its
    /// place. If the board showed the first action only before, a piece merely passed over its square, and players do
    /// not go back to such a square.
    fn shown_later(&self, explanation: &Explanation, first: usize, since: Instant) -> bool {
        let settled = self.settled(first);
        if explanation.positions.first().is_some_and(|reached| reached.board == settled) {
            // The explanation keeps the first settled action and replaces only later ones.
            return true;
        }
        let (pictures, Some(other)) = (self.scene.sight.pictures(since), explanation.positions.first())
        else {
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

    /// Whether an explanation repeats all the settled actions that it would replace.
    fn changes_nothing(&self, explanation: &Explanation, first: usize) -> bool {
        let settled = self.plies.iter().skip(first + 1).map(|ply| self.scene.as_seen(&ply.before));
        let settled = settled.chain([self.scene.expected()]);
        explanation.positions.len() >= self.plies.len() - first
            && settled.zip(&explanation.positions).all(|(settled, reached)| settled == reached.board)
    }

    /// The board after the settled action with this index.
    pub(super) fn settled(&self, first: usize) -> Board {
        self.plies
            .get(first + 1)
            .map_or_else(|| self.scene.expected(), |next| self.scene.as_seen(&next.before))
    }

    /// The end of the turn before the settled action with the index `first`. Zero if there is no settled action
    /// before that one.
    pub(super) fn before(&self, first: usize) -> Instant {
        first.checked_sub(1).and_then(|before| self.plies.get(before)).map_or(Instant::ZERO, |ply| ply.ended)
    }

    /// The sequences of presses and lines that an explanation has to account for if it replaces the settled
    /// actions from index `first` on. They are in the order in which they should be tried.
    fn possible_waiting(&self, first: usize, now: Instant, resting: bool) -> Vec<Vec<Waiting>> {
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
        let mut sequences = vec![all.clone()];
        // The board may show one action more than `all` contains. After a game's end this is possible, too, because
        // the game may not really have ended.
        let goes_on = self.scene.table.mover().is_some() || self.scene.is_over();
        if resting && goes_on && !all.iter().any(|item| matches!(item, Waiting::Standing)) {
            let one_more = if self.scene.auto() {
                Waiting::Unpressed { at: self.scene.sight.last_change() }
            } else {
                Waiting::Standing
            };
            sequences.push(all.iter().cloned().chain([one_more]).collect());
        }
        if !self.scene.auto() && !self.waiting.is_empty() {
            let pressed = turns(false);
            if pressed.len() != all.len() {
                sequences.push(pressed);
            }
            sequences.extend(self.pressed_again(first, &all));
        }
        sequences
    }

    /// Checks for a correction. If a press ended the turn of the last settled action, and the same side has now pressed
    /// again, then the first press ended no turn. In that case this returns the sequence `all` without the first press.
    /// Otherwise it returns `None`.
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
    /// Corrects the last action of a game that has ended, if the board soon left the final position. Returns
    /// whether a line was written or a question was asked.
    pub(super) fn reopen(&mut self, now: Instant) -> bool {
        if !self.scene().is_over() || !self.case().left_soon() {
            return false;
        }
        let Some(last) = self.plies.last() else { return false };
        // The action had ended the game without a press, but the board no longer shows the action: it is taken back.
        if matches!(last.end, End::Open | End::Unpressed(_))
            && self.scene().as_seen(&last.before) == self.sight.board()
        {
            self.take_last_back(now);
            return true;
        }
        self.case().best_reinterpretation(now, true, false).is_some_and(|back| self.reinterpret(back, now))
    }

    /// Undoes the last action without replacing it.
    pub(super) fn take_last_back(&mut self, now: Instant) {
        self.write_undo(now);
        self.plies.pop();
    }

    fn write_undo(&mut self, now: Instant) {
        self.write_quietly(Input::Common(Common::Undo { by: None, reason: None }), now, None);
    }

    /// Undoes the settled actions and writes the better explanation. At an event, this is done only if the change came
    /// soon enough to be a late update; otherwise the arbiter is asked. Returns `false` if nothing was written and
    /// nobody was asked.
    pub(super) fn reinterpret(&mut self, back: Reinterpretation, now: Instant) -> bool {
        let Some(root) = self.plies.get(self.plies.len() - back.depth).cloned() else { return false };
        let soon = now <= root.at + Millis(self.scene().settle().0 * SOON_SETTLES);
        let undos = self.plies.opening().len() + back.depth;
        if self.table().terms().voice == Voice::Event && !soon {
            let inputs = root.opening.into_iter().chain(back.explanation.inputs()).collect();
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
        let mut explanation = back.explanation;
        for (_, at) in &mut explanation.steps {
            // A line after an undo must not have an earlier time than the undo.
            *at = now;
        }
        self.write_explanation(&explanation, now, true);
        true
    }
}

/// The inputs at the beginning of a turn, as lines that wait for an explanation.
fn held(opening: &[Input], at: Instant) -> impl Iterator<Item = Waiting> {
    opening.iter().map(move |input| Waiting::Held { input: input.clone(), at })
}

/// The end of a settled turn, as an item that waits for an explanation again; `None` if this end needs no explanation.
/// The end of a turn without a press is returned only if `alone` is `true`.
fn end_of(ply: &Ply, alone: bool) -> Option<Waiting> {
    match ply.end {
        End::Press(by, at) => Some(Waiting::Press { by, at }),
        End::Unpressed(at) if alone => Some(Waiting::Unpressed { at }),
        End::Open if alone => Some(Waiting::Standing),
        End::Unpressed(_) | End::Open | End::Implied | End::Typed => None,
    }
}
