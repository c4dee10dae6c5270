//! The root and the written path: what is settled for good, and what may be read anew.

use tabiya_types::{Color, Instant};

use super::super::by_hand::KEPT_ACTIONS;
use super::super::history::{BoardHistory, HistoryMark};
use super::super::reading::{End, Happening, Step, StepKind, TurnEvent};
use super::since::Since;
use super::{Settled, Tracker};
use crate::rules::Action;
use crate::table::Table;

impl Tracker {
    /// The event that ended the turn of a written step and that carries what was said in it.
    pub(super) fn event_of(&self, step: &Step) -> Option<usize> {
        let ended = matches!(step.kind, StepKind::Act { end: End::Press | End::Rest, .. }) && !self.auto;
        step.events.checked_sub(1).filter(|nth| ended && *nth < self.since.queue.events().len())
    }

    /// An action that stands on the board at rest ended with that rest, which becomes an event, too.
    pub(in super::super) fn add_rest(&mut self, step: &mut Step) {
        let last = self.since.queue.events().last().filter(|last| last.happening == Happening::Rest);
        // A step that is corrected has its rest among the events already.
        let rested = step.corrected || last.is_some_and(|last| last.mark.changes == step.mark.changes);
        if matches!(step.kind, StepKind::Act { end: End::Rest, .. }) && !self.auto && !rested {
            self.push(Happening::Rest, step.mark.at, false);
            step.events = self.since.queue.events().len();
        }
    }

    /// The event of a written step carries what was said in its turn.
    pub(in super::super) fn carry_said(&mut self, step: &Step) {
        let nth = self.event_of(step).filter(|_| !step.said.is_empty());
        if let Some(event) = nth.and_then(|nth| self.since.queue.event_mut(nth)) {
            event.said.clone_from(&step.said);
        }
    }

    /// What a player says after a move that stands on the board belongs to this move. Returns `false` if no such move is
    /// the last step.
    pub(in super::super) fn add_said(&mut self, said: &Action) -> bool {
        let own = |Settled { step, .. }: &&Settled| Some(step.by) == said.by();
        let nth = self.since.path.last().filter(own).and_then(|last| self.event_of(&last.step));
        let Some(event) = nth.and_then(|nth| self.since.queue.event_mut(nth)) else { return false };
        event.said.push(said.clone());
        self.since.path.last_mut().into_iter().for_each(|last| last.step.said.push(said.clone()));
        true
    }

    /// A written press has ended the turn of a move that stood on the board. The move may still be corrected. Returns
    /// `false` if no such move is the last step.
    pub(in super::super) fn end_turn(&mut self, by: Color, at: Instant) -> bool {
        let mark = self.history.mark(at);
        let last = self.since.path.last_mut().filter(|last| last.step.events > 0);
        let Some(Settled { step, .. }) = last else { return false };
        let StepKind::Act { end: end @ End::Rest, .. } = &mut step.kind else { return false };
        (*end, step.mark) = (End::Press, mark);
        let step = step.clone();
        self.since.queue.drop_from(step.events - 1);
        self.push(Happening::Press(by), at, true);
        self.carry_said(&step);
        self.looks.rested = Some(self.history.last_change);
        true
    }

    /// Adds a typed line that is already written to the path, before the events that wait.
    pub(in super::super) fn add_line(&mut self, action: &Action, at: Instant, count: usize) {
        let nth = self.since.consumed().min(self.since.queue.events().len());
        let (mark, grid) = match self.since.queue.events().get(nth) {
            Some(next) => (HistoryMark { at, ..next.mark }, next.grid),
            None => (self.history.mark(at), self.history.grid),
        };
        let by = action.by().unwrap_or(Color::White);
        let step = Step::free(StepKind::Line(action.clone()), by, mark, self.pieces, nth + 1);
        let happening = Happening::Line(action.clone());
        self.since.queue.insert(nth, TurnEvent { happening, mark, grid, written: true, said: Vec::new() });
        self.since.path.push(Settled { step, count });
    }

    // ---- the root ----

    /// Makes the path's older steps part of the root, so that they are not read anew.
    pub(in super::super) fn advance(&mut self, table: &Table) {
        let acts = |path: &[Settled]| {
            path.iter().filter(|settled| matches!(settled.step.kind, StepKind::Act { .. })).count()
        };
        while acts(&self.since.path) > KEPT_ACTIONS {
            self.since.settle(1, table);
        }
    }

    /// Reads nothing anew that was done before a line that is no action. The line may have changed what is possible.
    pub(in super::super) fn settle_path(&mut self, table: &Table) {
        self.since = self.since.after_path(table);
    }

    /// Forgets what was shown, understood and asked: the readings begin at the table as it is. These events still wait. What the
    /// board showed counts from `mark` on, or from the first of these events, or from now on.
    pub(in super::super) fn begin(
        &mut self,
        table: &Table,
        now: Instant,
        waiting: Vec<TurnEvent>,
        mark: Option<HistoryMark>,
    ) {
        let mark = mark.or_else(|| waiting.first().map(|first| first.mark));
        let queue = std::mem::take(&mut self.since.queue).anew(waiting);
        self.since = Since::begin(table, mark.unwrap_or_else(|| self.history.mark(now)), queue);
        // The board still shows the position before this. That must not be taken for a new action.
        self.looks.rested = Some(self.history.last_change);
    }

    /// The readings begin with the first board that is known, or with the first of another kind of board. What was shown
    /// before that is forgotten, so the events that wait count as if the board had shown this all the time.
    pub(super) fn begin_with_board(&mut self, table: &Table, now: Instant) {
        let BoardHistory { grid, .. } = self.history;
        let now = self.history.mark(now);
        let mut waiting = self.since.waiting().to_vec();
        for event in &mut waiting {
            (event.mark.changes, event.grid) = (now.changes, grid);
        }
        let mark = waiting.first().map_or(now, |first| first.mark);
        let queue = std::mem::take(&mut self.since.queue).anew(waiting);
        self.since = Since::begin(table, mark, queue);
    }

    /// If nothing has happened since the root and the board shows what it should, the readings begin with what it shows from
    /// now on: what it showed before belongs to no turn.
    pub(in super::super) fn catch_up(&mut self, now: Instant) {
        if self.since.queue.events().is_empty() && !self.differs() {
            self.since.root.mark = self.history.mark(now);
        }
    }

    /// Turns the board by 180 degrees, together with what it has shown.
    pub(in super::super) fn turn_board(&mut self) {
        self.history.turn();
        self.since.queue.events_mut().for_each(|event| event.grid.reverse());
    }
}
