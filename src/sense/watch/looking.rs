//! What do the readings say now? They are believed, or the tracker waits, or people are asked.

use tabiya_types::{Instant, Millis, Sentence, Square};

use super::super::explain::{EXPLAINED, Explanation, in_words};
use super::super::history::{Grid, differences, squares};
use super::super::reading::{Happening, Reading, Step, StepKind, Tail};
use super::super::search::{FoundReadings, Query, readings};
use super::super::table::{LATE_LIMITS, RUN_LIMITS};
use super::Watch;
use crate::rules::Action;
use crate::table::Question;

/// A reading is believed if every different one costs at least so much more.
const MARGIN: i32 = 10;
/// The same where readings differ only in what was done long ago, and where nothing more will come.
const NARROW_MARGIN: i32 = MARGIN / 3;
/// The margin grows by the doubt about a reading, by so much at most.
const MOST_FOR_DOUBT: i32 = 30;
/// When time tells nothing more, what the board at rest shows as a correction of the last action is believed although
/// other readings cost up to so much less.
const CORRECTION: i32 = 90;
/// For so many boards, readings that agree on them and differ before them need only the narrow margin.
const SETTLED: usize = 3;
/// How much dearer than the best a reading may be that is explained beside it.
const RIVALS: i32 = 45;
/// How long the board rests before people are asked which of several readings is right. A board that only feels its
/// pieces often tells more a little later.
const ASK_AFTER: Millis = Millis(540);
const ASK_AFTER_FELT: Millis = Millis(800);
/// After the last bucket of the table, time tells nothing more: people are asked about a press that waits. If nothing
/// fits, a piece is probably in the air, and they are asked after twice this time.
const STUCK: [Millis; 2] = [Millis(7_000), Millis(14_000)];
/// A game that has ended is read anew within so many settling times. Later changes are the players' analysis.
const REOPEN: u64 = 8;

impl Watch {
    // ---- when to look ----

    /// The next time at which a cost of the table changes, or people must be asked.
    pub(super) fn looks_at(&self) -> Option<Instant> {
        let last_change = self.history.last_change();
        let after = |at: Instant| move |limit| at + Millis(limit + 1);
        let presses = || self.waiting_presses().map(|(_, at)| at);
        let late = presses().flat_map(|at| LATE_LIMITS.map(after(at)));
        let rest = presses().next_back().map(|last| last.max(last_change) + self.settle());
        let asks = |first| STUCK.map(|span| Some(first + span).max(rest));
        let stuck = presses().take(1).flat_map(asks).flatten();
        let reads = |at: &Instant| self.press_waits() || self.differs() && *at >= self.rests_at();
        let runs = RUN_LIMITS.map(after(last_change)).into_iter().filter(reads);
        let tied = self.looks.tied.then(|| last_change + self.ask_after());
        late.chain(stuck).chain(runs).chain(rest).chain(tied).filter(|at| *at > self.looks.last).min()
    }

    fn ask_after(&self) -> Millis {
        if self.history.felt() { ASK_AFTER_FELT } else { ASK_AFTER }
    }

    /// Looks again, because time alone may have told something.
    pub(super) fn look_again(&mut self) {
        self.looks.last = self.now;
        self.look(if self.rests_at() <= self.now { Tail::Rest } else { Tail::Open }, false);
        self.ask_if_stuck();
    }

    /// Examines a board that has just come to rest.
    pub(super) fn examine_rest(&mut self) {
        self.looks.rested = Some(self.history.last_change());
        self.looks.last = self.looks.last.max(self.now);
        let timed = self.table().mover().is_some();
        let seen = self.seen().filter(|_| !self.history.felt() && timed);
        if let Some(result) = seen.and_then(|seen| Question::of_kings(&seen)) {
            self.question = Some(result);
            return;
        }
        let waits = self.press_waits();
        if !timed && self.take_untimed() {
            return;
        }
        if self.table().clock().paused() || !timed && !self.is_over() || !self.differs() && !waits {
            return;
        }
        if self.auto() && timed {
            self.push(Happening::Rest, self.history.last_change().max(self.root.mark.at), false);
        }
        self.look(Tail::Rest, false);
        self.ask_if_stuck();
        if self.question.is_none() && self.differs() && !self.press_waits() {
            self.offer_earlier();
        }
    }

    /// Whether the game has ended, but so recently that it may be read anew.
    pub(super) fn may_reopen(&self) -> bool {
        let soon = Millis(self.settle().0 * REOPEN);
        self.is_over()
            && !self.path.is_empty()
            && self.looks.ended.is_none_or(|ended| self.now <= ended + soon)
    }

