//! What do the readings say now? One is believed, or the tracker waits, or people are asked.

use tabiya_types::{Instant, Millis};

use super::super::by_hand::{
    ASK_AFTER, DOUBTS, LATE_LIMITS, MARGIN, MOST_FOR_DOUBT, NARROW_MARGIN, RUN_LIMITS, SETTLED, STUCK,
};
use super::super::reading::{Reading, Step, StepKind, Tail};
use super::super::search::{Findings, Query, ReadingSearch};
use super::Tracker;

/// What the readings say.
#[derive(Clone, Debug)]
pub(in super::super) enum Verdict {
    /// This reading is far ahead of every different one.
    Believe(Reading),
    /// Time may tell.
    Wait,
    /// Time tells nothing more: one of these readings is right.
    Ask(Vec<Reading>),
}

impl Tracker {
    /// The next time at which a cost of the table changes, or people must be asked.
    pub(in super::super) fn next_look(&self) -> Option<Instant> {
        let last_change = self.history.last_change;
        let after = |at: Instant| move |limit| at + Millis(limit + 1);
        let presses = || self.waiting_presses().map(|(_, at)| at);
        let late = presses().flat_map(|at| LATE_LIMITS.map(after(at)));
        let rest = presses().next_back().map(|last| last.max(last_change) + self.settle);
        let asks = |first| STUCK.map(|span| Some(first + span).max(rest));
        let stuck = presses().take(1).flat_map(asks).flatten();
        let reads = |at: &Instant| self.press_waits() || self.differs() && *at >= self.rests_at();
        let runs =
            RUN_LIMITS.map(after(last_change)).into_iter().chain([last_change + self.for_board(ASK_AFTER)]);
        let runs = runs.filter(reads);
        late.chain(stuck).chain(runs).chain(rest).filter(|at| *at > self.looks.last).min()
    }

    /// The value for boards that identify their pieces, or for boards that only feel them.
    fn for_board<T: Copy>(&self, values: [T; 2]) -> T {
        values[usize::from(self.history.felt)]
    }

    /// The readings that cost less than the best and this margin. They say what they pay for, if `explain` is set.
    pub(in super::super) fn read(
        &mut self,
        now: Instant,
        tail: Tail,
        margin: i32,
        explain: bool,
    ) -> Findings {
        let Self { history, root, events, said, auto, positions, .. } = self;
        let query = Query { history, root, events, said, now, auto: *auto, tail, margin, explain };
        ReadingSearch::new(&query, positions).run()
    }

    /// The best reading, and those that are not far enough away from it: by the margin and by what is in doubt between the
    /// two. `last` means that nothing more will come: then nothing is in doubt.
    fn near(&mut self, now: Instant, tail: Tail, last: bool) -> Findings {
        let margin = if last && !self.press_waits() { NARROW_MARGIN } else { self.for_board(MARGIN) };
        let found = self.read(now, tail, margin, false);
        let Some(best) = found.readings.first().filter(|_| !last) else { return found };
        let doubt = self.doubt(best, &[]);
        if doubt == 0 {
            return found;
        }
        let mut wider = self.read(now, tail, margin + doubt, false);
        wider.readings.retain(|other| other.cost < best.cost + margin + self.doubt(best, &other.steps));
        wider
    }

    /// Reads everything.
    pub(in super::super) fn verdict(&mut self, now: Instant, tail: Tail, last: bool) -> Verdict {
        let found = self.near(now, tail, last);
        let Some(best) = found.readings.first() else { return Verdict::Wait };
        // What is written is not taken back so easily.
        let replaces = !last && self.difference(best).replaces;
        let lead = NARROW_MARGIN + if replaces { self.doubt(best, &[]) } else { 0 };
        if let Some(sure) = self.settled(&found.readings, lead).filter(|_| !found.open) {
            return if sure.waits { Verdict::Wait } else { Verdict::Believe(sure.clone()) };
        }
        let rests = tail == Tail::Rest && now >= self.history.last_change + self.for_board(ASK_AFTER);
        let ready = |reading: &Reading| {
            let difference = self.difference(reading);
            !reading.waits && difference.adds && difference.is_plausible()
        };
        let asks = rests && found.readings.len() > 1 && found.readings.iter().all(ready);
        if asks { Verdict::Ask(found.readings) } else { Verdict::Wait }
    }

