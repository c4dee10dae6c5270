//! The live tracker: what comes in becomes events, the search reads them, and what is certain is written.
//!
//! Two paths are compared: the steps that are written, and the reading that is believed now. Where the two part, the
//! written steps are undone, and the new ones are written (`docs/record.md`, "What was seen, and what was understood",
//! rules 2 and 8).

use tabiya_types::{Board, Color, Instant, Millis, Observation, Sentence, Square, say};

use super::super::explain::{EXPLAINED, Explanation, in_words};
use super::super::guide::{Question, king_result};
use super::super::history::{BoardHistory, Grid, differences, grid_of, squares};
use super::super::position::{ReachedPositions, key_after};
use super::super::search::{
    End, FoundReadings, Happening, Query, Reading, Root, Step, StepKind, Tail, TurnEvent, readings,
};
use super::super::shape::Shape;
use super::super::table::{LATE_LIMITS, RUN_LIMITS};
use super::writer::LineWriter;
use crate::rules::Turn;
use crate::table::{Common, Evidence, Input, PressMode, Table, Voice};

/// A reading is believed if every different one costs at least so much more.
const MARGIN: i32 = 10;
/// The same where readings differ only in what was done long ago, and where nothing more will come.
const NARROW_MARGIN: i32 = MARGIN / 3;
/// The margin grows by one for so much doubt: for decibans that a reading pays for what the board does not show.
const DOUBTS: i32 = 3;
/// By so much the margin grows at most.
const MOST_FOR_DOUBT: i32 = 30;
/// For so many boards, readings that agree on them and differ before them need only the narrow margin.
const SETTLED: usize = 3;
/// How much dearer than the best a reading may be that is explained beside it.
const RIVALS: i32 = 45;
/// A reading whose new actions cost more than this each, for what the board does not show, explains nothing.
const STRANGE: i32 = 90;
/// How many written actions may be read anew.
const KEPT: usize = 3;
/// How long the board rests before people are asked which of several readings is right.
const ASK_AFTER: Millis = Millis(540);
/// After the last bucket of the table, time tells nothing more: people are asked about a press that waits.
pub(super) const STUCK: Millis = Millis(7_000);
/// A game that has ended is read anew within so many settling times. Later changes are the players' analysis.
const REOPEN: u64 = 8;
/// At an event, the arbiter is asked about a change that comes later than so many settling times.
const SOON: u64 = 2;
/// How many earlier positions are recognised when people set them up again.
const EARLIER: usize = 10;

/// A step that counts, and how many inputs counted before it.
#[derive(Clone, Debug)]
struct Settled {
    step: Step,
    count: usize,
}

/// An earlier position, and how many inputs counted then.
#[derive(Clone, Debug)]
struct Earlier {
    pieces: Grid,
    count: usize,
    /// Whether the board has shown the position after the action that was made here.
    shown: bool,
}

/// The answer to the question what the readings say.
enum Verdict {
    Believe(Reading),
    Wait,
    Ask(Vec<Reading>),
}

/// A table, the history of its board, and what was understood.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    pub(super) writer: LineWriter,
    pub(super) history: BoardHistory,
    positions: ReachedPositions,
    root: Root,
    /// The events since the root.
    pub(super) events: Vec<TurnEvent>,
    /// The written steps since the root.
    path: Vec<Settled>,
    earlier: Vec<Earlier>,
    /// Lines that wait because a press waits that may have been made before a flag fell.
    pub(super) held: Vec<(Input, Instant)>,
    pub(super) question: Option<Question>,
    /// The readings that the question offers, and the tail for which they were found.
    offered: Vec<Reading>,
    tail: Tail,
    /// The press about which people were asked.
    asked: Option<Instant>,
    /// Whether a board is connected, even if it has reported nothing yet.
    pub(super) has_board: bool,
    pub(super) now: Instant,
    /// The last look that was due, the last change of the rest that was examined, and whether readings tied then.
    looked: Instant,
    pub(super) rested: Option<Instant>,
    tied: bool,
    /// When the game ended.
    ended: Option<Instant>,
    /// When people were last asked about a piece that is missing.
    pub(super) missed: Instant,
    /// Since the last line that cannot be read anew, the board has not shown the table's position: a typed action is
    /// still to be carried out. What the board showed before that belongs to no turn.
    behind: bool,
    /// What was understood against the odds, in words, until it is said.
    pub(super) remarks: Vec<Sentence>,
    /// The explanations since they were last taken, if they are wanted.
    pub(super) explanations: Option<Vec<Explanation>>,
}

