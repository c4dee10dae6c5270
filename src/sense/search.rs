//! The search for the cheapest readings of what the board showed and what was pressed and typed.
//!
//! A reading is a path over the events since the root. Each press, line or rest ends a turn with an action, or the
//! reading explains it otherwise. docs/tracker.md describes the search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use tabiya_types::{Color, Instant, Millis};

use super::explain::Charge;
use super::history::{BoardHistory, Grid, HistoryMark, differences, grid_of, squares};
use super::position::{
    Possible, ReachedPosition, ReachedPositions, key_after, kind_of_mistake, looks_like, share,
};
use super::shape::Shape;
use super::stops::Stops;
use super::table::{HandEvent, Prices, When, decibans};
use super::turn::{Bill, Deed, Owed, TurnEvidence};
use crate::rules::Action;
use crate::table::Probe;

/// A press, a line or a rest: something that may end a turn.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Happening {
    Press(Color),
    /// A typed action that takes a turn.
    Line(Action),
    /// Nobody presses, and the board rests.
    Rest,
}

/// A happening, with what the board showed then.
#[derive(Clone, Debug)]
pub(super) struct TurnEvent {
    pub(super) happening: Happening,
    pub(super) mark: HistoryMark,
    pub(super) grid: Grid,
    /// Whether a line was written for it.
    pub(super) written: bool,
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Press,
    /// Its press was forgotten.
    Forgotten,
    /// The opponent's typed line counts as its press.
    Line,
    /// The board rests.
    Rest,
}

/// One step of a reading.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum StepKind {
    Act {
        action: Action,
        end: End,
    },
    Line(Action),
    /// A press by the side whose clock is stopped, or after the end of the game.
    Idle,
    /// A press by mistake, and the press that cancels it.
    Mistake,
    Back,
    /// A rest in the middle of a turn.
    Pause,
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    pub(super) by: Color,
    pub(super) mark: HistoryMark,
    /// The pieces after the step.
    pub(super) pieces: Grid,
    /// How many events are explained after it.
    pub(super) events: usize,
    pub(super) cost: i32,
    /// The parts of the cost: for the choice of one action among all, and for what the board did not show at the end.
    choice: i32,
    pub(super) doubt: i32,
    /// What it pays for, if the query asks for explanations.
    pub(super) charges: Vec<Charge>,
}

impl Step {
    /// A typed line as a step. It costs nothing.
    pub(super) fn line(action: Action, by: Color, mark: HistoryMark, pieces: Grid, events: usize) -> Self {
        Self {
            kind: StepKind::Line(action),
            by,
            mark,
            pieces,
            events,
            cost: 0,
            choice: 0,
            doubt: 0,
            charges: Vec::new(),
        }
    }

    /// Whether the step is an action or a line, which the record contains.
    pub(super) fn is_recorded(&self) -> bool {
        matches!(self.kind, StepKind::Act { .. } | StepKind::Line(_))
    }
}

/// A reading: what may have been done since the root.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) cost: i32,
    pub(super) steps: Vec<Step>,
    /// Whether the last press was a mistake that nobody has cancelled yet.
    pub(super) mistaken: bool,
    /// Whether the board has still to show some squares of it.
    pub(super) waits: bool,
}

impl Reading {
    pub(super) fn recorded(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.steps.iter().filter(|step| step.is_recorded())
    }

    /// The boards after each recorded step, the last first.
    pub(super) fn boards_from_last(&self) -> impl Iterator<Item = &Grid> {
        self.recorded().rev().map(|step| &step.pieces)
    }
}

/// Where the readings begin.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) key: u64,
    pub(super) probe: Probe,
    pub(super) mark: HistoryMark,
    /// The action before it.
    pub(super) shape: Option<Shape>,
}

/// What happens after the last event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tail {
    /// The turn goes on.
    Open,
    /// The board rests: an action that ends the game counts, and so do two actions.
    Rest,
    /// The input ends: an action that stands counts.
    Finish,
    /// Something must have been done.
    Forced,
}