    // ---- looking ----

    fn read(&mut self, tail: Tail, margin: i32, explain: bool) -> FoundReadings {
        let query = Query {
            history: &self.history,
            root: &self.root,
            events: &self.events,
            now: self.now,
            auto: self.auto(),
            settle: self.settle(),
            tail,
            margin,
            explain,
        };
        readings(&query, &mut self.positions)
    }

    /// Reads everything, and believes, waits or asks. `last` means that nothing more will come.
    pub(super) fn look(&mut self, tail: Tail, last: bool) {
        let over = self.is_over();
        self.looks.ended = if over { self.looks.ended.or(Some(self.now)) } else { None };
        let readable = if over { self.may_reopen() } else { self.table().mover().is_some() };
        if over && !readable {
            self.release_presses();
        }
        if self.table().clock().paused() || !self.history.known() || !readable {
            return;
        }
        let margin = if last && !self.press_waits() { NARROW_MARGIN } else { MARGIN };
        let mut found = self.read(tail, margin, false);
        let doubt = found.readings.first().map_or(0, |best| self.difference(best).doubt());
        if doubt > 0 && !last {
            // The less the board shows of a reading, the further away every other reading must be.
            found = self.read(tail, margin + doubt.min(MOST_FOR_DOUBT), false);
        }
        if (tail == Tail::Rest || last) && !self.press_waits() && self.differs() {
            found = self.correction(found, tail, last);
        }
        let Some(best) = found.readings.first() else { return };
        if let Some(sure) = self.settled(&found.readings).filter(|_| !found.cut) {
            if !sure.waits {
                let sure = sure.clone();
                self.believe(&sure);
            }
            return;
        }
        self.looks.tied = tail == Tail::Rest;
        let rests = self.looks.tied && self.now >= self.history.last_change() + self.ask_after();
        let ready = |reading: &Reading| {
            let difference = self.difference(reading);
            !reading.waits && difference.adds && difference.is_plausible()
        };
        if rests && found.readings.len() > 1 && found.readings.iter().all(ready) {
            self.explain_readings(tail, self.difference(best).shared);
            self.ask(found.readings);
        }
    }

