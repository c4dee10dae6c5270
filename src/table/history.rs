//! The history of a table: its inputs, and some of the states between them.
//!
//! Copies of a history share their entries, so keeping the table of another moment, or the table before an undo,
//! costs only the entries that differ. Every few entries the state is stored, so any state is computed from the
//! nearest stored state and the few entries after that state.

use std::fmt;
use std::sync::Arc;

use tabiya_types::{Instant, Stack};

use super::given::TimeGiven;
use super::input::{Common, Input, Stamp};
use super::state::MatchState;
use super::step::step;

/// How many entries lie between two stored states.
const CHECKPOINT_EVERY: usize = 16;

/// An entry of the history. A state can be computed by applying the entries in their order.
#[derive(Clone, Debug)]
pub(super) enum HistoryEntry {
    /// An input changed the table at the moment in its stamp.
    Did(HistoryInput),
    /// The table had already let time pass up to this moment when an input with an earlier `when` arrived. That input
    /// is the next entry; it acts at its `when`.
    Read(Instant),
    /// After an undo or a redo, the clocks continued at the moment `on`. They continued with the readings that they had
    /// had at the moment `as_of`.
    ClocksContinued { as_of: Instant, on: Instant },
}

/// An input that was not undone, with the facts that undo needs.
#[derive(Clone, Debug)]
pub(super) struct HistoryInput {
    pub(super) input: Input,
    pub(super) stamp: Stamp,
    /// If this input ended a turn: the history up to and including the first input of that turn. `None` if this input
    /// ended no turn, or if this input is the only one of its turn.
    pub(super) turn_from: Option<History>,
    /// The start of the turn that is unfinished after this input; `None` if no turn is unfinished.
    pub(super) open: Option<TurnStart>,
    /// The index of the game to which the input belongs, from 0.
    pub(super) game: usize,
    /// What a ruling gave that acted again after something was taken back. Boxed, because hardly any entry has it.
    pub(super) given: Option<Box<TimeGiven>>,
}

/// The input with which a turn began.
#[derive(Clone, Debug)]
pub(super) enum TurnStart {
    /// The turn began with the input in whose entry this value is stored.
    Here,
    /// The turn began with an input in an earlier history entry. This value is the history that ends with that input.
    There(History),
}

/// All entries so far, the newest on top.
#[derive(Clone, Default)]
pub(super) struct History(Stack<StoredEntry>);

/// An entry of the history with data for fast access.
#[derive(Clone)]
struct StoredEntry {
    entry: HistoryEntry,
    /// The history up to and including the last input before this entry. `None` if this entry is itself an input, or if
    /// there is no input.
    newest: Option<History>,
    /// The state after this entry, if it is stored.
    state: Option<Arc<MatchState>>,
    /// How many entries were added since the last stored state.
    since: usize,
    /// How many inputs the history has, including this entry.
    inputs: usize,
}

impl History {
    /// Adds an entry; `state` is the state after it.
    pub(super) fn push(&mut self, entry: HistoryEntry, state: &Arc<MatchState>) {
        let since = self.0.top().map_or(0, |below| below.since) + 1;
        let is_input = matches!(entry, HistoryEntry::Did(_));
        let inputs = self.count() + usize::from(is_input);
        // No state is stored with a `Read` entry, because its state is later than the moment at which the next input
        // acts.
        let keep = since >= CHECKPOINT_EVERY && !matches!(entry, HistoryEntry::Read(_));
        let booked = StoredEntry {
            entry,
            newest: if is_input { None } else { self.up_to_newest_input() },
            state: keep.then(|| state.clone()),
            since: if keep { 0 } else { since },
            inputs,
        };
        self.0.push(booked);
    }

    /// The history without its last entry.
    pub(super) fn before_last(&self) -> Self {
        Self(self.0.below())
    }