fn root_of(table: &Table, history: &BoardHistory, at: Instant) -> Root {
    let mut probe = table.probe();
    if matches!(table.turn(), Turn::Timed { acted: true, .. }) {
        probe.end_turn();
    }
    Root { key: at.millis(), probe, mark: history.mark(at), shape: None }
}

impl Tracker {
    pub(super) fn new(writer: LineWriter) -> Self {
        let history = BoardHistory::new();
        let root = root_of(writer.table(), &history, Instant::ZERO);
        Self {
            writer,
            history,
            positions: ReachedPositions::default(),
            root,
            events: Vec::new(),
            path: Vec::new(),
            earlier: Vec::new(),
            held: Vec::new(),
            question: None,
            offered: Vec::new(),
            tail: Tail::Open,
            asked: None,
            has_board: false,
            now: Instant::ZERO,
            looked: Instant::ZERO,
            rested: None,
            tied: false,
            ended: None,
            missed: Instant::ZERO,
            behind: false,
            remarks: Vec::new(),
            explanations: None,
        }
    }

    /// Takes in what the board shows. Returns whether it shows something else than before.
    pub(super) fn take_in(&mut self, observation: &Observation, at: Instant) -> bool {
        self.has_board = true;
        let known = self.history.known();
        let changed = self.history.observe(observation, at);
        if !known && self.history.known() {
            // The readings begin with the first board that is known.
            let (waiting, rested) = (self.waiting().to_vec(), self.rested);
            self.reset_with(waiting);
            self.root.mark.changes = self.history.mark(at).changes;
            for event in &mut self.events {
                (event.mark.changes, event.grid) = (self.root.mark.changes, *self.history.grid());
            }
            self.rested = rested;
        }
        changed
    }

    /// The board shows something new.
    pub(super) fn see(&mut self) {
        self.question = None;
        if !self.differs() {
            self.earlier.last_mut().into_iter().for_each(|last| last.shown = true);
            if std::mem::take(&mut self.behind) && self.events.is_empty() {
                self.root.mark = self.history.mark(self.now);
            }
        }
        if self.press_waits() {
            self.look(Tail::Open, false);
        }
    }

    /// The board as shown, with its pieces named; `None` until all squares were seen.
    pub(super) fn seen(&self) -> Option<Board> {
        self.history.known().then(|| self.history.named(&self.table().physical()))
    }

    // ---- what is known ----

    pub(super) fn table(&self) -> &Table {
        self.writer.table()
    }

    pub(super) fn settle(&self) -> Millis {
        self.table().terms().settle
    }

    pub(super) fn auto(&self) -> bool {
        self.table().terms().press == PressMode::Auto
    }

    pub(super) fn is_over(&self) -> bool {
        self.table().game().outcome().is_some()
    }

    /// What the board should show.
    pub(super) fn expected(&self) -> Grid {
        self.history.shown(grid_of(&self.table().physical()))
    }

    /// Whether the board is known and shows something else than it should.
    pub(super) fn differs(&self) -> bool {
        self.history.known() && *self.history.grid() != self.expected()
    }

    /// The time from which the board counts as at rest.
    pub(super) fn rests_at(&self) -> Instant {
        self.history.last_change() + self.settle()
    }

    fn consumed(&self) -> usize {
        self.path.last().map_or(0, |settled| settled.step.events)
    }

    /// The events that no written step explains.
    pub(super) fn waiting(&self) -> &[TurnEvent] {
        self.events.get(self.consumed()..).unwrap_or_default()
    }

