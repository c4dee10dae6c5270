//! The course of a match: what counts at a table, and the state that follows from it.
//!
//! The state is always the one that the history computes; what is taken back leaves both together. The table asks the course what
//! is so, and tells it what happens.

use std::sync::Arc;

use tabiya_types::{BySeat, Instant, Stack, say};

use super::agreement::Agreement;
use super::given::TimeGiven;
use super::history::{History, HistoryEntry, HistoryInput, TurnStart, is_confirmation};
use super::input::{Input, Stamp};
use super::state::{AppliedInput, MatchState};
use super::step::step;
use crate::rules::{Chips, Outcome, Stakes, Turn, Violation};

/// The data with which redo reverses one undo.
#[derive(Clone, Debug)]
struct Undone {
    history: History,
    /// The moment that the table had reached before the undo.
    read_to: Instant,
    /// The moment of the undo.
    at: Instant,
}

/// What the players confirm after a game: its result and its chips.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Confirmable {
    outcome: Option<Outcome>,
    stakes: Stakes,
    stacks: BySeat<Chips>,
}

/// What counts at a table, the state that follows from it, and what redo can restore.
#[derive(Clone, Debug)]
pub(super) struct Course {
    state: Arc<MatchState>,
    /// The state before the first input.
    start: Arc<MatchState>,
    history: History,
    /// The undos that redo can reverse, the newest on top. Any other input that changes the state removes them.
    undone: Stack<Undone>,
    /// The moment that the table has reached. Everything that is due by this moment has happened.
    read_to: Instant,
    /// The moment of the last undo or redo. An input with an earlier moment acts on the clocks at the moment of the
    /// undo or redo.
    went_on: Instant,
}

impl Course {
    /// A course before its first input.
    pub(super) fn new(agreement: Agreement) -> Self {
        let state = Arc::new(MatchState::new(Arc::new(agreement)));
        Self {
            start: state.clone(),
            state,
            history: History::default(),
            undone: Stack::EMPTY,
            read_to: Instant::ZERO,
            went_on: Instant::ZERO,
        }
    }

    /// The state now.
    pub(super) fn state(&self) -> &MatchState {
        &self.state
    }

    /// The state after the last entry of this earlier history.
    pub(super) fn state_of(&self, earlier: &History) -> Arc<MatchState> {
        earlier.state(&self.start)
    }

    /// What counts.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// The moment that the table has reached.
    pub(super) fn read_to(&self) -> Instant {
        self.read_to
    }

    /// The moment of the last undo or redo.
    pub(super) fn went_on(&self) -> Instant {
        self.went_on
    }

    /// Whether nothing has happened, and no time has passed, since `copy` was cloned from this course.
    pub(super) fn is_still(&self, copy: &Self) -> bool {
        Arc::ptr_eq(&self.state, &copy.state)
    }

    /// Applies an input that is neither an undo nor a redo. Redo can restore nothing after an input that acted.
    pub(super) fn act(&mut self, input: &Input, stamp: Stamp) -> Result<AppliedInput, Violation> {
        let games = self.state.past.len();
        let applied = step(Arc::make_mut(&mut self.state), input, stamp)?;
        if applied.acted {
            // A confirmation is no acting line.
            if !is_confirmation(input) {
                self.undone = Stack::EMPTY;
            }
            self.push_input(input, stamp, &applied, games == self.state.past.len(), None);
        }
        Ok(applied)
    }

    /// Lets an input act again that was taken back with something else. Returns whether it acted.
    pub(super) fn act_again(&mut self, input: &Input, stamp: Stamp, given: Option<TimeGiven>) -> bool {
        let applied = step(Arc::make_mut(&mut self.state), input, stamp);
        let Ok(applied) = applied.map(|applied| applied.acted.then_some(applied)) else { return false };
        let Some(applied) = applied else { return false };
        self.push_input(input, stamp, &applied, true, given);
        true
    }

    /// Lets time pass up to `to`.
    pub(super) fn read_on(&mut self, to: Instant) {
        Arc::make_mut(&mut self.state).advance(to);
        self.read_to = self.read_to.max(to);
    }

