//! What was done at a table, entry by entry, and the states on the way.
//!
//! A history is shared with its copies: a table at another moment, or one that an undo left behind, costs what
//! is different about it. Every so many entries keep the state after them, so that any state on the way is
//! worked out from the nearest of those and the few entries behind it.

use std::fmt;
use std::sync::Arc;

use tabiya_types::{Instant, Stack};

use super::input::{Input, Stamp};
use super::state::MatchState;

/// How many entries lie between two states that are kept.
const CHECKPOINT_EVERY: usize = 16;

/// Something that a state follows from.
#[derive(Clone, Debug)]
pub(super) enum HistoryEntry {
    /// An input at its moment.
    Did(Did),
    /// Time was read on to here before an input that acts at an earlier moment (`when`).
    Read(Instant),
    /// After an undo time goes on: what stood at `stood` runs from `on`.
    WentOn { stood: Instant, on: Instant },
}

/// One input that counts, with what undo has to know about it.
#[derive(Clone, Debug)]
pub(super) struct Did {
    pub(super) input: Input,
    pub(super) stamp: Stamp,
    /// The history up to the first input of the turn that this one ended, if that was an earlier one.
    pub(super) turn_from: Option<History>,
    /// Where the turn that is unfinished after this input began.
    pub(super) open: Option<Begun>,
    /// The game that it belongs to, counted from 0.
    pub(super) game: usize,
}

/// Where a turn began.
#[derive(Clone, Debug)]
pub(super) enum Begun {
    /// With this very input.
    Here,
    /// With the last input of this history.
    There(History),
}

/// All that was done so far, the newest on top.
#[derive(Clone, Default)]
pub(super) struct History(Stack<Booked>);

/// An entry, and what is found from it.
#[derive(Clone)]
struct Booked {
    entry: HistoryEntry,
    /// The history up to the newest input; nothing if this entry is that input, or if there is none.
    newest: Option<History>,
    /// The state after it, where it is kept.
    state: Option<Arc<MatchState>>,
    /// How many entries lie between it and the state that was kept last.
    since: usize,
    /// How many inputs there are, this entry included.
    inputs: usize,
}

impl History {
    /// Books an entry; `state` is how the table stands after it.
    pub(super) fn push(&mut self, entry: HistoryEntry, state: &Arc<MatchState>) {
        let since = self.0.top().map_or(0, |below| below.since) + 1;
        let is_input = matches!(entry, HistoryEntry::Did(_));
        let inputs = self.count() + usize::from(is_input);
        // What follows time that was read on acts at an earlier moment: the state between them is none.
        let keep = since >= CHECKPOINT_EVERY && !matches!(entry, HistoryEntry::Read(_));
        let booked = Booked {
            entry,
            newest: if is_input { None } else { self.up_to_newest_input() },
            state: keep.then(|| state.clone()),
            since: if keep { 0 } else { since },
            inputs,
        };
        self.0.push(booked);
    }

    /// The history before its last entry.
    pub(super) fn before_last(&self) -> Self {
        Self(self.0.below())
    }

    /// The history up to the newest input.
    pub(super) fn up_to_newest_input(&self) -> Option<Self> {
        let top = self.0.top()?;
        match top.entry {
            HistoryEntry::Did(_) => Some(self.clone()),
            HistoryEntry::Read(_) | HistoryEntry::WentOn { .. } => top.newest.clone(),
        }
    }

    /// The last entry, if it is an input.
    pub(super) fn last_input(&self) -> Option<&Did> {
        match &self.0.top()?.entry {
            HistoryEntry::Did(did) => Some(did),
            HistoryEntry::Read(_) | HistoryEntry::WentOn { .. } => None,
        }
    }

    /// The history up to the first input of the turn that has begun and not ended.
    pub(super) fn unfinished_turn(&self) -> Option<Self> {
        let newest = self.up_to_newest_input()?;
        match newest.last_input()?.open.clone()? {
            Begun::Here => Some(newest),
            Begun::There(first) => Some(first),
        }
    }

    /// The state after the last entry, worked out again; `start` is the state before the first.
    pub(super) fn state(&self, start: &Arc<MatchState>) -> Arc<MatchState> {
        let kept = self.0.iter().find_map(|booked| booked.state.as_ref());
        let mut state = kept.unwrap_or(start).clone();
        let behind: Vec<&Booked> = self.0.iter().take_while(|booked| booked.state.is_none()).collect();
        if !behind.is_empty() {
            let state = Arc::make_mut(&mut state);
            behind.into_iter().rev().for_each(|booked| booked.entry.act_again(state));
        }
        state
    }

    /// How many inputs there are.
    pub(super) fn count(&self) -> usize {
        self.0.top().map_or(0, |top| top.inputs)
    }

    /// The inputs, the first one first.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Did> {
        self.0.oldest_first().filter_map(|booked| match &booked.entry {
            HistoryEntry::Did(did) => Some(did),
            HistoryEntry::Read(_) | HistoryEntry::WentOn { .. } => None,
        })
    }
}

impl fmt::Debug for History {
    /// Histories name each other: printed in full they would have no end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "History of {}", self.0.len())
    }
}

impl HistoryEntry {
    /// Does to a state what it did when it was booked.
    fn act_again(&self, state: &mut MatchState) {
        match self {
            Self::Did(Did { input, stamp, .. }) => {
                state.read_on(stamp.at);
                let again = state.step(input, *stamp);
                debug_assert!(again.is_ok(), "what was accepted once is accepted again");
            }
            Self::Read(at) => state.read_on(*at),
            Self::WentOn { stood, on } => {
                state.read_on(*stood);
                state.go_on(*stood, *on);
            }
        }
    }
}