    /// The presses that wait, as side and time.
    pub(super) fn waiting_presses(&self) -> impl DoubleEndedIterator<Item = (Color, Instant)> {
        self.waiting().iter().filter_map(|event| match event.happening {
            Happening::Press(by) => Some((by, event.mark.at)),
            Happening::Line(_) | Happening::Rest => None,
        })
    }

    pub(super) fn press_waits(&self) -> bool {
        self.waiting_presses().next().is_some()
    }

    /// Whether actions were settled since the last line that cannot be read anew.
    pub(super) fn has_path(&self) -> bool {
        !self.path.is_empty()
    }

    /// Whether the game has ended, but so recently that it may be read anew.
    pub(super) fn may_reopen(&self) -> bool {
        let soon = Millis(self.settle().0 * REOPEN);
        self.is_over() && !self.path.is_empty() && self.ended.is_none_or(|ended| self.now <= ended + soon)
    }

    fn recorded(&self) -> impl DoubleEndedIterator<Item = &Settled> {
        self.path.iter().filter(|settled| settled.step.is_recorded())
    }

    // ---- looking ----

    /// The next time at which a cost of the table changes, or people must be asked.
    pub(super) fn looks_at(&self) -> Option<Instant> {
        let presses = || self.waiting_presses().map(|(_, at)| at);
        let late = presses().flat_map(|at| LATE_LIMITS.map(|limit| at + Millis(limit + 1)));
        let (press, differs) = (self.press_waits(), self.differs());
        let runs = RUN_LIMITS.map(|limit| self.history.last_change() + Millis(limit + 1));
        let runs = runs.into_iter().filter(move |at| press || differs && *at >= self.rests_at());
        let rest = presses().next_back().map(|last| last.max(self.history.last_change()) + self.settle());
        let tied = self.tied.then(|| self.history.last_change() + ASK_AFTER);
        let stuck = presses().next().filter(|first| self.asked != Some(*first)).map(|first| {
            let [once, twice] =
                [1, 2].map(|times| first + Millis(STUCK.0 * times)).map(|at| at.max(rest.unwrap_or(at)));
            if once > self.looked { once } else { twice }
        });
        late.chain(runs).chain([rest, tied, stuck].into_iter().flatten()).filter(|at| *at > self.looked).min()
    }

    /// Looks again, because time alone may have told something.
    pub(super) fn look_again(&mut self, at: Instant) {
        self.looked = at;
        let tail = if self.rests_at() <= at { Tail::Rest } else { Tail::Open };
        self.look(tail, false);
        self.ask_if_stuck();
    }

    /// Examines a board that has just come to rest.
    pub(super) fn examine_rest(&mut self, at: Instant) {
        self.looked = self.looked.max(at);
        let seen = self.seen().filter(|_| !self.history.felt() && self.table().mover().is_some());
        if let Some(result) = seen.and_then(|seen| king_result(&seen)) {
            self.question = Some(result);
            return;
        }
        if self.table().clock().paused() || (self.table().mover().is_none() && !self.is_over()) {
            return;
        }
        if !self.differs() && !self.press_waits() {
            return;
        }
        if self.auto() && self.table().mover().is_some() {
            let at = self.history.last_change().max(self.root.mark.at);
            self.push(Happening::Rest, at);
        }
        self.look(Tail::Rest, false);
        self.ask_if_stuck();
        if self.question.is_none() && self.differs() && !self.press_waits() {
            self.offer_earlier();
        }
    }

    pub(super) fn push(&mut self, happening: Happening, at: Instant) {
        let (mark, grid) = (self.history.mark(at), *self.history.grid());
        self.events.push(TurnEvent { happening, mark, grid, written: false });
    }

    pub(super) fn read(&mut self, tail: Tail, margin: i32) -> FoundReadings {
        self.read_with(tail, margin, false)
    }

    fn read_with(&mut self, tail: Tail, margin: i32, explain: bool) -> FoundReadings {
        let query = Query {
            history: &self.history,
            root: &self.root,
            events: &self.events,
            now: self.now,
            auto: self.writer.table().terms().press == PressMode::Auto,
            settle: self.writer.table().terms().settle,
            tail,
            margin,
            explain,
        };
        readings(&query, &mut self.positions)
    }