    /// Adds an input that changed the state to the history. `given` is what a ruling gave that acts again.
    fn push_input(
        &mut self,
        input: &Input,
        stamp: Stamp,
        applied: &AppliedInput,
        same_game: bool,
        given: Option<TimeGiven>,
    ) {
        let first = self.history.unfinished_turn();
        if self.read_to > stamp.at {
            self.history.push(HistoryEntry::Read(self.read_to), &self.state);
        }
        let ended = applied.ended_turn.is_some();
        // If a player forgot to press, the opponent's reveal or move ends the player's turn and begins the opponent's
        // turn.
        let new_turn =
            !ended && applied.in_turn && !first.as_ref().is_some_and(|first| same_player(first, input));
        let over = ended || applied.dropped_turn || !same_game || self.state.game.turn() == Turn::Untimed;
        let open = match &first {
            _ if over => None,
            _ if new_turn => Some(TurnStart::Here),
            first => first.clone().map(TurnStart::There),
        };
        let turn_from = first.filter(|_| ended || applied.ended_game);
        let game = self.state.past.len();
        let did =
            HistoryInput { input: input.clone(), stamp, turn_from, open, game, given: given.map(Box::new) };
        self.history.push(HistoryEntry::Did(did), &self.state);
    }

    /// Takes back the last turn or line. Returns its inputs.
    pub(super) fn undo(&mut self, now: Instant) -> Result<Vec<Input>, Violation> {
        let newest = self.history.newest_acting();
        let cut = newest.and_then(|newest| match newest.last_input()?.turn_from.clone() {
            Some(first) => Some(first),
            None => Some(newest),
        });
        let Some((cut, as_of)) = cut.and_then(|cut| Some((cut.before_last(), cut.last_input()?.stamp.at)))
        else {
            return Err(nothing_to_undo());
        };
        let (signed, taken): (Vec<_>, Vec<_>) =
            self.history.inputs_after(cut.count()).into_iter().partition(|did| is_confirmation(&did.input));
        let confirmed = self.confirmable();
        self.cut_back(cut, as_of, now);
        self.confirm_again(&signed, &confirmed, now);
        Ok(taken.into_iter().map(|did| did.input).collect())
    }

    /// What the players confirm after a game: its result and its chips.
    pub(super) fn confirmable(&self) -> Confirmable {
        let (outcome, stakes) = (self.state.game.outcome(), self.state.game.stakes());
        Confirmable { outcome, stakes, stacks: self.state.stacks() }
    }

    /// Lets confirmations stand after something was taken back, if the result and the chips are those that were `confirmed`.
    pub(super) fn confirm_again(&mut self, signed: &[HistoryInput], confirmed: &Confirmable, now: Instant) {
        if self.confirmable() != *confirmed {
            return;
        }
        for did in signed {
            let stamp = Stamp::new(now, did.stamp.line);
            if let Ok(applied) = step(Arc::make_mut(&mut self.state), &did.input, stamp) {
                self.push_input(&did.input, stamp, &applied, true, None);
            }
        }
    }

    /// Goes back to this earlier history, whose clocks stood as they did at `as_of`. Redo can reverse it.
    pub(super) fn cut_back(&mut self, earlier: History, as_of: Instant, now: Instant) {
        let history = std::mem::replace(&mut self.history, earlier);
        self.undone.push(Undone { history, read_to: self.read_to, at: now });
        self.restore(as_of, as_of, now);
    }

    /// Reverses the last undo.
    pub(super) fn redo(&mut self, now: Instant) -> Result<(), Violation> {
        let Some(Undone { history, read_to, at }) = self.undone.top().cloned() else {
            let what = say!("nothing-to-redo", "there is no undo that can be reversed");
            return Err(Violation::new("nothing-to-redo", what, say!("nothing-to-redo-next", "play on")));
        };
        self.undone = self.undone.below();
        self.history = history;
        self.restore(read_to, at, now);
        Ok(())
    }

    /// Computes the state from the history, and lets time pass up to `read_to`. Then the clocks continue at `now` with
    /// the readings that they had at `as_of`.
    fn restore(&mut self, read_to: Instant, as_of: Instant, now: Instant) {
        self.state = self.history.state(&self.start);
        let state = Arc::make_mut(&mut self.state);
        state.advance(read_to);
        state.continue_from(as_of, now);
        (self.went_on, self.read_to) = (now, now);
        self.history.push(HistoryEntry::ClocksContinued { as_of, on: now }, &self.state);
    }
}

/// The refusal of an undo that finds nothing.
pub(super) fn nothing_to_undo() -> Violation {
    let what = say!("nothing-to-undo", "there is nothing to undo yet");
    Violation::new("nothing-to-undo", what, say!("nothing-to-undo-next", "begin to play"))
}

/// Whether `input` was made by the same player as the last input of the history `before`.
fn same_player(before: &History, input: &Input) -> bool {
    let by = |input: &Input| match input {
        Input::Game(action) => action.by(),
        Input::Common(_) => None,
    };
    before.last_input().is_some_and(|did| by(&did.input) == by(input))
}