    /// On a board at rest: what may have been played, if people must be asked because a press has waited for so long.
    /// What the game proposes (`proposes`) is asked at once where no reading ends with the board.
    pub(in super::super) fn stuck(&mut self, now: Instant, proposes: bool) -> Option<Vec<Reading>> {
        let (_, first) =
            self.waiting_presses().next().filter(|(_, first)| proposes || *first + STUCK[0] <= now)?;
        let [fits, nothing_fits] = STUCK.map(|span| first + span <= now);
        let mut found = self.read(now, Tail::Rest, self.for_board(MARGIN), false).readings;
        found.retain(|reading| {
            let longer = reading.steps.len() > self.path.len();
            longer && !reading.mistaken && self.difference(reading).is_plausible()
        });
        let shown = found.iter().any(|reading| reading.stands_on(&self.history));
        let asks = proposes && !shown || nothing_fits || fits && !found.is_empty();
        if asks {
            self.looks.asked = Some(first);
        }
        asks.then_some(found)
    }

    /// For a board that only feels, without presses: the captures that may have been made, because a piece is gone for so
    /// long that nobody holds it any more. Empty if the board shows the end of none: then somebody still holds it.
    pub(in super::super) fn missing(&mut self, now: Instant) -> Vec<Reading> {
        self.looks.missed = now;
        let mut found = self.read(now, Tail::Forced, self.for_board(MARGIN), false).readings;
        found.retain(|reading| reading.stands_on(&self.history) && self.difference(reading).is_plausible());
        found
    }

    /// By how much a reading is in doubt beside another with these steps: what its new steps cost for a press that was
    /// forgotten or that came too late, and a third of what they cost for what the board does not show. All of it counts if
    /// the board showed it only when the player was on turn again, because it may belong to his next action; and where moves
    /// use up cards, because a wrong move costs more than a question there. What both say is not in doubt between them, if
    /// the other pays at least as much for it; but a board that only feels shows too little to tell what is alike.
    fn doubt(&self, reading: &Reading, others: &[Step]) -> i32 {
        let new = self.difference(reading).new;
        let share = |step: &Step| {
            // A press that seems to end nothing may have ended a turn.
            let ends = |kind: &StepKind| matches!(kind, StepKind::Act { .. } | StepKind::Idle);
            let last = new.iter().rfind(|other| ends(&other.kind) && other.mark.at <= step.shown);
            let full = self.costs_cards || last.is_some_and(|last| last.by != step.by);
            step.odds + if full { step.doubt } else { step.doubt / DOUBTS }
        };
        let alike = |other: &Step, step: &Step| {
            other.events == step.events && other.kind == step.kind && other.doubt >= step.doubt
        };
        let others = if self.history.felt { &[] } else { others };
        let differs = new.iter().filter(|step| !others.iter().any(|other| alike(other, step)));
        differs.map(share).sum::<i32>().min(MOST_FOR_DOUBT)
    }

    /// The reading that is sure: the only one, or the best if it leads, and all others differ from it only before the last
    /// boards, in something that the board shows. What it cannot show, such as the piece of a promotion on a board that only
    /// feels, only people can tell.
    fn settled<'r>(&self, readings: &'r [Reading], lead: i32) -> Option<&'r Reading> {
        let [best, others @ ..] = readings else { return None };
        let past = |other: &'r Reading| {
            let boards = other.boards_from_last().zip(best.boards_from_last());
            boards.take(SETTLED).filter(|(one, other)| one == other).count() == SETTLED
        };
        let leads =
            |other| past(other) && !other.is_shown_like(best, &self.history) && other.cost > best.cost + lead;
        others.iter().all(leads).then_some(best)
    }
}