    /// Explains what is about to be believed or asked.
    fn explain(&mut self, tail: Tail, shared: usize) {
        let Some(mut explanations) = self.explanations.take() else { return };
        let found = self.read_with(tail, RIVALS, true);
        let in_words = found.readings.iter().take(EXPLAINED).map(|reading| in_words(reading, shared));
        let readings: Vec<Sentence> = in_words.collect();
        explanations.push(Explanation { at: self.now, readings });
        self.explanations = Some(explanations);
    }

    /// Reads everything, and believes, waits or asks. `last` means that nothing more will come.
    pub(super) fn look(&mut self, tail: Tail, last: bool) {
        if self.table().clock().paused() || !self.history.known() {
            return;
        }
        if self.is_over() {
            self.ended = self.ended.or(Some(self.now));
            if !self.may_reopen() {
                return;
            }
        } else {
            self.ended = None;
            if self.table().mover().is_none() {
                return;
            }
        }
        let mut margin = if last && !self.press_waits() { NARROW_MARGIN } else { MARGIN };
        let mut found = self.read(tail, margin);
        let doubt = found.readings.first().map_or(0, |best| self.doubt(best).0);
        if doubt >= DOUBTS && !last {
            // The less the board shows of a reading, the further away every other reading must be.
            margin += (doubt / DOUBTS).min(MOST_FOR_DOUBT);
            found = self.read(tail, margin);
        }
        if tail == Tail::Rest && self.is_correction(&found) {
            found.readings.truncate(1);
        }
        match self.verdict(&found, margin, tail) {
            Verdict::Believe(reading) => self.believe(&reading, tail),
            Verdict::Wait => {}
            Verdict::Ask(readings) => {
                let shared = readings.first().map_or(0, |best| self.shared(best));
                self.explain(tail, shared);
                self.ask(&readings, tail);
            }
        }
    }

    /// Whether the best reading corrects the last action before anybody has answered it: the board rests, and shows
    /// exactly what this reading ends with, and no other reading does.
    fn is_correction(&self, found: &FoundReadings) -> bool {
        let [best, others @ ..] = found.readings.as_slice() else { return false };
        let shows = |reading: &Reading| {
            reading
                .boards_from_last()
                .next()
                .is_some_and(|last| self.history.shown(*last) == *self.history.grid())
        };
        let count = self.recorded().count();
        let corrects = best.recorded().count() == count && self.shared(best) + 1 == count;
        let apart = others.iter().all(|other| !shows(other) && other.cost > best.cost + NARROW_MARGIN);
        corrects && !self.press_waits() && shows(best) && apart
    }

    fn verdict(&mut self, found: &FoundReadings, margin: i32, tail: Tail) -> Verdict {
        let Some(best) = found.readings.first() else { return Verdict::Wait };
        if !found.cut && (found.readings.len() == 1 || differ_long_ago(&found.readings)) {
            return if best.waits { Verdict::Wait } else { Verdict::Believe(best.clone()) };
        }
        self.tied = tail == Tail::Rest;
        let rests = self.tied && self.now >= self.history.last_change() + ASK_AFTER;
        let near: Vec<Reading> =
            found.readings.iter().filter(|other| other.cost < best.cost + margin).cloned().collect();
        let ready = |reading: &Reading| !reading.waits && self.adds(reading) && self.is_plausible(reading);
        if rests && near.len() > 1 && near.iter().all(ready) { Verdict::Ask(near) } else { Verdict::Wait }
    }

    /// How many recorded steps of a reading are written already.
    fn shared(&self, reading: &Reading) -> usize {
        let same = |(settled, step): &(&Settled, &Step)| {
            settled.step.pieces == step.pieces
                && std::mem::discriminant(&settled.step.kind) == std::mem::discriminant(&step.kind)
        };
        self.recorded().zip(reading.recorded()).take_while(same).count()
    }

    /// Whether a reading contains a step that is not written.
    fn adds(&self, reading: &Reading) -> bool {
        reading.recorded().count() > self.shared(reading)
    }

