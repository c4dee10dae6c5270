//! The steps that a reading may take next: what a press, a line or a rest may mean.

use std::cmp::Reverse;

use tabiya_types::{Color, Instant};

use super::super::by_hand::{FORGOTTEN_BEFORE_OWN_PRESS, MOST_FORGOTTEN, PUT_BACK, STANDS_NEARLY, UNCOUNTED};
use super::super::history::{Grid, HistoryMark, differences, grid_of};
use super::super::position::{Possible, ReachedPosition, looks_like};
use super::super::reading::{End, Happening, Occasion, Step, StepKind, TurnEvent};
use super::super::shape::Shape;
use super::super::stops::{PossibleStop, Stops};
use super::super::table::{HandEvent, When};
use super::super::turn::{Bill, Deed, Owed, TurnEvidence};
use super::{Node, ReadingSearch};
use crate::rules::Action;

/// The end of a turn.
#[derive(Clone, Copy)]
struct TurnEnd {
    end: End,
    mark: HistoryMark,
    /// What the board showed there.
    seen: Grid,
    /// The time that the record gets for the action.
    at: Instant,
    /// What the end itself costs.
    cost: i32,
    /// The index of the first event that is still to be explained after it.
    events: usize,
    /// Whether the action stands in the place of the last one, whose turn had ended.
    corrects: bool,
}

impl TurnEnd {
    /// An end that costs nothing.
    fn new(end: End, (mark, seen): PossibleStop, events: usize) -> Self {
        Self { end, mark, seen, at: mark.at, cost: 0, events, corrects: false }
    }
}

impl<'a> ReadingSearch<'a> {
    /// Adds every reading that goes on from this node: with the next event, with the end of the reading, and with an
    /// action whose press was forgotten before that.
    pub(super) fn expand(&mut self, id: usize, next: Option<&TurnEvent>) {
        match next {
            Some(event) => self.explain(id, event),
            None => self.finish(id),
        }
        self.try_unpressed(id, next);
    }

    /// Adds a node after a step of `id` that is no action.
    fn step(&mut self, id: usize, kind: StepKind, by: Color, cost: i32, change: impl FnOnce(&mut Node)) {
        let Step { events, pieces, .. } = self.nodes[id].step;
        let Some(mark) = self.query.events.get(events).map(|event| event.mark) else { return };
        // That a press ends nothing says nothing about the board. And a board that shows again what it should hides nothing.
        let stands = self.query.events[events].grid == self.nodes[id].shown;
        let doubt = if stands || matches!(kind, StepKind::Idle | StepKind::Again) { 0 } else { cost };
        let step = Step { cost, doubt, ..Step::free(kind, by, mark, pieces, events + 1) };
        self.child(id, step, change);
    }

    /// Adds a node after this step.
    fn child(&mut self, id: usize, step: Step, change: impl FnOnce(&mut Node)) {
        let rest = matches!(step.kind, StepKind::Act { end: End::Rest, .. });
        let parent = if step.corrected { self.nodes[id].parent } else { id };
        let Node { key, step: Step { events, .. }, .. } = self.nodes[parent];
        let cost = self.nodes[parent].cost + step.cost;
        let ends = rest && step.events == events;
        let mut node = Node { key, parent, cost, ahead: None, step, ..self.nodes[id].clone() };
        change(&mut node);
        let id = self.nodes.len();
        if ends {
            self.finished.push((cost + self.owes(&node), id));
        } else {
            self.levels[node.step.events].push(Reverse((cost, id)));
        }
        self.nodes.push(node);
    }