/// What is asked.
pub(super) struct Query<'a> {
    pub(super) history: &'a BoardHistory,
    pub(super) root: &'a Root,
    pub(super) events: &'a [TurnEvent],
    pub(super) now: Instant,
    /// Whether the game is played without presses.
    pub(super) auto: bool,
    pub(super) settle: Millis,
    pub(super) tail: Tail,
    /// Readings that cost so much more than the best are not returned.
    pub(super) margin: i32,
    /// Whether the steps say what they pay for.
    pub(super) explain: bool,
}

/// The readings that were found, the cheapest first.
#[derive(Debug, Default)]
pub(super) struct FoundReadings {
    pub(super) readings: Vec<Reading>,
    /// Whether the search stopped at its bound of work, so that readings may be missing.
    pub(super) cut: bool,
}

/// How much more than the best node of its level a node may cost in a wide search, and in a narrow one beyond the
/// margin; how many nodes of a level are expanded; and how many of all levels.
const WIDE: i32 = 100;
const NARROW: i32 = 20;
const WIDTH: usize = 12;
const MOST_NODES: usize = 400;
/// The most readings that are returned.
const MOST_READINGS: usize = 8;
/// The most presses in a row that may be forgotten.
const MOST_FORGOTTEN: u8 = 2;
/// What may have been forgotten shows at most so many wrong squares where it is believed to have stood.
pub(super) const NEARLY: u32 = 2;
/// More than any reading costs.
const INFINITE: i32 = 1_000_000;

/// Finds the readings that come within the margin of the best. The first search is narrow. What its best reading still
/// has to pay tells how wide the second must be.
pub(super) fn readings(query: &Query, positions: &mut ReachedPositions) -> FoundReadings {
    let levels = query.events.len() + 1;
    let narrow = Search::new(query, positions, vec![query.margin + NARROW; levels]).run();
    let beams: Vec<i32> = match narrow.readings.first() {
        None => vec![WIDE; levels],
        Some(best) => {
            let odd = |steps: &mut dyn Iterator<Item = &Step>| -> i32 {
                steps.map(|step| step.cost - step.choice).sum()
            };
            let all = best.cost - best.steps.iter().map(|step| step.choice).sum::<i32>();
            // An action without a press belongs to the level in which its turn begins.
            let unpressed =
                |step: &Step| matches!(step.kind, StepKind::Act { end: End::Forgotten | End::Line, .. });
            let before =
                |step: &&Step, level| step.events < level || step.events == level && !unpressed(step);
            let paid = |level| odd(&mut best.steps.iter().filter(|step| before(step, level)));
            (0..levels)
                .map(|level| (query.margin + all - paid(level)).clamp(query.margin.min(WIDE), WIDE))
                .collect()
        }
    };
    if narrow.cut || beams.iter().all(|beam| *beam <= query.margin + NARROW) {
        return narrow;
    }
    Search::new(query, positions, beams).run()
}

#[derive(Clone)]
struct Node {
    key: u64,
    parent: usize,
    step: Option<Step>,
    pieces: Grid,
    shown: Grid,
    /// The shape of the last action.
    shape: Option<Shape>,
    /// Where the last turn ended, and how many events are explained.
    mark: HistoryMark,
    events: usize,
    cost: i32,
    owed: Vec<Owed>,
    awaited: u64,
    mistaken: bool,
    /// How many presses in a row were forgotten.
    forgotten: u8,
    finished: bool,
    /// What the turn in progress costs so far; `None` if that is not computed yet.
    ahead: Option<i32>,
}

impl Node {
    fn owes(&self, prices: &Prices, now: Instant) -> i32 {
        self.owed.iter().map(|owed| owed.until(prices, now)).sum()
    }
}

struct Search<'a> {
    query: &'a Query<'a>,
    positions: &'a mut ReachedPositions,
    prices: &'static Prices,
    nodes: Vec<Node>,
    /// For each number of explained events: the nodes that wait to be expanded, the cheapest first.
    levels: Vec<BinaryHeap<Reverse<(i32, usize)>>>,
    finished: Vec<(i32, usize)>,
    beams: Vec<i32>,
    /// Children that cost at least so much are dropped.
    bound: i32,
    expanded: usize,
}