    /// What the steps that are not written yet cost for what the board does not show, and how many actions they are.
    fn doubt(&self, reading: &Reading) -> (i32, i32) {
        let shared = self.shared(reading);
        let (mut recorded, mut doubt, mut actions) = (0, 0, 0);
        for step in &reading.steps {
            if recorded >= shared {
                doubt += step.doubt;
                actions += i32::from(matches!(step.kind, StepKind::Act { .. }));
            }
            recorded += usize::from(step.is_recorded());
        }
        (doubt, actions)
    }

    /// Whether the board shows enough of the actions that are not written yet.
    fn is_plausible(&self, reading: &Reading) -> bool {
        let (doubt, actions) = self.doubt(reading);
        doubt <= STRANGE * actions.max(1)
    }

    // ---- asking ----

    fn ask(&mut self, readings: &[Reading], tail: Tail) {
        let actions = |reading: &Reading| {
            let new = reading.recorded().skip(self.shared(reading));
            let action = |step: &Step| match &step.kind {
                StepKind::Act { action, .. } => Some(action.clone()),
                _ => None,
            };
            new.filter_map(action).collect::<Vec<_>>()
        };
        self.question = Some(Question::Which(readings.iter().map(actions).collect()));
        (self.offered, self.tail) = (readings.to_vec(), tail);
    }

    /// Believes the offered reading with this number, counted from 1. Returns `false` if none is offered under it.
    pub(super) fn choose(&mut self, number: usize) -> bool {
        let asks = matches!(self.question, Some(Question::Which(_)));
        let chosen = number.checked_sub(1).filter(|_| asks).and_then(|nth| self.offered.get(nth)).cloned();
        let Some(reading) = chosen else { return false };
        self.question = None;
        self.write_reading(&reading, self.tail);
        true
    }

    pub(super) fn squares_in_question(&self) -> Vec<Square> {
        if !matches!(self.question, Some(Question::Which(_))) {
            return Vec::new();
        }
        let now = grid_of(&self.table().physical());
        let boards = self.offered.iter().filter_map(|reading| reading.boards_from_last().next());
        let changed = boards.fold(0, |changed, board| changed | differences(&now, board));
        squares(changed).filter_map(Square::from_index).collect()
    }

    /// Asks what was played, if a press waits although time can tell nothing more.
    fn ask_if_stuck(&mut self) {
        let Some((_, first)) = self.waiting_presses().next() else { return };
        if self.asked == Some(first) || self.rests_at() > self.now || first + STUCK > self.now {
            return;
        }
        let found = self.read(Tail::Rest, MARGIN);
        let explains = |reading: &&Reading| {
            !reading.mistaken && reading.steps.len() > self.path.len() && self.is_plausible(reading)
        };
        let fitting: Vec<Reading> = found.readings.iter().filter(explains).cloned().collect();
        // If nothing fits, a piece is probably in the air, and the board will show where it is put down.
        if fitting.is_empty() && first + Millis(2 * STUCK.0) > self.now {
            return;
        }
        self.asked = Some(first);
        self.ask(&fitting, Tail::Rest);
    }

    /// For a board that only feels, without presses: asks what was done, because a piece is gone for so long that
    /// nobody holds it any more.
    pub(super) fn ask_about_missing(&mut self) {
        let found = self.read(Tail::Forced, MARGIN);
        if found.readings.first().is_some_and(|best| self.is_plausible(best)) {
            self.ask(&found.readings, Tail::Forced);
        }
    }

    // ---- believing ----

    /// Writes what the reading says and the table does not know yet.
    fn believe(&mut self, reading: &Reading, tail: Tail) {
        self.tied = false;
        let shared = self.shared(reading);
        let (new, old) = (reading.recorded().count() > shared, self.recorded().count() > shared);
        if (new || old) && !self.is_plausible(reading) {
            return;
        }
        if new || old {
            self.explain(tail, shared);
        }
        if old && self.is_late_for_event(reading) {
            self.ask_arbiter(reading, shared);
        } else {
            self.write_reading(reading, tail);
        }
    }

    /// At an event, the arbiter decides about a change that comes late.
    fn is_late_for_event(&self, reading: &Reading) -> bool {
        let last = reading.steps.last().map_or(Instant::ZERO, |step| step.mark.at);
        self.table().terms().voice == Voice::Event && self.now > last + Millis(SOON * self.settle().0)
    }

