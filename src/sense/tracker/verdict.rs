//! What do the readings say now? One is believed, or the tracker waits, or people are asked.

use tabiya_types::{Instant, Millis};

use super::super::by_hand::{LATE_LIMITS, MOST_FOR_DOUBT, MOST_READINGS, NARROW_MARGIN, RUN_LIMITS, STUCK};
use super::super::reading::{Occasion, Reading};
use super::super::search::{Findings, Query, ReadingSearch};
use super::Tracker;
use super::since::Since;
use crate::rules::Action;

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
        let runs = RUN_LIMITS
            .map(after(last_change))
            .into_iter()
            .chain([last_change + self.history.kind.ask_after()]);
        let runs = runs.filter(reads);
        late.chain(stuck).chain(runs).chain(rest).filter(|at| *at > self.looks.last).min()
    }

    /// The readings that cost less than the best and this margin. They say what they pay for, if `explain` is set.
    pub(in super::super) fn read(
        &mut self,
        now: Instant,
        occasion: Occasion,
        margin: i32,
        explain: bool,
    ) -> Findings {
        let Self { history, since: Since { root, queue, positions, .. }, auto, .. } = self;
        let (events, said): (_, Vec<Action>) =
            (queue.events(), queue.said().map(|(said, _)| said.clone()).collect());
        let said = &said;
        let query = Query { history, root, events, said, now, auto: *auto, occasion, margin, explain };
        ReadingSearch::new(&query, positions).run()
    }

    /// Reads everything.
    pub(in super::super) fn verdict(&mut self, now: Instant, occasion: Occasion) -> Verdict {
        let narrow = occasion == Occasion::LastAction;
        let margin = if narrow { NARROW_MARGIN } else { self.history.kind.margin() };
        let mut found = self.read(now, occasion, margin, false);
        let Some(best) = found.readings.first() else { return Verdict::Wait };
        let difference = self.difference(best);
        // The less the board shows of a reading, the further away every other reading must be.
        let doubt =
            if occasion.is_last() { 0 } else { difference.doubt(None, self.costs_cards).min(MOST_FOR_DOUBT) };
        // What is written is not taken back so easily.
        let lead = NARROW_MARGIN + if difference.replaces { doubt } else { 0 };
        if doubt > 0 {
            found = self.read(now, occasion, margin + doubt, false);
        }
        if let Some(sure) = self.settled(&found.readings, (margin, lead)).filter(|_| !found.open) {
            return if sure.waits { Verdict::Wait } else { Verdict::Believe(sure.clone()) };
        }
        let ready = |reading: &Reading| {
            let difference = self.difference(reading);
            !reading.waits && difference.adds && difference.is_plausible()
        };
        let rests =
            occasion == Occasion::Rest && now >= self.history.last_change + self.history.kind.ask_after();
        if !rests && (found.open || occasion.is_last() || !keep_untold(&mut found.readings, margin)) {
            return Verdict::Wait;
        }
        if found.readings.len() < 2 || !found.readings.iter().all(ready) {
            return Verdict::Wait;
        }
        found.readings.retain(|reading| !self.is_contradicted(reading));
        if found.readings.is_empty() { Verdict::Wait } else { Verdict::Ask(found.readings) }
    }

    /// On a board at rest: what may have been played, if people must be asked because a press has waited for so long.
    /// What the game proposes (`proposes`) is asked at once where no reading ends with the board.
    pub(in super::super) fn stuck(&mut self, now: Instant, proposes: bool) -> Option<Vec<Reading>> {
        let (_, first) =
            self.waiting_presses().next().filter(|(_, first)| proposes || *first + STUCK[0] <= now)?;
        let [fits, nothing_fits] = STUCK.map(|span| first + span <= now);
        let mut found = self.read(now, Occasion::Rest, self.history.kind.margin(), false).readings;
        found.retain(|reading| {
            let longer = reading.steps.len() > self.since.path.len();
            // What the board shows exactly is never too strange to be asked about.
            let likely = self.difference(reading).is_plausible() || reading.stands_on(&self.history);
            longer && !reading.mistaken && likely && !self.is_contradicted(reading)
        });
        let shown = found.iter().any(|reading| reading.stands_on(&self.history));
        // A board that knows its pieces says itself what is wrong with it: there is nothing to ask.
        let helps = !found.is_empty() || !self.history.kind.names_pieces();
        let asks = proposes && !shown || nothing_fits && helps || fits && !found.is_empty();
        if asks {
            self.note_asked();
        }
        asks.then_some(found)
    }

    /// Whether a press has waited for so long that the readings explain nothing more. People are asked about it only once.
    pub(in super::super) fn gives_up(&mut self, now: Instant) -> bool {
        let first = self.waiting_presses().next();
        let gives_up = first.is_some_and(|(_, first)| first + STUCK[1] <= now);
        if gives_up {
            self.note_asked();
        }
        gives_up
    }

    /// Whether the board at rest contradicts what this reading ends with.
    fn is_contradicted(&self, reading: &Reading) -> bool {
        let pressed = self.since.queue.events().iter().rfind(|event| event.press().is_some());
        pressed.is_some_and(|press| reading.is_contradicted(&self.pieces, &press.grid, &self.history))
    }

    /// For a board that only feels, without presses: the captures that may have been made, because a piece is gone for so
    /// long that nobody holds it any more. Empty if the board shows the end of none: then somebody still holds it.
    pub(in super::super) fn missing(&mut self, now: Instant) -> Vec<Reading> {
        self.looks.missed = now;
        let mut found = self.read(now, Occasion::PieceMissing, self.history.kind.margin(), false).readings;
        found.retain(|reading| reading.stands_on(&self.history) && self.difference(reading).is_plausible());
        found
    }

    /// The reading that is sure: the only one, or the best if each other is far enough behind. What is in doubt between the two
    /// decides how far that is; the narrow `lead` is enough if they differ only before the last boards, in something that the
    /// board shows. What it cannot show, such as the piece of a promotion on a board that only feels, only people can tell.
    fn settled<'r>(&self, readings: &'r [Reading], (margin, lead): (i32, i32)) -> Option<&'r Reading> {
        let [best, others @ ..] = readings else { return None };
        let difference = self.difference(best);
        let leads = |other: &Reading| {
            other.is_past_like(best)
                && !other.is_shown_like(best, &self.history)
                && other.cost > best.cost + lead
        };
        // Readings beyond the number that is returned are not known.
        let may_be_far = !difference.replaces && readings.len() < MOST_READINGS;
        let is_far = |other: &Reading| {
            let doubt = difference.doubt(Some(other), self.costs_cards).min(MOST_FOR_DOUBT);
            may_be_far && other.cost >= best.cost + margin + doubt
        };
        others.iter().all(|other| leads(other) || is_far(other)).then_some(best)
    }
}

/// Keeps the readings between which nothing that follows will decide: they differ only in what is past and replaced, such as a
/// promoted piece that was captured before it was shown. Every other reading is dearer by the `margin`. Returns `false` if the
/// readings that come within the margin differ in something else.
fn keep_untold(readings: &mut Vec<Reading>, margin: i32) -> bool {
    // The readings come in the order of their costs.
    let Some(best) = readings.first() else { return false };
    let near = readings.partition_point(|reading| reading.cost < best.cost + margin);
    let untold = readings.iter().take(near).all(|reading| reading.is_past_like(best));
    readings.truncate(near);
    untold
}
