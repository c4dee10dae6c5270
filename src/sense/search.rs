//! The search for the cheapest readings of what the board showed and what was pressed and typed.
//!
//! A reading is a path over the events since the root. Each press, line or rest ends a turn with an action, or the
//! reading explains it otherwise. docs/tracker.md describes the search.

mod expand;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use tabiya_types::{Color, Instant};

use super::by_hand::{BEAM, LEAST_WIDTH, MOST_NODES, MOST_READINGS, WIDTH};
use super::history::{BoardHistory, Grid, HistoryMark, grid_of};
use super::kept::{PositionKey, ReachedPositions};
use super::position::{Possible, ReachedPosition, share};
use super::reading::{Happening, Occasion, Reading, Step, StepKind, TurnEvent};
use super::shape::Shape;
use super::table::{Prices, decibans};
use super::turn::{Bill, Deed, Owed, TurnEvidence};
use crate::rules::Action;
use crate::table::Probe;

/// Where the readings begin.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// What of the written path led here, since the positions were last forgotten.
    pub(super) way: PositionKey,
    pub(super) probe: Probe,
    pub(super) mark: HistoryMark,
    /// The action before it.
    pub(super) shape: Option<Shape>,
}

/// What is asked.
pub(super) struct Query<'a> {
    pub(super) history: &'a BoardHistory,
    pub(super) root: &'a Root,
    pub(super) events: &'a [TurnEvent],
    /// What was said after moves that are not understood yet, in the order of these moves.
    pub(super) said: &'a [Action],
    pub(super) now: Instant,
    /// Whether the game is played without presses.
    pub(super) auto: bool,
    pub(super) occasion: Occasion,
    /// Readings that cost so much more than the best are not returned.
    pub(super) margin: i32,
    /// Whether the steps say what they pay for.
    pub(super) explain: bool,
}

/// The readings that were found, the cheapest first.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) readings: Vec<Reading>,
    /// Whether no reading may be believed yet: the search left nodes out at its bound of work, or nothing but the turn in progress
    /// speaks against a reading that the board shows like the best.
    pub(super) open: bool,
}

/// A step, and the state of a reading after it.
#[derive(Clone)]
struct Node {
    key: PositionKey,
    parent: usize,
    step: Step,
    /// How the board should look.
    shown: Grid,
    /// The shape of the last action.
    shape: Option<Shape>,
    /// Where the last turn ended.
    mark: HistoryMark,
    cost: i32,
    owed: Vec<Owed>,
    awaited: u64,
    mistaken: bool,
    /// How many presses in a row were forgotten.
    forgotten: u8,
    /// What the evidence of the turn in progress costs so far; `None` if that is not computed yet.
    ahead: Option<i32>,
}

/// One search for the readings. It keeps the positions that it reaches for the next search.
pub(super) struct ReadingSearch<'a> {
    query: &'a Query<'a>,
    positions: &'a mut ReachedPositions,
    prices: &'static Prices,
    nodes: Vec<Node>,
    /// For each number of explained events: the nodes that wait to be expanded, the cheapest first.
    levels: Vec<BinaryHeap<Reverse<(i32, usize)>>>,
    finished: Vec<(i32, usize)>,
    expanded: usize,
    /// Whether nodes were left out because there was no work left for them.
    cut: bool,
}

impl<'a> ReadingSearch<'a> {
    pub(super) fn new(query: &'a Query<'a>, positions: &'a mut ReachedPositions) -> Self {
        let Root { way, mark, shape, .. } = *query.root;
        let key = way.waiting(query.said);
        let pieces = grid_of(&query.root.probe.physical());
        let step = Step::free(StepKind::Pause, Color::White, mark, pieces, 0);
        let shown = query.history.shown(pieces);
        let (parent, cost, owed, awaited) = (0, 0, Vec::new(), 0);
        let (mistaken, forgotten, ahead) = (false, 0, None);
        let root =
            Node { key, parent, step, shown, shape, mark, cost, owed, awaited, mistaken, forgotten, ahead };
        let mut levels = vec![BinaryHeap::new(); query.events.len() + 1];
        levels[0].push(Reverse((0, 0)));
        let (prices, nodes, finished) = (query.history.kind.prices(), vec![root], Vec::new());
        Self { query, positions, prices, nodes, levels, finished, expanded: 0, cut: false }
    }

    /// Finds the readings that come within the margin of the best.
    pub(super) fn run(mut self) -> Findings {
        for level in 0..self.levels.len() {
            // Where many events wait, what is left of the work is shared: the last of them get less.
            let later = LEAST_WIDTH * (self.levels.len() - level - 1);
            let share = MOST_NODES.saturating_sub(self.expanded + later).max(LEAST_WIDTH);
            let mut limit = i32::MAX;
            for _ in 0..WIDTH.min(share) {
                let Some(id) = self.cheapest(level, limit) else { break };
                if limit == i32::MAX {
                    limit = self.total(id, level) + self.query.margin + BEAM;
                }
                self.expanded += 1;
                self.expand(id, self.query.events.get(level));
            }
            self.cut |= share < WIDTH && self.cheapest(level, limit).is_some();
        }
        self.found()
    }

    /// What a node costs with the turn in progress.
    fn total(&mut self, id: usize, level: usize) -> i32 {
        let ahead = self.nodes[id].ahead.unwrap_or_else(|| {
            let line = |event: &&TurnEvent| matches!(event.happening, Happening::Line(_));
            let next = self.query.events[level..].iter().find(|event| !line(event));
            let end = next.map_or_else(|| self.query.history.mark(self.query.now), |event| event.mark);
            self.in_progress(id, end)
        });
        self.nodes[id].ahead = Some(ahead);
        self.nodes[id].cost + ahead
    }