/// The end of a turn, for which all actions are tried.
struct TurnEnd {
    end: End,
    mark: HistoryMark,
    /// The time that the record gets for the action.
    at: Instant,
    /// What the end itself costs.
    cost: i32,
    /// How many events are explained after it.
    events: usize,
}

impl<'a> Search<'a> {
    fn new(query: &'a Query<'a>, positions: &'a mut ReachedPositions, beams: Vec<i32>) -> Self {
        let pieces = grid_of(&query.root.probe.physical());
        let root = Node {
            key: query.root.key,
            parent: 0,
            step: None,
            pieces,
            shown: query.history.shown(pieces),
            shape: query.root.shape,
            mark: query.root.mark,
            events: 0,
            cost: 0,
            owed: Vec::new(),
            awaited: 0,
            mistaken: false,
            forgotten: 0,
            finished: false,
            ahead: None,
        };
        let mut levels = vec![BinaryHeap::new(); query.events.len() + 1];
        levels[0].push(Reverse((0, 0)));
        let prices = Prices::of(query.history.felt());
        let (nodes, finished) = (vec![root], Vec::new());
        Self { query, positions, prices, nodes, levels, finished, beams, bound: INFINITE, expanded: 0 }
    }

    fn run(mut self) -> FoundReadings {
        for level in 0..self.levels.len() {
            let mut first = None;
            for _ in 0..WIDTH {
                let limit = first.map_or(INFINITE, |first| self.total(first, level) + self.beams[level]);
                let Some((cost, id)) = self.cheapest(level, limit) else { break };
                if cost >= limit || self.expanded >= MOST_NODES {
                    break;
                }
                first = first.or(Some(id));
                self.expanded += 1;
                self.bound = self.bound_after(level);
                match self.query.events.get(level) {
                    Some(event) => self.explain(id, event),
                    None => self.finish(id),
                }
                self.try_forgotten(id);
            }
        }
        self.found()
    }

    /// What a node costs with the turn in progress.
    fn total(&mut self, id: usize, level: usize) -> i32 {
        let known = self.nodes[id].ahead;
        let ahead = known.unwrap_or_else(|| {
            let line = |event: &&TurnEvent| matches!(event.happening, Happening::Line(_));
            let next = self.query.events[level..].iter().find(|event| !line(event));
            let end = next.map_or_else(|| self.query.history.mark(self.query.now), |event| event.mark);
            self.in_progress(id, end)
        });
        self.nodes[id].ahead = Some(ahead);
        self.nodes[id].cost + ahead
    }

    /// Removes the cheapest node of a level. Its turn in progress counts, unless it is the only node.
    fn cheapest(&mut self, level: usize, limit: i32) -> Option<(i32, usize)> {
        loop {
            let Reverse((cost, id)) = self.levels[level].pop()?;
            if self.nodes[id].ahead.is_some() || cost >= limit || self.levels[level].is_empty() {
                return Some((cost, id));
            }
            let cost = self.total(id, level);
            self.levels[level].push(Reverse((cost, id)));
        }
    }

    /// What a child may cost, as far as it is known by now.
    fn bound_after(&mut self, level: usize) -> i32 {
        match self.levels.get(level + 1).map(|next| next.peek().copied()) {
            Some(Some(Reverse((_, id)))) => self.total(id, level + 1) + self.beams[level + 1],
            Some(None) => INFINITE,
            None => self.finished.iter().map(|(cost, _)| cost + self.query.margin).min().unwrap_or(INFINITE),
        }
    }

    fn found(mut self) -> FoundReadings {
        self.finished.sort_unstable();
        let least = self.finished.first().map_or(0, |(cost, _)| *cost);
        let mut readings: Vec<Reading> = Vec::new();
        for (cost, id) in self.finished.iter().take_while(|(cost, _)| *cost < least + self.query.margin) {
            let reading = self.reading(*id, *cost);
            let same = |other: &Reading| other.boards_from_last().eq(reading.boards_from_last());
            if readings.len() < MOST_READINGS && !readings.iter().any(same) {
                readings.push(reading);
            }
        }
        FoundReadings { readings, cut: self.expanded >= MOST_NODES }
    }

