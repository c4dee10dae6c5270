//! The positions that a search has reached, with the actions that are possible in them.

use tabiya_types::Color;

use super::history::{BoardHistory, Grid, board_of, grid_of};
use super::kept::PositionKey;
use super::reading::{Step, StepKind};
use super::shape::Shape;
use super::table::{HandEvent, decibans};
use crate::rules::{Action, Candidate};
use crate::table::Probe;

/// A possible action.
#[derive(Clone, Debug)]
pub(super) struct Possible {
    pub(super) action: Action,
    /// The pieces after the action, and how the board shows them.
    pub(super) pieces: Grid,
    pub(super) shown: Grid,
    pub(super) shape: Shape,
}

impl Possible {
    fn new(possible: Candidate, idle: &Shape, before: &Grid, history: &BoardHistory) -> Self {
        let pieces = grid_of(&possible.after);
        let shape = idle.to(before, &pieces);
        Self { action: possible.action, pieces, shown: history.shown(pieces), shape }
    }
}

/// A position and its possible actions.
#[derive(Clone, Debug)]
pub(super) struct ReachedPosition {
    pub(super) probe: Probe,
    /// The player whose turn it is; `None` if no turn is timed.
    pub(super) mover: Option<Color>,
    pub(super) idle: Shape,
    pub(super) candidates: Vec<Possible>,
    /// What it costs that one of the candidates is chosen, and not another.
    pub(super) choice: i32,
    /// The lines that belong after moves that are still to come, in the order of these moves.
    unsaid: Vec<Action>,
    /// What was done and said on the way here.
    pub(super) way: PositionKey,
    /// The way, and what is still unsaid: all that the position depends on.
    pub(super) key: PositionKey,
}

impl ReachedPosition {
    /// The position that this way has led to, where these lines are still unsaid.
    pub(super) fn new(way: PositionKey, probe: Probe, unsaid: Vec<Action>, history: &BoardHistory) -> Self {
        let before = grid_of(&probe.physical());
        let mover = probe.mover();
        let idle = Shape::idle(&before, mover.unwrap_or(Color::White));
        let possible = if mover.is_some() { probe.candidates() } else { Vec::new() };
        let candidate = |possible| Possible::new(possible, &idle, &before, history);
        let candidates: Vec<Possible> = possible.into_iter().map(candidate).collect();
        let choice = decibans(share(candidates.len()));
        let key = way.waiting(&unsaid);
        Self { probe, mover, idle, candidates, choice, unsaid, way, key }
    }

    /// An action that leads to exactly this board and is not among the candidates, because there are too many of its kind.
    pub(super) fn unlisted(&self, seen: &Grid, history: &BoardHistory) -> Option<Possible> {
        if !history.kind.names_pieces() || self.mover.is_none() {
            return None;
        }
        let possible = self.derived(seen)?;
        Some(Possible::new(possible, &self.idle, &grid_of(&self.probe.physical()), history))
    }

    /// Whether some action leads to exactly this board.
    pub(super) fn allows(&self, seen: &Grid, history: &BoardHistory) -> bool {
        self.candidates.iter().any(|candidate| candidate.shown == *seen)
            || self.unlisted(seen, history).is_some()
    }

    /// The action that the game itself derives from the board after it, if it derives one. It counts before a listed one.
    fn derived(&self, pieces: &Grid) -> Option<Candidate> {
        self.probe.candidates_for(&board_of(pieces)).into_iter().next()
    }

    /// Makes the step, which follows this position, the action that the game derives from its board.
    pub(super) fn derive(&self, step: &mut Step) {
        let StepKind::Act { action, .. } = &mut step.kind else { return };
        if let Some(derived) = self.derived(&step.pieces) {
            *action = derived.action;
        }
    }

    /// The position after a step that follows this one. A move takes the first of its player's lines that wait, if the rules
    /// accept it after the move.
    pub(super) fn after(&self, mut step: Step, history: &BoardHistory) -> Self {
        self.derive(&mut step);
        let mut unsaid = self.unsaid.clone();
        if let StepKind::Act { action, .. } = &step.kind
            && step.said.is_empty()
            && let Some(first) = unsaid.iter().position(|said| said.by() == Some(step.by))
            && self.probe.after(action).is_some_and(|then| then.after(&unsaid[first]).is_some())
        {
            step.said.push(unsaid.remove(first));
        }
        let probe = step.probe_after(&self.probe).unwrap_or_else(|| self.probe.clone());
        Self::new(step.key_after(self.way), probe, unsaid, history)
    }

    /// Whether this action ends the game.
    pub(super) fn ends_with(&self, candidate: &Possible) -> bool {
        let derived = self.derived(&candidate.pieces);
        let action = derived.as_ref().map_or(&candidate.action, |derived| &derived.action);
        self.probe.after(action).is_some_and(|after| after.outcome().is_some())
    }
}

/// The share of one among so many.
pub(super) fn share(of: usize) -> f64 {
    f64::from(u32::try_from(of.max(1)).unwrap_or(u32::MAX)).recip()
}

/// What a rest on the board `seen` looks like if none of these actions was made; `None` if it looks like none of them.
pub(super) fn looks_like<'a>(
    actions: impl Iterator<Item = (&'a Grid, &'a Shape)>,
    touched: u64,
    seen: &Grid,
) -> Option<HandEvent> {
    let same = actions.filter(|(after, _)| *after == seen);
    let event =
        |shape: &Shape| if shape.put & touched == 0 { HandEvent::Hovering } else { HandEvent::Paused };
    same.map(|(_, shape)| event(shape)).min_by_key(|event| *event as usize)
}