    /// Adds every explanation of the next event. After the end of the game, nobody is on turn: what happens then has nothing
    /// to do with the game.
    fn explain(&mut self, id: usize, event: &TurnEvent) {
        let position = self.position(id);
        let (mover, mark) = (position.mover, event.mark);
        let Node { mistaken, forgotten, step: Step { events, .. }, .. } = self.nodes[id];
        let fresh = forgotten == 0;
        let turn = |end, events| TurnEnd::new(end, (mark, event.grid), events);
        // What was put back after a press by mistake may have been put back after the press that cancels it, too.
        let until_here = |yes| {
            move |node: &mut Node| {
                let until = if node.mark.changes > mark.changes { node.mark } else { mark };
                (node.mistaken, node.mark, node.step.mark) = (yes, until, until);
            }
        };
        let forgot = self.prices.event(HandEvent::Forgotten);
        match &event.happening {
            Happening::Press(by) if Some(*by) == mover => {
                self.act(id, turn(End::Press, events + 1), |_| Some(0));
                if fresh {
                    let cost = self.unchanged(id, event) + self.prices.event(HandEvent::Mistaken);
                    self.step(id, StepKind::Mistake, *by, cost, until_here(true));
                    self.try_put_back(id, &position, event);
                    self.try_again(id, &position, event);
                }
            }
            Happening::Press(by) if mistaken => {
                let cost = self.unchanged(id, event);
                self.step(id, StepKind::Back, *by, cost, until_here(false));
            }
            Happening::Press(by) if fresh => self.step(id, StepKind::Idle, *by, UNCOUNTED, |_| {}),
            Happening::Press(_) => {}
            Happening::Line(action) if fresh && mover.is_none() => {
                self.step(id, StepKind::Line(action.clone()), Color::White, UNCOUNTED, |_| {});
            }
            Happening::Line(action) if action.by() != mover => {
                self.act(id, turn(End::Line, events), |_| Some(forgot));
            }
            Happening::Line(action) => self.explain_line(id, &position, action),
            Happening::Rest => {
                let auto = self.query.auto;
                let pressed = |candidate: &Possible| auto || position.ends_with(candidate);
                let cost = |candidate: &Possible| Some(if pressed(candidate) { 0 } else { forgot });
                let looks = self.act(id, turn(End::Rest, events + 1), cost);
                // With presses, a rest in the middle of a turn says nothing.
                if fresh || !auto && mover.is_some() {
                    let paused = looks.filter(|_| auto).map_or(0, |looks| self.prices.event(looks));
                    self.step(id, StepKind::Pause, mover.unwrap_or(Color::White), paused, |_| {});
                }
            }
        }
    }

    /// Tries that this press ended an action that no rule allows, and that its pieces were put back later: from there on the
    /// board is looked at again. A press while pieces are only on their way is none of this kind, because the board never
    /// shows again what it showed before.
    fn try_put_back(&mut self, id: usize, position: &ReachedPosition, press: &TurnEvent) {
        let (history, shown) = (self.query.history, self.nodes[id].shown);
        if press.grid == shown || position.allows(&press.grid, history) {
            return;
        }
        let Some((by, _)) = press.press() else { return };
        // He puts them back before he presses anew. Later, moves there and back may lead to the same board. To press again at
        // once, with the same board, is no new press.
        let later = self.query.events.get(self.nodes[id].step.events + 1..).unwrap_or_default();
        let repeats =
            |event: &&TurnEvent| event.press().is_none_or(|(side, _)| side == by && event.grid == press.grid);
        let mut anew = later.iter().skip_while(repeats);
        let again = anew.find(|event| event.press().is_some_and(|(side, _)| side == by));
        let in_time =
            |restored: &HistoryMark| again.is_none_or(|again| restored.changes <= again.mark.changes);
        let Some(restored) = history.restored(&shown, press.mark).filter(in_time) else { return };
        // What moved besides is no part of it.
        let mut besides = TurnEvidence::new(history, self.query.now, (self.nodes[id].mark, restored), None);
        besides.runs.retain(|run| press.grid[run.square] == shown[run.square]);
        let cost = PUT_BACK + self.price(&self.nodes[id], (&shown, &position.idle), &besides);
        self.step(id, StepKind::Mistake, by, cost, |node| {
            (node.mistaken, node.mark, node.step.mark) = (true, restored, restored);
            // The board has shown that the pieces went and came back: that is no guess.
            node.step.doubt = 0;
        });
    }

    /// Tries that this press ended nothing, because its player pressed again before the other one did: the later press takes
    /// its place. However often he presses, it is one mistake.
    fn try_again(&mut self, id: usize, position: &ReachedPosition, press: &TurnEvent) {
        let step = &self.nodes[id].step;
        let cost = match step.kind {
            StepKind::Again => 0,
            _ => self.prices.event(HandEvent::Mistaken),
        };
        let later = self.query.events.get(step.events + 1..).unwrap_or_default();
        let next = later.iter().find_map(TurnEvent::press);
        let Some((by, _)) = press.press().filter(|(by, _)| next.is_some_and(|(next, _)| next == *by)) else {
            return;
        };
        if !position.allows(&press.grid, self.query.history) {
            self.step(id, StepKind::Again, by, cost, |_| {});
        }
    }

    fn explain_line(&mut self, id: usize, position: &ReachedPosition, action: &Action) {
        let (Some(after), Some(by)) = (position.probe.after_line(action), position.mover) else { return };
        let pieces = grid_of(&after.physical());
        let shown = self.query.history.shown(pieces);
        self.step(id, StepKind::Line(action.clone()), by, 0, |node| {
            (node.shown, node.step.pieces) = (shown, pieces);
            node.key = node.step.key_after(position.key);
        });
    }