    fn reading(&self, id: usize, cost: i32) -> Reading {
        let node = &self.nodes[id];
        let path =
            std::iter::successors(Some(node), |node| node.step.as_ref().map(|_| &self.nodes[node.parent]));
        let mut steps: Vec<Step> = path.filter_map(|node| node.step.clone()).collect();
        steps.reverse();
        Reading { cost, steps, mistaken: node.mistaken, waits: node.awaited != 0 }
    }

    fn position(&mut self, id: usize) -> Arc<ReachedPosition> {
        let key = self.nodes[id].key;
        if let Some(position) = self.positions.get(key) {
            return position.clone();
        }
        let position = ReachedPosition::new(self.probe(id), self.query.history);
        self.positions.insert(key, position)
    }

    fn probe(&self, id: usize) -> Probe {
        let node = &self.nodes[id];
        let Some(step) = &node.step else { return self.query.root.probe.clone() };
        if let Some(position) = self.positions.get(node.key) {
            return position.probe.clone();
        }
        let before = self.probe(node.parent);
        let after = match &step.kind {
            StepKind::Act { action, .. } => before.after_turn(action),
            StepKind::Line(action) => before.after(action),
            StepKind::Idle | StepKind::Mistake | StepKind::Back | StepKind::Pause => None,
        };
        after.unwrap_or(before)
    }

    // ---- steps ----

    /// Adds a node after a step of `id` that is no action.
    fn step(&mut self, id: usize, kind: StepKind, by: Color, cost: i32, change: impl FnOnce(&mut Node)) {
        let Node { events, pieces, .. } = self.nodes[id];
        let Some(mark) = self.query.events.get(events).map(|event| event.mark) else { return };
        let (events, charges) = (events + 1, Vec::new());
        let step = Step { kind, by, mark, pieces, events, cost, choice: 0, doubt: cost, charges };
        self.child(id, step, change);
    }

    fn child(&mut self, id: usize, step: Step, change: impl FnOnce(&mut Node)) {
        let cost = self.nodes[id].cost + step.cost;
        if cost >= self.bound {
            return;
        }
        let mut node = Node { parent: id, cost, events: step.events, ahead: None, ..self.nodes[id].clone() };
        node.step = Some(step);
        change(&mut node);
        let id = self.nodes.len();
        if node.finished {
            self.finished.push((cost + node.owes(self.prices, self.query.now), id));
        } else {
            self.levels[node.events].push(Reverse((cost, id)));
        }
        self.nodes.push(node);
    }

    /// Adds every explanation of the next event.
    fn explain(&mut self, id: usize, event: &TurnEvent) {
        let position = self.position(id);
        let events = self.nodes[id].events + 1;
        let Some(mover) = position.mover else { return self.explain_after_end(id, event) };
        let fresh = self.nodes[id].forgotten == 0;
        let turn = |end, cost, events| TurnEnd { end, mark: event.mark, at: event.mark.at, cost, events };
        let forgotten = self.prices.event(HandEvent::Forgotten);
        match &event.happening {
            Happening::Press(by) if *by == mover => {
                self.act(id, event, &turn(End::Press, 0, events));
                if fresh {
                    let Query { history, settle, .. } = *self.query;
                    let mark = event.mark;
                    let mistake = kind_of_mistake(history, self.nodes[id].mark, mark, settle);
                    let cost = self.unchanged(id, event) + self.prices.event(mistake);
                    self.step(id, StepKind::Mistake, mover, cost, |node| {
                        (node.mistaken, node.mark) = (true, mark);
                    });
                }
            }
            Happening::Press(by) if self.nodes[id].mistaken => {
                let (cost, mark) = (self.unchanged(id, event), event.mark);
                self.step(id, StepKind::Back, *by, cost, |node| (node.mistaken, node.mark) = (false, mark));
            }
            Happening::Press(by) if fresh => {
                self.step(id, StepKind::Idle, *by, self.prices.event(HandEvent::Idle), |_| {});
            }
            Happening::Press(_) => {}
            Happening::Line(action) if action.by() != Some(mover) => {
                self.act(id, event, &turn(End::Line, forgotten, events - 1));
            }
            Happening::Line(action) => self.explain_line(id, &position, action, mover),
            Happening::Rest => {
                let extra = if self.query.auto { 0 } else { forgotten };
                let looks = self.act(id, event, &turn(End::Rest, extra, events));
                // With presses, a rest in the middle of a turn says nothing.
                if fresh || !self.query.auto {
                    let paused =
                        looks.filter(|_| self.query.auto).map_or(0, |looks| self.prices.event(looks));
                    self.step(id, StepKind::Pause, mover, paused, |_| {});
                }
            }
        }
    }