    /// Removes the cheapest node of a level; `None` if there is none that costs less than `limit`. Its turn in progress
    /// counts, unless it is the only node.
    fn cheapest(&mut self, level: usize, limit: i32) -> Option<usize> {
        loop {
            let Reverse((_, id)) = self.levels[level].pop().filter(|Reverse((cost, _))| *cost < limit)?;
            if self.nodes[id].ahead.is_some() || self.levels[level].is_empty() {
                return Some(id);
            }
            let cost = self.total(id, level);
            self.levels[level].push(Reverse((cost, id)));
        }
    }

    fn found(mut self) -> Findings {
        self.finished.sort_unstable();
        let least = self.finished.first().map_or(0, |(cost, _)| *cost);
        let near = self.finished.partition_point(|(cost, _)| *cost < least + self.query.margin);
        let (near, further) = self.finished.split_at(near);
        let (mut readings, mut ends): (Vec<Reading>, Vec<usize>) = (Vec::new(), Vec::new());
        for (cost, id) in near {
            let reading = self.reading(*id, *cost);
            if readings.len() < MOST_READINGS && !readings.iter().any(|other| other.is_same(&reading)) {
                readings.push(reading);
                ends.push(*id);
            }
        }
        let rival = readings.first().is_some_and(|best| self.has_rival(best, further));
        for (reading, end) in readings.iter_mut().zip(ends) {
            self.derive(reading, end);
        }
        Findings { readings, open: rival || self.cut }
    }

    /// Puts the actions that the game derives from the boards into a reading that ends with this node.
    fn derive(&mut self, reading: &mut Reading, end: usize) {
        let mut id = end;
        for step in reading.steps.iter_mut().rev() {
            id = self.nodes[id].parent;
            self.position(id).derive(step);
        }
    }

    /// Whether nothing but the turn in progress speaks against a reading that the board shows like the best. What is lifted
    /// now may be put back.
    fn has_rival(&self, best: &Reading, further: &[(i32, usize)]) -> bool {
        let Query { history, occasion, margin, .. } = *self.query;
        let lifted =
            history.kind.hides_captures() && (occasion.leaves_turn_open() || !best.stands_on(history));
        let limit = margin + self.finished.first().map_or(0, |(_, id)| self.nodes[*id].cost);
        let mut near = further.iter().filter(|(_, id)| lifted && self.nodes[*id].cost < limit);
        near.any(|(cost, id)| {
            let other = self.reading(*id, *cost);
            other.is_shown_like(best, history) && !other.is_same(best)
        })
    }

    fn reading(&self, id: usize, cost: i32) -> Reading {
        let path = std::iter::successors(Some(id).filter(|id| *id != 0), |id| {
            Some(self.nodes[*id].parent).filter(|parent| *parent != 0)
        });
        let mut steps: Vec<Step> = path.map(|id| self.nodes[id].step.clone()).collect();
        steps.reverse();
        let Node { mistaken, awaited, .. } = self.nodes[id];
        Reading { occasion: self.query.occasion, cost, steps, mistaken, waits: awaited != 0 }
    }

    /// The position that a node has reached. It is computed from the position of its parent.
    fn position(&mut self, id: usize) -> Arc<ReachedPosition> {
        let Node { key, parent, .. } = self.nodes[id];
        if let Some(position) = self.positions.get(key) {
            return position;
        }
        let Query { history, root, said, .. } = *self.query;
        let position = if id == 0 {
            ReachedPosition::new(root.way, root.probe.clone(), said.to_vec(), history)
        } else {
            self.position(parent).after(self.nodes[id].step.clone(), history)
        };
        self.positions.keep(key, position)
    }

    // ---- costs ----

    /// What a node owes by now.
    fn owes(&self, node: &Node) -> i32 {
        node.owed.iter().map(|owed| owed.until(self.prices, self.query.now)).sum()
    }

    /// What the turn in progress costs so far: the likelihood of all actions that may be in progress together.
    fn in_progress(&mut self, id: usize, end: HistoryMark) -> i32 {
        let node = &self.nodes[id];
        let evidence = TurnEvidence::new(self.query.history, self.query.now, (node.mark, end), None);
        if evidence.runs.iter().all(|run| run.what == node.shown[run.square]) {
            return 0;
        }
        let position = self.position(id);
        let node = &self.nodes[id];
        let nothing = self.price(node, (&node.shown, &position.idle), &evidence);
        if node.mistaken {
            // Nobody acts before the press by mistake is cancelled.
            return nothing;
        }
        let likely = |cost: i32| 10_f64.powf(f64::from(-cost) / 10.0);
        let of =
            |candidate: &Possible| likely(self.price(node, (&candidate.shown, &candidate.shape), &evidence));
        let some: f64 = position.candidates.iter().map(of).sum();
        decibans(likely(nothing) + some * share(position.candidates.len())).max(0)
    }

    /// What a turn with this action costs.
    fn price(&self, node: &Node, (after, shape): (&Grid, &Shape), evidence: &TurnEvidence) -> i32 {
        let mut bill = Bill::new(self.prices);
        Deed { before: &node.shown, after, shape, previous: node.shape.as_ref() }.enter(evidence, &mut bill);
        bill.total(self.query.now)
    }
}