    /// Ends the reading: all events are explained. An action that stands on the board may count.
    fn finish(&mut self, id: usize) {
        let (history, occasion) = (self.query.history, self.query.occasion);
        let Node { mark, forgotten, shown, step: Step { events, .. }, .. } = self.nodes[id];
        let (seen, mut looks) = (history.grid, None);
        if occasion.counts_standing(self.query.auto) && shown != seen {
            let position = self.position(id);
            let mark = history.mark(history.last_change.max(mark.at));
            let any = forgotten > 0 || occasion.counts_any();
            let turn = TurnEnd::new(End::Rest, (mark, seen), events);
            looks = self.act(id, turn, |candidate| {
                let right = differences(&candidate.shown, &seen).count_ones() <= STANDS_NEARLY;
                (right && (any || position.ends_with(candidate))).then_some(0)
            });
        }
        if forgotten == 0 && occasion != Occasion::PieceMissing {
            let ahead = self.total(id, self.query.events.len()) + self.owes(&self.nodes[id]);
            self.finished.push((ahead + looks.map_or(0, |looks| self.prices.event(looks)), id));
        }
    }

    /// Tries what was done before the next event and ended with no press of its own: the last action was corrected, or another
    /// action's press was forgotten.
    fn try_unpressed(&mut self, id: usize, next: Option<&TurnEvent>) {
        let history = self.query.history;
        let Node { mark: begin, shown, forgotten, mistaken, step: Step { events, .. }, .. } = self.nodes[id];
        let limit = next.map_or_else(|| history.mark(self.query.now), |event| event.mark);
        if begin.changes >= limit.changes || next.is_none() && !self.query.occasion.counts_forgotten() {
            return;
        }
        let stops = Stops::new(history, &shown, (begin, limit));
        self.try_corrected(id, &stops);
        if next.is_none() && (forgotten > 0 || mistaken) || forgotten >= MOST_FORGOTTEN {
            return;
        }
        let mut price = self.prices.event(HandEvent::Forgotten);
        let position = self.position(id);
        match next.map(|event| &event.happening) {
            Some(Happening::Line(_)) => return,
            Some(Happening::Press(by)) if Some(*by) == position.mover => price *= FORGOTTEN_BEFORE_OWN_PRESS,
            _ => {}
        }
        let at = if next.is_none() { history.last_change } else { limit.at };
        for candidate in &position.candidates {
            for stop in stops.most_like(&candidate.shown, None) {
                let turn = TurnEnd { at, cost: price, ..TurnEnd::new(End::Forgotten, stop, events) };
                self.try_candidate(id, &position, candidate, &self.evidence(begin, &turn), &turn);
            }
        }
    }

    /// Tries other actions in place of the last one, if the board showed them after its press.
    fn try_corrected(&mut self, id: usize, stops: &Stops) {
        let Node { parent, shown, mark: begin, ref step, .. } = self.nodes[id];
        let Step { pieces, by, events, mark: HistoryMark { at, .. }, .. } = *step;
        if !matches!(step.kind, StepKind::Act { end: End::Press | End::Rest, .. }) {
            return;
        }
        let (idle, before) = (Shape::idle(&pieces, by), self.position(parent));
        let cost = self.prices.event(HandEvent::Corrected);
        for candidate in before.candidates.iter().filter(|candidate| candidate.shown != shown) {
            let stop = stops.most_like(&candidate.shown, None).pop();
            let Some(stop) = stop.filter(|(_, seen)| *seen == candidate.shown) else { continue };
            let candidate = Possible { shape: idle.to(&pieces, &candidate.pieces), ..candidate.clone() };
            let turn = TurnEnd { at, cost, corrects: true, ..TurnEnd::new(End::Press, stop, events) };
            self.try_candidate(id, &before, &candidate, &self.evidence(begin, &turn), &turn);
        }
    }