    /// Undoes the written steps that the reading does not contain, and writes the steps that are new.
    fn write_reading(&mut self, reading: &Reading, tail: Tail) {
        let shared = self.shared(reading);
        let (new, old) = (reading.recorded().count() > shared, self.recorded().count() > shared);
        let counts: Vec<usize> = self.recorded().map(|settled| settled.count).collect();
        if let Some(count) = counts.get(shared).copied().filter(|_| old) {
            self.undo_to(count);
        }
        // An undo takes back the card of its turn, too.
        let have = self.table().count();
        let kept: Vec<usize> =
            counts.into_iter().take(shared).take_while(|count| !old || *count < have).collect();
        if !self.write_steps(self.certain(reading), &kept, old, tail) {
            self.reset();
            return;
        }
        if new || old {
            (self.question, self.asked) = (None, None);
        }
        if !self.is_over() {
            self.ended = None;
        }
        self.advance(KEPT);
        self.write_held();
    }

    /// The steps that may be written: a press by mistake may still be cancelled, and a press that ends nothing may
    /// still turn out to end something.
    fn certain(&self, reading: &Reading) -> Vec<Step> {
        let mut steps = reading.steps.clone();
        let mistake = steps.iter().rposition(|step| step.kind == StepKind::Mistake);
        if let Some(mistake) = mistake.filter(|_| reading.mistaken) {
            steps.truncate(mistake);
        }
        let last = reading.boards_from_last().next().copied();
        let last = last.unwrap_or_else(|| grid_of(&self.root.probe.physical()));
        if self.history.shown(last) != *self.history.grid() && !self.is_over() {
            while steps.last().is_some_and(|step| step.kind == StepKind::Idle) {
                steps.pop();
            }
        }
        steps
    }

    fn undo_to(&mut self, count: usize) {
        let undo = || Input::Common(Common::Undo { by: None, reason: None });
        while self.table().count() > count && self.write(undo(), self.now, None) {}
    }

    /// Asks the arbiter whether the record should be changed to this reading.
    fn ask_arbiter(&mut self, reading: &Reading, shared: usize) {
        let undos = self.recorded().nth(shared).map_or(0, |settled| self.undos_to(settled.count));
        let mut inputs = Vec::new();
        for step in reading.recorded().skip(shared) {
            if let StepKind::Act { action, .. } | StepKind::Line(action) = &step.kind {
                inputs.push(Input::Game(action.clone()));
            }
            if matches!(step.kind, StepKind::Act { end: End::Press | End::Forgotten, .. }) {
                inputs.push(Input::Common(Common::Press(step.by)));
            }
        }
        self.question = Some(Question::Changed { undos, inputs });
    }

    /// How many undos lead back to this number of inputs.
    fn undos_to(&self, count: usize) -> usize {
        let mut table = self.table().clone();
        let undo = Input::Common(Common::Undo { by: None, reason: None });
        let stamp = crate::table::Stamp::new(self.now, 0);
        (0..self.table().count())
            .take_while(|_| table.count() > count && table.apply(&undo, stamp).is_ok())
            .count()
    }

    /// Makes these steps the path. Writes the recorded ones that are not `kept`, which are given by their counts.
    fn write_steps(&mut self, steps: Vec<Step>, kept: &[usize], anew: bool, tail: Tail) -> bool {
        let mut path = Vec::new();
        let mut kept = kept.iter();
        for mut step in steps {
            if step.events > self.events.len() {
                break;
            }
            let mut count = 0;
            if step.is_recorded() {
                count = self.table().count();
                if let Some(known) = kept.next() {
                    count = *known;
                } else if self.write_step(&step, anew, tail) {
                    self.add_rest(&mut step);
                } else {
                    return false;
                }
            } else {
                self.write_press_without_action(&step);
            }
            path.push(Settled { step, count });
        }
        self.path = path;
        true
    }