    /// The history up to and including the newest input; `None` if there is no input.
    pub(super) fn up_to_newest_input(&self) -> Option<Self> {
        let top = self.0.top()?;
        match top.entry {
            HistoryEntry::Did(_) => Some(self.clone()),
            HistoryEntry::Read(_) | HistoryEntry::ClocksContinued { .. } => top.newest.clone(),
        }
    }

    /// The history up to and including the newest input that is an acting line of the record; `None` if there is none.
    /// Players' confirmations of a result are passed over.
    pub(super) fn newest_acting(&self) -> Option<Self> {
        let mut newest = self.up_to_newest_input()?;
        while is_confirmation(&newest.last_input()?.input) {
            newest = newest.before_last().up_to_newest_input()?;
        }
        Some(newest)
    }

    /// The last entry if it is an input, otherwise `None`.
    pub(super) fn last_input(&self) -> Option<&HistoryInput> {
        match &self.0.top()?.entry {
            HistoryEntry::Did(did) => Some(did),
            HistoryEntry::Read(_) | HistoryEntry::ClocksContinued { .. } => None,
        }
    }

    /// The history up to and including the first input of the unfinished turn; `None` if no turn is unfinished.
    pub(super) fn unfinished_turn(&self) -> Option<Self> {
        let newest = self.up_to_newest_input()?;
        match newest.last_input()?.open.clone()? {
            TurnStart::Here => Some(newest),
            TurnStart::There(first) => Some(first),
        }
    }

    /// Computes the state after the last entry; `start` is the state before the first entry.
    pub(super) fn state(&self, start: &Arc<MatchState>) -> Arc<MatchState> {
        let kept = self.0.iter().find_map(|booked| booked.state.as_ref());
        let mut state = kept.unwrap_or(start).clone();
        let later: Vec<&StoredEntry> = self.0.iter().take_while(|booked| booked.state.is_none()).collect();
        if !later.is_empty() {
            let state = Arc::make_mut(&mut state);
            later.into_iter().rev().for_each(|booked| booked.entry.reapply(state));
        }
        state
    }

    /// How many inputs the history has.
    pub(super) fn count(&self) -> usize {
        self.0.top().map_or(0, |top| top.inputs)
    }

    /// The inputs after the first `count`, the oldest first.
    pub(super) fn inputs_after(&self, count: usize) -> Vec<HistoryInput> {
        let newest = self.newest_inputs().take(self.count().saturating_sub(count));
        let mut later: Vec<HistoryInput> = newest.cloned().collect();
        later.reverse();
        later
    }

    /// The inputs, oldest first.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &HistoryInput> {
        self.0.oldest_first().filter_map(|booked| booked.entry.input())
    }

    /// The inputs, newest first. What is not asked for is not walked over.
    pub(super) fn newest_inputs(&self) -> impl Iterator<Item = &HistoryInput> {
        self.0.iter().filter_map(|booked| booked.entry.input())
    }
}

impl HistoryEntry {
    fn input(&self) -> Option<&HistoryInput> {
        match self {
            Self::Did(did) => Some(did),
            Self::Read(_) | Self::ClocksContinued { .. } => None,
        }
    }
}

/// Whether an input only confirms a result.
pub(super) fn is_confirmation(input: &Input) -> bool {
    matches!(input, Input::Common(Common::Signs(_)))
}

impl fmt::Debug for History {
    /// Prints only the length, because histories refer to each other and the full output would be huge.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "History of {}", self.0.len())
    }
}

impl HistoryEntry {
    /// Applies this entry to a state again.
    fn reapply(&self, state: &mut MatchState) {
        match self {
            Self::Did(HistoryInput { input, stamp, .. }) => {
                state.advance(stamp.at);
                let again = step(state, input, *stamp);
                debug_assert!(again.is_ok(), "what was accepted once is accepted again");
            }
            Self::Read(at) => state.advance(*at),
            Self::ClocksContinued { as_of, on } => {
                state.advance(*as_of);
                state.continue_from(*as_of, *on);
            }
        }
    }
}