    fn explain_line(&mut self, id: usize, position: &ReachedPosition, action: &Action, mover: Color) {
        let Some(after) = position.probe.after(action) else { return };
        let pieces = grid_of(&after.physical());
        let shown = self.query.history.shown(pieces);
        self.step(id, StepKind::Line(action.clone()), mover, 0, |node| {
            node.key = key_after(node.key, &pieces);
            (node.pieces, node.shown) = (pieces, shown);
            if let Some(step) = &mut node.step {
                step.pieces = pieces;
            }
        });
    }

    /// After the end, what happens has nothing to do with the game.
    fn explain_after_end(&mut self, id: usize, event: &TurnEvent) {
        if self.nodes[id].forgotten > 0 {
            return;
        }
        let after_end = self.prices.event(HandEvent::AfterEnd);
        let (kind, by, cost) = match &event.happening {
            Happening::Press(by) => (StepKind::Idle, *by, after_end),
            Happening::Line(action) => (StepKind::Line(action.clone()), Color::White, after_end),
            Happening::Rest => (StepKind::Pause, Color::White, 0),
        };
        self.step(id, kind, by, cost, |_| {});
    }

    /// Tries all actions as the end of a turn at this event. Returns what the event looks like if none was made.
    fn act(&mut self, id: usize, event: &TurnEvent, turn: &TurnEnd) -> Option<HandEvent> {
        let when = if turn.end == End::Rest { When::Rest } else { When::Press };
        let marks = (self.nodes[id].mark, event.mark);
        let evidence = TurnEvidence::new(self.query.history, self.query.now, marks, Some((when, event.grid)));
        let position = self.position(id);
        let shown = |possible: &Possible| possible.shown == event.grid;
        let early = turn.end == End::Press && !position.candidates.iter().any(shown);
        let stops = early.then(|| Stops::new(self.query.history, marks.0, marks.1));
        let unlisted = position.unlisted(&event.grid, self.query.history);
        for candidate in position.candidates.iter().chain(&unlisted) {
            let ends = || position.ends_with(&candidate.action);
            let free = turn.end == End::Rest && turn.cost > 0 && ends();
            let turn = TurnEnd { cost: if free { 0 } else { turn.cost }, ..*turn };
            self.try_candidate(id, &position, candidate, &evidence, &turn);
            if let Some(stops) = stops.as_ref().filter(|_| candidate.shown != event.grid) {
                self.try_early(id, &position, candidate, (stops, event), &turn);
            }
        }
        let shapes = position.candidates.iter().map(|candidate| (&candidate.shown, &candidate.shape));
        looks_like(shapes, evidence.touched, &event.grid)
    }

    /// Tries the action as one to which the reply began before the press.
    fn try_early(
        &mut self,
        id: usize,
        position: &ReachedPosition,
        candidate: &Possible,
        (stops, event): (&Stops, &TurnEvent),
        turn: &TurnEnd,
    ) {
        let early = stops.before_reply(&candidate.shown, event.mark, &event.grid);
        let Some((mark, seen)) = early.filter(|(mark, _)| mark.changes > self.nodes[id].mark.changes) else {
            return;
        };
        let ended = Some((When::Press, seen));
        let marks = (self.nodes[id].mark, mark);
        let evidence = TurnEvidence::new(self.query.history, self.query.now, marks, ended);
        let cost = turn.cost + self.prices.event(HandEvent::Early);
        self.try_candidate(id, position, candidate, &evidence, &TurnEnd { mark, cost, ..*turn });
    }