    /// The reading that is sure: the only one, or the best if all agree on the last boards. Of those, one that keeps what
    /// is written comes before one that replaces it.
    fn settled<'a>(&self, readings: &'a [Reading]) -> Option<&'a Reading> {
        let [best, others @ ..] = readings else { return None };
        let last = |reading: &'a Reading| reading.boards_from_last().take(SETTLED);
        let agree = last(best).count() == SETTLED && others.iter().all(|other| last(other).eq(last(best)));
        if !others.is_empty() && !agree {
            return None;
        }
        let keeps =
            |reading: &&Reading| reading.cost < best.cost + MARGIN && !self.difference(reading).replaces;
        let best = readings.iter().find(keeps).unwrap_or(best);
        let near = |other: &&Reading| (other.cost - best.cost).abs() <= NARROW_MARGIN;
        let rivals = readings.iter().filter(|other| keeps(other) == keeps(&best)).filter(near).count();
        (rivals == 1).then_some(best)
    }

    /// The reading that corrects the last action before anybody has answered it, if there is one: the board rests and shows
    /// exactly what this reading ends with, and no other reading does. While time may tell more, it must lead a little.
    /// Otherwise what was found.
    fn correction(&mut self, mut found: FoundReadings, tail: Tail, last: bool) -> FoundReadings {
        let time_tells = self.now <= self.history.last_change() + Millis(RUN_LIMITS[RUN_LIMITS.len() - 1]);
        let lead = if time_tells && !last { NARROW_MARGIN } else { -CORRECTION };
        let all = if lead > 0 { &found } else { &self.read(tail, CORRECTION, false) };
        let (shown, others): (Vec<&Reading>, Vec<&Reading>) =
            all.readings.iter().partition(|reading| self.shows_end_of(reading));
        let [corrected] = shown.as_slice() else { return found };
        let count = self.recorded().count();
        let corrects =
            corrected.recorded().count() == count && self.difference(corrected).shared + 1 == count;
        if corrects && others.iter().all(|other| other.cost > corrected.cost + lead) {
            found.readings = vec![(*corrected).clone()];
        }
        found
    }

    /// Whether the board shows exactly what a reading ends with.
    pub(super) fn shows_end_of(&self, reading: &Reading) -> bool {
        let end = reading.boards_from_last().next();
        end.is_some_and(|end| self.history.shown(*end) == *self.history.grid())
    }

    /// Explains what is about to be believed or asked: the likeliest readings that differ in what is new.
    pub(super) fn explain_readings(&mut self, tail: Tail, shared: usize) {
        let Some(mut explanations) = self.explanations.take() else { return };
        let mut found = self.read(tail, RIVALS, true).readings;
        if found.is_empty() {
            found = self.read(tail, MARGIN, true).readings;
        }
        let mut told: Vec<Vec<Grid>> = Vec::new();
        found.retain(|reading| {
            let recorded = reading.after(shared).iter().filter(|step| step.is_recorded());
            let new = recorded.map(|step| step.pieces).collect();
            let first = !told.contains(&new);
            told.push(new);
            first
        });
        let words = |reading: &Reading| in_words(reading, shared);
        let readings: Vec<Sentence> = found.iter().take(EXPLAINED).map(words).collect();
        explanations.push(Explanation { at: self.now, readings });
        self.explanations = Some(explanations);
    }

    // ---- asking ----

    fn ask(&mut self, readings: Vec<Reading>) {
        let action = |step: &Step| match &step.kind {
            StepKind::Act { action, .. } => Some(action.clone()),
            _ => None,
        };
        let new = |reading: &Reading| self.difference(reading).new.iter().filter_map(action).collect();
        self.question = Some(Question::Which(readings.iter().map(new).collect()));
        (self.offered, self.proposed) = (readings, Vec::new());
    }

    /// The readings that the question offers.
    fn offered(&self) -> &[Reading] {
        if matches!(self.question, Some(Question::Which(_))) { &self.offered } else { &[] }
    }

    /// Answers [`Question::Which`]: the reading with this number, counted from 1, is right. Returns `false` if no reading
    /// with this number is offered.
    pub fn choose(&mut self, number: usize, at: Instant) -> bool {
        self.now = self.now.max(at);
        let nth = number.checked_sub(1).filter(|_| matches!(self.question, Some(Question::Which(_))));
        if let Some(action) = nth.and_then(|nth| self.proposed.get(nth)).cloned() {
            let entered = self.enter_turn(&action, at, at).is_ok();
            if !entered {
                self.looks.asked = None;
            }
            return entered;
        }
        let chosen = number.checked_sub(1).and_then(|nth| self.offered().get(nth)).cloned();
        let Some(reading) = chosen else { return false };
        self.question = None;
        self.write_reading(&reading);
        // What people have answered is not read anew.
        self.settle_path();
        true
    }

    /// The squares on which the offered readings differ from the table's position; empty unless they are asked about.
    pub fn squares_in_question(&self) -> Vec<Square> {
        let now = self.writer.pieces();
        let boards = self.offered().iter().filter_map(|reading| reading.boards_from_last().next());
        let changed = boards.fold(0, |changed, board| changed | differences(now, board));
        squares(changed).filter_map(Square::from_index).collect()
    }

    /// Asks what was played, if a press waits although time can tell nothing more.
    fn ask_if_stuck(&mut self) {
        let Some((_, first)) = self.waiting_presses().next() else { return };
        let [fits, nothing_fits] = STUCK.map(|span| first + span <= self.now);
        if self.looks.asked == Some(first) || self.rests_at() > self.now {
            return;
        }
        let proposed = self.proposals();
        if !fits && proposed.is_empty() {
            return;
        }
        let mut found = self.read(Tail::Rest, MARGIN, false).readings;
        found.retain(|reading| {
            let longer = reading.steps.len() > self.path.len();
            longer && !reading.mistaken && self.difference(reading).is_plausible()
        });
        if !proposed.is_empty() && !found.iter().any(|reading| self.shows_end_of(reading)) {
            self.looks.asked = Some(first);
            self.question =
                Some(Question::Which(proposed.iter().map(|action| vec![action.clone()]).collect()));
            (self.offered, self.proposed) = (Vec::new(), proposed);
        } else if nothing_fits || fits && !found.is_empty() {
            self.looks.asked = Some(first);
            self.ask(found);
        }
    }

    /// What the game proposes for a board that no action explains.
    fn proposals(&self) -> Vec<Action> {
        let seen = self.seen().filter(|_| !self.history.felt());
        seen.map(|seen| self.table().probe().proposals_for(&seen)).unwrap_or_default()
    }

    /// For a board that only feels, without presses: asks what was done, because a piece is gone for so long that
    /// nobody holds it any more.
    pub(super) fn ask_about_missing(&mut self) {
        self.looks.missed = self.now;
        let found = self.read(Tail::Forced, MARGIN, false).readings;
        if found.first().is_some_and(|best| self.difference(best).is_plausible()) {
            self.ask(found);
        }
    }
}
