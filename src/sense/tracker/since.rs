//! Everything that is known since the root, as one value. It is never cleared piece by piece: where the readings begin
//! anew, another value takes its place, so nothing outlives the root that it belongs to.

use tabiya_types::Instant;

use super::super::history::{HistoryMark, grid_of};
use super::super::kept::{PositionKey, ReachedPositions};
use super::super::reading::{StepKind, TurnEvent};
use super::super::search::Root;
use super::super::shape::Shape;
use super::queue::Queue;
use super::{OpenQuestion, Settled};
use crate::rules::Turn;
use crate::table::{Probe, Table};

/// The root, and what has come since.
#[derive(Clone, Debug)]
pub(super) struct Since {
    pub(super) root: Root,
    /// The positions that searches have reached from this root.
    pub(super) positions: ReachedPositions,
    /// The events since the root, and what waits beside them.
    pub(super) queue: Queue,
    /// The written steps since the root.
    pub(super) path: Vec<Settled>,
    /// What people are asked.
    pub(super) asked: Option<OpenQuestion>,
    /// When the game was first seen to have ended.
    pub(super) ended: Option<Instant>,
}

/// The game as it goes on at the table: a turn in which somebody has acted is over.
fn probe_of(table: &Table) -> Probe {
    let mut probe = table.probe();
    if matches!(table.turn(), Turn::Timed { acted: true, .. }) {
        probe.end_turn();
    }
    probe
}

impl Since {
    /// The readings begin at the table as it is, with what the board shows from `mark` on. This queue still waits.
    pub(super) fn begin(table: &Table, mark: HistoryMark, queue: Queue) -> Self {
        let root = Root { way: PositionKey::default(), probe: probe_of(table), mark, shape: None };
        let (positions, path) = (ReachedPositions::default(), Vec::new());
        Self { root, positions, queue, path, asked: None, ended: None }
    }

    /// The readings begin after the path, at the table as it is: a line that is no action may have changed what is possible.
    /// People are asked on, and a press still waits for its part of the turn.
    pub(super) fn after_path(&mut self, table: &Table) -> Self {
        self.settle(self.path.len(), table);
        let Root { mark, shape, .. } = self.root;
        let root = Root { way: PositionKey::default(), probe: probe_of(table), mark, shape };
        let (queue, asked) = (std::mem::take(&mut self.queue), self.asked.take());
        let (positions, path) = (ReachedPositions::default(), Vec::new());
        Self { root, positions, queue, path, asked, ended: self.ended }
    }

    /// How many events the written steps explain.
    pub(super) fn consumed(&self) -> usize {
        self.path.last().map_or(0, |settled| settled.step.events)
    }

    /// The events that no written step explains.
    pub(super) fn waiting(&self) -> &[TurnEvent] {
        self.queue.events().get(self.consumed()..).unwrap_or_default()
    }

    /// Makes the first steps of the path part of the root, so that they are not read anew.
    pub(super) fn settle(&mut self, steps: usize, table: &Table) {
        for _ in 0..steps {
            self.settle_first(table);
        }
    }

    fn settle_first(&mut self, table: &Table) {
        let Settled { step, .. } = self.path.remove(0);
        let before = grid_of(&self.root.probe.physical());
        match step.kind {
            StepKind::Act { .. } => {
                let shape = Shape::idle(&before, step.by).to(&before, &step.pieces);
                (self.root.shape, self.root.mark) = (Some(shape), step.mark);
            }
            StepKind::Mistake | StepKind::Back => self.root.mark = step.mark,
            StepKind::Line(_) | StepKind::Idle | StepKind::Again | StepKind::Pause => {}
        }
        if step.is_recorded() {
            let after = step.probe_after(&self.root.probe);
            self.root.probe = after.unwrap_or_else(|| table.probe());
            self.root.way = step.key_after(self.root.way);
        }
        self.queue.explain(step.events);
        for settled in &mut self.path {
            settled.step.events = settled.step.events.saturating_sub(step.events);
        }
    }
}
