//! The positions that a search has reached, with the actions that are possible in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use tabiya_types::Color;

use super::history::{BoardHistory, Grid, board_of, grid_of, squares};
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
    /// Which of the lines that wait for moves belong to the moves so far, as a mask.
    pub(super) said: u64,
}

impl ReachedPosition {
    pub(super) fn new(probe: Probe, history: &BoardHistory) -> Self {
        let before = grid_of(&probe.physical());
        let mover = probe.mover();
        let idle = Shape::idle(&before, mover.unwrap_or(Color::White));
        let possible = if mover.is_some() { probe.candidates() } else { Vec::new() };
        let candidate = |possible| Possible::new(possible, &idle, &before, history);
        let candidates: Vec<Possible> = possible.into_iter().map(candidate).collect();
        let choice = decibans(share(candidates.len()));
        Self { probe, mover, idle, candidates, choice, said: 0 }
    }

    /// An action that leads to exactly this board and is not among the candidates, because there are too many of its kind.
    pub(super) fn unlisted(&self, seen: &Grid, history: &BoardHistory) -> Option<Possible> {
        if history.felt || self.mover.is_none() {
            return None;
        }
        let possible = self.derived(seen)?;
        Some(Possible::new(possible, &self.idle, &grid_of(&self.probe.physical()), history))
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

    /// Adds to the step, which follows this position, what its player said after it: the first of the lines that wait, if
    /// the rules accept it. Returns which of them belong to the moves so far.
    pub(super) fn add_said(&self, step: &mut Step, waiting: &[Action]) -> u64 {
        let StepKind::Act { action, .. } = &step.kind else { return self.said };
        let of_player =
            |(nth, said): &(usize, &Action)| self.said >> nth & 1 == 0 && said.by() == Some(step.by);
        let first = waiting.iter().enumerate().take(64).find(of_player).filter(|_| step.said.is_empty());
        let accepts = |said: &Action| self.probe.after(action).is_some_and(|then| then.after(said).is_some());
        match first {
            Some((nth, said)) if accepts(said) => {
                step.said.push(said.clone());
                self.said | 1 << nth
            }
            _ => self.said,
        }
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

/// The positions that were reached, by the actions that lead to them from a root.
pub(super) type ReachedPositions = BTreeMap<u64, Arc<ReachedPosition>>;

/// The key of the position after an action. Equal actions in equal positions give equal keys.
pub(super) fn key_after(key: u64, pieces: &Grid) -> u64 {
    let mix = |key: u64, part: u64| {
        let key = (key ^ part).wrapping_mul(0xff51_afd7_ed55_8ccd);
        key ^ key >> 32
    };
    let of = |square: usize| u64::from(pieces[square]) << 6 | square as u64;
    squares(u64::MAX).fold(mix(key, 0x9e37_79b9_7f4a_7c15), |key, square| mix(key, of(square)))
}