    /// Tries the actions for which `cost` gives what the end of the turn costs. Returns what this end looks like if
    /// none was made.
    fn act(
        &mut self,
        id: usize,
        turn: TurnEnd,
        cost: impl Fn(&Possible) -> Option<i32>,
    ) -> Option<HandEvent> {
        let Node { mark: begin, shown, .. } = self.nodes[id];
        let (history, position) = (self.query.history, self.position(id));
        let evidence = self.evidence(begin, &turn);
        let shows = |candidate: &Possible| candidate.shown == turn.seen;
        let listed = position.candidates.iter().any(shows);
        let early = turn.end == End::Press && !listed;
        let stops = early.then(|| Stops::new(history, &shown, (begin, turn.mark)));
        let unlisted = if listed { None } else { position.unlisted(&turn.seen, history) };
        let mut tried = Vec::new();
        for candidate in unlisted.iter().chain(&position.candidates) {
            let Some(cost) = cost(candidate) else { continue };
            let turn = TurnEnd { cost, ..turn };
            self.try_candidate(id, &position, candidate, &evidence, &turn);
            tried.push((&candidate.shown, &candidate.shape));
            // The reply may have begun before the press.
            let early = stops.as_ref().filter(|_| !shows(candidate));
            let early = early.and_then(|stops| stops.before_reply(&candidate.shown, &turn.seen));
            if let Some((mark, seen)) = early.filter(|(mark, _)| mark.changes > begin.changes) {
                let turn = TurnEnd { mark, seen, cost: cost + self.prices.event(HandEvent::Early), ..turn };
                self.try_candidate(id, &position, candidate, &self.evidence(begin, &turn), &turn);
            }
        }
        looks_like(tried.into_iter(), evidence.touched, &turn.seen)
    }

    fn evidence(&self, begin: HistoryMark, turn: &TurnEnd) -> TurnEvidence<'a> {
        let when = if matches!(turn.end, End::Press | End::Line) { When::Press } else { When::Rest };
        let ended = Some((when, turn.seen));
        TurnEvidence::new(self.query.history, self.query.now, (begin, turn.mark), ended)
    }

    /// Adds a node after a turn with this action.
    fn try_candidate(
        &mut self,
        id: usize,
        position: &ReachedPosition,
        candidate: &Possible,
        evidence: &TurnEvidence,
        turn: &TurnEnd,
    ) {
        let (node, acts, now) = (&self.nodes[id], candidate.shape.acts(), self.query.now);
        let Some(by) = position.mover else { return };
        // When the board first showed something of this action.
        let shown = || self.query.history.first_change(acts, node.mark).unwrap_or(now);
        let due = |owed: &Owed| match acts >> owed.square & 1 {
            0 => owed.until(self.prices, now),
            // What the action replaces could only be shown until then.
            _ => owed.until(self.prices, shown()).min(0),
        };
        let due: i32 = node.owed.iter().map(due).sum();
        let fixed = position.choice + turn.cost + due;
        let mut bill = Bill::new(self.prices);
        bill.charges = self.query.explain.then(Vec::new);
        let (before, after, shape) = (&node.shown, &candidate.shown, &candidate.shape);
        let deed = Deed { before, after, shape, previous: node.shape.as_ref() };
        deed.enter(evidence, &mut bill);
        // A typed line is as good as the press. A board that only feels tells too little to wait for more.
        let sure = turn.end == End::Line || !self.query.history.kind.may_tell_more();
        let (odds, doubt) = if sure { (0, turn.cost) } else { (turn.cost, 0) };
        let kind = StepKind::Act { action: candidate.action.clone(), end: turn.end };
        let mark = HistoryMark { at: turn.at, ..turn.mark };
        let mut step = Step {
            said: self.said_in(id, turn),
            cost: fixed + bill.cost,
            odds,
            doubt: doubt + due + bill.doubt,
            shown: bill.shown,
            charges: bill.charges.take().unwrap_or_default(),
            ..Step::free(kind, by, mark, candidate.pieces, turn.events)
        };
        if turn.corrects {
            step.correct(&node.step);
        }
        self.child(id, step, |node| {
            node.key = node.step.key_after(position.key);
            (node.shown, node.shape) = (candidate.shown, Some(candidate.shape));
            (node.mark, node.owed) = (turn.mark, bill.owed);
            let awaited = node.awaited & !acts;
            node.awaited = node.owed.iter().fold(awaited, |awaited, owed| awaited | 1 << owed.square);
            node.mistaken = false;
            node.forgotten = if turn.end == End::Forgotten { node.forgotten + 1 } else { 0 };
        });
    }

    /// What was said in the turn that ends so, if an event ends it.
    fn said_in(&self, id: usize, turn: &TurnEnd) -> Vec<Action> {
        let explained = self.nodes[id].step.events..turn.events;
        let events = self.query.events.get(explained).unwrap_or_default();
        events.iter().flat_map(|event| event.said.clone()).collect()
    }

    /// What it costs that nothing was done in the turn that this press ends.
    fn unchanged(&mut self, id: usize, press: &TurnEvent) -> i32 {
        let (position, node) = (self.position(id), &self.nodes[id]);
        let turn = TurnEnd::new(End::Press, (press.mark, press.grid), node.step.events + 1);
        self.price(node, (&node.shown, &position.idle), &self.evidence(node.mark, &turn))
    }
}