    /// An action that stands on the board at rest ended with that rest, which becomes an event, too.
    fn add_rest(&mut self, step: &mut Step) {
        let rested = self
            .events
            .last()
            .is_some_and(|last| last.happening == Happening::Rest && last.mark.changes == step.mark.changes);
        if matches!(step.kind, StepKind::Act { end: End::Rest, .. }) && !self.auto() && !rested {
            let (mark, grid) = (step.mark, *self.history.grid());
            self.events.push(TurnEvent { happening: Happening::Rest, mark, grid, written: false });
            step.events = self.events.len();
        }
    }

    /// Writes a press that ends nothing, once.
    fn write_press_without_action(&mut self, step: &Step) {
        let event = step.events.checked_sub(1).and_then(|nth| self.events.get_mut(nth));
        let Some(event) = event else { return };
        let press = matches!(step.kind, StepKind::Idle | StepKind::Back);
        if !press || std::mem::replace(&mut event.written, true) {
            return;
        }
        if step.kind == StepKind::Idle {
            self.write(Input::Common(Common::Press(step.by)), self.now, None);
        } else {
            self.writer.evidence(Evidence::Button(step.by), self.now);
            self.remarks.push(say!(
                "remark-mistake",
                "{other} pressed the clock by mistake, and {by} pressed it back",
                other = step.by.other(),
                by = step.by
            ));
        }
    }

    fn write_step(&mut self, step: &Step, anew: bool, tail: Tail) -> bool {
        let began = self.table().clock().turn().map(|_| self.table().turn_began());
        let at = if anew { self.now } else { step.mark.at };
        let when = Some(at.max(began.unwrap_or(at)).min(self.now));
        let (StepKind::Act { action, .. } | StepKind::Line(action)) = &step.kind else { return true };
        let (pieces, count) = (grid_of(&self.table().physical()), self.table().count());
        if !self.write(Input::Game(action.clone()), self.now, when) {
            return false;
        }
        if action.changes_board() {
            self.remember(pieces, count);
        }
        let StepKind::Act { end, .. } = &step.kind else { return true };
        let pressed = match end {
            End::Press | End::Forgotten => true,
            End::Line => false,
            End::Rest => self.auto() || (tail == Tail::Rest && !self.is_over()),
        };
        if *end == End::Forgotten && !anew && !self.auto() {
            let (by, other) = (step.by, step.by.other());
            self.remarks.push(say!(
                "remark-forgotten",
                "{by} forgot to press the clock: the turn counts as ended when {other} pressed",
                by,
                other
            ));
        }
        let ends = matches!(self.table().turn(), Turn::Timed { acted: true, .. });
        if pressed && (ends || self.is_over() && *end == End::Press) {
            self.write(Input::Common(Common::Press(step.by)), self.now, when);
        }
        true
    }

    /// Writes an input. Returns whether the rules accepted it.
    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> bool {
        self.try_write(input, t, when).is_ok()
    }

    /// Makes the path's older steps part of the root, so that they are not read anew.
    pub(super) fn advance(&mut self, kept: usize) {
        let actions = |path: &[Settled]| {
            path.iter().filter(|settled| matches!(settled.step.kind, StepKind::Act { .. })).count()
        };
        while !self.path.is_empty() && (kept == 0 || actions(&self.path) > kept) {
            let Settled { step, .. } = self.path.remove(0);
            let before = grid_of(&self.root.probe.physical());
            match &step.kind {
                StepKind::Act { action, .. } => {
                    let shape = Shape::idle(&before, step.by).to(&before, &step.pieces);
                    self.root.probe =
                        self.root.probe.after_turn(action).unwrap_or_else(|| self.table().probe());
                    self.root.key = key_after(self.root.key, &step.pieces);
                    (self.root.shape, self.root.mark) = (Some(shape), step.mark);
                }
                StepKind::Line(action) => {
                    self.root.probe = self.root.probe.after(action).unwrap_or_else(|| self.table().probe());
                    self.root.key = key_after(self.root.key, &step.pieces);
                }
                StepKind::Mistake | StepKind::Back => self.root.mark = step.mark,
                StepKind::Idle | StepKind::Pause => {}
            }
            self.events.drain(..step.events.min(self.events.len()));
            for settled in &mut self.path {
                settled.step.events = settled.step.events.saturating_sub(step.events);
            }
        }
    }