    /// Adds a node after a turn with this action, unless it costs too much.
    fn try_candidate(
        &mut self,
        id: usize,
        position: &ReachedPosition,
        candidate: &Possible,
        evidence: &TurnEvidence,
        turn: &TurnEnd,
    ) {
        let (node, acts) = (&self.nodes[id], candidate.shape.acts());
        let Some(by) = position.mover else { return };
        // When the board first showed something of this action.
        let shown = || {
            let changes = squares(acts).filter_map(|at| self.query.history.first_change(at, node.mark));
            changes.min().unwrap_or(self.query.now)
        };
        let due = |owed: &Owed| match acts >> owed.square & 1 {
            0 => owed.until(self.prices, self.query.now),
            _ => owed.replaced(self.prices, candidate.shown[owed.square], shown()),
        };
        let due: i32 = node.owed.iter().map(due).sum();
        let fixed = position.choice + turn.cost + due;
        let mut bill = Bill::new(self.prices, self.bound - node.cost - fixed);
        bill.charges = self.query.explain.then(Vec::new);
        let (before, after, shape) = (&node.shown, &candidate.shown, &candidate.shape);
        let deed = Deed { before, after, shape, previous: node.shape.as_ref() };
        if !deed.enter(evidence, &mut bill) {
            return;
        }
        let finished =
            turn.end == End::Rest && turn.events == self.query.events.len() && node.events == turn.events;
        let step = Step {
            kind: StepKind::Act { action: candidate.action.clone(), end: turn.end },
            by,
            mark: HistoryMark { at: turn.at, ..turn.mark },
            pieces: candidate.pieces,
            events: turn.events,
            cost: fixed + bill.cost,
            choice: position.choice,
            doubt: turn.cost + due + bill.doubt,
            charges: bill.charges.take().unwrap_or_default(),
        };
        let mark = turn.mark;
        self.child(id, step, |node| {
            node.key = key_after(node.key, &candidate.pieces);
            (node.pieces, node.shown, node.shape) =
                (candidate.pieces, candidate.shown, Some(candidate.shape));
            (node.mark, node.owed, node.finished) = (mark, bill.owed, finished);
            node.awaited = node.awaited & !acts | bill.awaited;
            node.mistaken = false;
            node.forgotten = if turn.end == End::Forgotten { node.forgotten + 1 } else { 0 };
        });
    }

    /// What it costs that nothing was done up to this event.
    fn unchanged(&mut self, id: usize, event: &TurnEvent) -> i32 {
        let position = self.position(id);
        let node = &self.nodes[id];
        let ended = Some((When::Press, event.grid));
        let evidence = TurnEvidence::new(self.query.history, self.query.now, (node.mark, event.mark), ended);
        self.price(node, (&node.shown, &position.idle), &evidence, INFINITE)
    }

    /// What a turn with this action costs; [`INFINITE`] if it is at least `limit`.
    fn price(
        &self,
        node: &Node,
        (after, shape): (&Grid, &Shape),
        evidence: &TurnEvidence,
        limit: i32,
    ) -> i32 {
        let deed = Deed { before: &node.shown, after, shape, previous: node.shape.as_ref() };
        let mut bill = Bill::new(self.prices, limit);
        if deed.enter(evidence, &mut bill) { bill.total(self.query.now) } else { INFINITE }
    }