    /// Reads nothing anew that was done before a line that is no action. The line may have changed what is possible.
    pub(super) fn settle_path(&mut self) {
        self.advance(0);
        let Root { key, probe, .. } = root_of(self.writer.table(), &self.history, self.now);
        (self.root.key, self.root.probe) = (key, probe);
        self.positions.clear();
    }

    /// Forgets what was shown and understood: the readings begin at the table as it is.
    pub(super) fn reset(&mut self) {
        self.reset_with(Vec::new());
    }

    /// The same, but these events still wait.
    pub(super) fn reset_with(&mut self, waiting: Vec<TurnEvent>) {
        self.path.clear();
        self.events = waiting;
        self.root = root_of(self.writer.table(), &self.history, self.now);
        if let Some(first) = self.events.first() {
            self.root.mark = first.mark;
        }
        self.positions.clear();
        self.behind = self.differs();
        // The board still shows the position before this. That must not be taken for a new action.
        self.rested = Some(self.history.last_change());
        (self.tied, self.ended, self.question) = (false, None, None);
    }

    /// Sets where the first turn after the root begins.
    pub(super) fn begin_root_at(&mut self, event: &TurnEvent) {
        self.root.mark = event.mark;
    }

    /// Adds a typed line that is already written to the path, before the events that wait.
    pub(super) fn add_line(&mut self, event: TurnEvent, count: usize) {
        let Happening::Line(action) = event.happening.clone() else { return };
        let at = self.consumed().min(self.events.len());
        let pieces = grid_of(&self.table().physical());
        let by = action.by().unwrap_or(Color::White);
        let step = Step::line(action, by, event.mark, pieces, at + 1);
        self.events.insert(at, event);
        self.path.push(Settled { step, count });
    }

    /// Turns the board by 180 degrees, together with what it has shown.
    pub(super) fn turn_board(&mut self) {
        self.history.turn();
        self.events.iter_mut().for_each(|event| event.grid.reverse());
        self.positions.clear();
    }

    // ---- earlier positions ----

    /// Remembers the position before an action, so that it is recognised if it is set up again.
    pub(super) fn remember(&mut self, pieces: Grid, count: usize) {
        self.earlier.retain(|earlier| earlier.count < count);
        self.earlier.push(Earlier { pieces, count, shown: !self.differs() });
        let more = self.earlier.len().saturating_sub(EARLIER);
        self.earlier.drain(..more);
    }

    pub(super) fn forget_earlier(&mut self) {
        self.earlier.clear();
    }

    /// If an earlier position was set up again: asks whether to take back the actions since then, or after the end of
    /// a game, whether to begin a new one (rule 8).
    pub(super) fn offer_earlier(&mut self) {
        let count = self.table().count();
        self.earlier.retain(|earlier| earlier.count < count);
        let grid = self.history.grid();
        let shows = |earlier: &Earlier| self.history.shown(earlier.pieces) == *grid;
        let Some(nth) = self.earlier.iter().rposition(shows) else { return };
        // If the board has shown none of the actions, nobody has set the position up again: its reports are late.
        if !self.earlier.iter().skip(nth).any(|earlier| earlier.shown) {
            return;
        }
        let (actions, undos) = (self.earlier.len() - nth, self.undos_to(self.earlier[nth].count));
        let new_game = self.is_over() && nth == 0 && self.earlier.len() < EARLIER && actions > 2;
        self.question =
            Some(if new_game { Question::NewGame } else { Question::TakeBack { actions, undos } });
    }
}

/// Whether the readings differ in nothing but what was done before their last boards, and the best is better.
fn differ_long_ago(readings: &[Reading]) -> bool {
    let last = |reading: &Reading| reading.boards_from_last().take(SETTLED).copied().collect::<Vec<_>>();
    let [best, others @ ..] = readings else { return false };
    let boards = last(best);
    let same = |other: &Reading| other.cost > best.cost + NARROW_MARGIN && last(other) == boards;
    boards.len() == SETTLED && others.iter().all(same)
}