    /// Tries actions whose press was forgotten before the next event.
    fn try_forgotten(&mut self, id: usize) {
        let history = self.query.history;
        let node = &self.nodes[id];
        let next = self.query.events.get(node.events);
        let limit = next.map_or_else(|| history.mark(self.query.now), |event| event.mark);
        let mut cost = self.prices.event(HandEvent::Forgotten);
        let at_rest = matches!(self.query.tail, Tail::Rest | Tail::Forced);
        let goes_on = next.is_none() && (node.forgotten > 0 || node.mistaken || !at_rest);
        if goes_on
            || node.forgotten >= MOST_FORGOTTEN
            || node.cost + cost >= self.bound
            || node.mark.changes >= limit.changes
        {
            return;
        }
        let (begin, events) = (node.mark, node.events);
        let position = self.position(id);
        match next.map(|event| &event.happening) {
            Some(Happening::Line(_)) => return,
            Some(Happening::Press(by)) if Some(*by) == position.mover => cost *= 2,
            _ => {}
        }
        let at = if next.is_none() { history.last_change() } else { limit.at };
        let stops = Stops::new(history, begin, limit);
        for candidate in &position.candidates {
            let Some((mark, seen)) = stops.best(&candidate.shown) else { continue };
            let evidence =
                TurnEvidence::new(history, self.query.now, (begin, mark), Some((When::Rest, seen)));
            let turn = TurnEnd { end: End::Forgotten, mark, at, cost, events };
            self.try_candidate(id, &position, candidate, &evidence, &turn);
        }
    }

    /// Ends the reading: all events are explained.
    fn finish(&mut self, id: usize) {
        let (history, tail) = (self.query.history, self.query.tail);
        let Node { mark, forgotten, events, shown, .. } = self.nodes[id];
        let stands = match tail {
            Tail::Open => false,
            Tail::Rest => !self.query.auto,
            Tail::Finish | Tail::Forced => true,
        };
        let mut paused = 0;
        if stands && shown != *history.grid() {
            let now = history.mark(history.last_change().max(mark.at));
            let any = forgotten > 0 || tail != Tail::Rest;
            let ended = Some((When::Rest, *history.grid()));
            let evidence = TurnEvidence::new(history, self.query.now, (mark, now), ended);
            let position = self.position(id);
            let turn = TurnEnd { end: End::Rest, mark: now, at: now.at, cost: 0, events };
            let unlisted = position.unlisted(history.grid(), history);
            let mut possible = Vec::new();
            for candidate in position.candidates.iter().chain(&unlisted) {
                let wrong = differences(&candidate.shown, history.grid()).count_ones();
                if wrong <= 1 && (any || position.ends_with(&candidate.action)) {
                    self.try_candidate(id, &position, candidate, &evidence, &turn);
                    possible.push((&candidate.shown, &candidate.shape));
                }
            }
            let looks = looks_like(possible.into_iter(), evidence.touched, history.grid());
            paused = looks.map_or(0, |looks| self.prices.event(looks));
        }
        if forgotten == 0 && tail != Tail::Forced {
            let cost = self.total(id, self.query.events.len())
                + self.nodes[id].owes(self.prices, self.query.now)
                + paused;
            self.finished.push((cost, id));
        }
    }

    /// What the turn in progress costs so far: the likelihood of all actions that may be in progress together.
    fn in_progress(&mut self, id: usize, end: HistoryMark) -> i32 {
        let node = &self.nodes[id];
        let evidence = TurnEvidence::new(self.query.history, self.query.now, (node.mark, end), None);
        if evidence.shows_only(&node.shown) {
            return 0;
        }
        let position = self.position(id);
        let node = &self.nodes[id];
        let nothing = self.price(node, (&node.shown, &position.idle), &evidence, INFINITE);
        if node.mistaken {
            // Nobody acts before the press by mistake is cancelled.
            return nothing;
        }
        let likely = |cost: i32| 10_f64.powf(f64::from(-cost) / 10.0);
        let (mut least, mut some) = (nothing, 0.0);
        for candidate in &position.candidates {
            // What costs 15 more than another adds less than a thirtieth.
            let cost = self.price(node, (&candidate.shown, &candidate.shape), &evidence, least + 15);
            least = least.min(cost);
            some += if cost < INFINITE { likely(cost) } else { 0.0 };
        }
        decibans(likely(nothing) + some * share(position.candidates.len())).max(0)
    }
}
