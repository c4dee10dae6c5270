//! What is believed is written. Two paths are compared: the steps that are written, and the reading that is believed
//! now. Where the two part, the written steps are undone, and the new ones are written (`docs/record.md`, "What was
//! seen, and what was understood", rules 2 and 8).

use tabiya_types::{Color, Instant, Millis, say};

use super::super::by_hand::ARBITER_AFTER;
use super::super::history::{FELT, HistoryMark, differences, grid_of, is_of, squares};
use super::super::kept::PositionKey;
use super::super::position::ReachedPosition;
use super::super::reading::{End, Occasion, Reading, Step, StepKind, TurnEvent};
use super::super::tracker::{Difference, Settled};
use super::Watch;
use crate::rules::{Turn, Violation};
use crate::table::{Common, Evidence, Input, Question, Stamp, Voice};

const UNDO: Input = Input::Common(Common::TAKE_BACK);

/// How a player's answer ended.
#[derive(Clone, Copy)]
struct Answered {
    at: Instant,
    /// Whether a press ended it.
    pressed: bool,
}

/// The input of a press.
pub(super) fn press(by: Color) -> Input {
    Input::Common(Common::Press(by))
}

/// The inputs that these steps of a reading need.
fn inputs(steps: &[Step]) -> Vec<Input> {
    let inputs = steps.iter().flat_map(|step| match &step.kind {
        StepKind::Act { action, end } => {
            let pressed = matches!(end, End::Press | End::Forgotten).then(|| press(step.by));
            let played = std::iter::once(action).chain(&step.said).cloned().map(Input::Game);
            played.chain(pressed).collect()
        }
        StepKind::Line(action) => vec![Input::Game(action.clone())],
        _ => Vec::new(),
    });
    inputs.collect()
}

impl Watch {
    /// Writes what the reading says and the table does not know yet.
    pub(super) fn believe(&mut self, reading: &Reading) {
        let difference = self.tracker.difference(reading);
        if difference.adds || difference.replaces {
            let stands = difference.replaces && reading.stands_on(self.tracker.history());
            if !stands && !difference.is_plausible() {
                return;
            }
            self.explain_readings(reading.occasion, difference.shared);
        }
        // At an event, the arbiter decides about a change that comes late.
        let late = |settled: &Settled| {
            self.now > settled.step.mark.at + Millis(ARBITER_AFTER * self.tracker.settling_time().0)
        };
        let late = self.tracker.recorded().nth(difference.shared).filter(|replaced| late(replaced));
        let late = late.map(|replaced| replaced.count);
        match late.filter(|_| self.table().terms().voice == Voice::Event) {
            Some(count) => {
                let undos = self.undos_to(count);
                let again = self.taken_along(undos, count);
                let inputs = again.into_iter().chain(inputs(difference.new)).collect();
                self.tracker.ask(Question::Changed { undos, inputs });
            }
            None => self.write_reading(reading),
        }
    }

    /// How many undos lead back to this number of inputs.
    pub(super) fn undos_to(&self, count: usize) -> usize {
        let mut table = self.table().clone();
        let mut undone = || table.count() > count && table.apply(&UNDO, Stamp::new(self.now, 0)).is_ok();
        (0..self.table().count()).take_while(|_| undone()).count()
    }

    /// What this many undos take back before the input with this count: an undo takes back the cards of its turn, too.
    fn taken_along(&self, undos: usize, count: usize) -> Vec<Input> {
        if undos == 0 {
            return Vec::new();
        }
        let mut table = self.table().clone();
        for _ in 0..undos {
            drop(table.apply(&UNDO, Stamp::new(self.now, 0)));
        }
        let left = table.count();
        let inputs = self.table().counted_inputs().take(count).skip(left);
        inputs.map(|(_, input)| input.clone()).collect()
    }

    /// Undoes the written steps that the reading does not contain, and writes the steps that are new.
    pub(super) fn write_reading(&mut self, reading: &Reading) {
        let Difference { shared, adds, replaces, .. } = self.tracker.difference(reading);
        let replaced = self.tracker.recorded().nth(shared).map(|settled| settled.count);
        let undos = replaced.map_or(0, |count| self.undos_to(count));
        // A card that the undos take along is written again: as a step of the path, or here if it lies before the path.
        let first = self.tracker.recorded().next().map_or(0, |settled| settled.count);
        let again = self.taken_along(undos, first);
        for _ in 0..undos {
            drop(self.write(UNDO, self.now, None));
            self.tracker.drop_early_press();
        }
        let kept = self
            .tracker
            .recorded()
            .map(|settled| settled.count)
            .filter(|count| *count < self.table().count());
        let kept: Vec<usize> = kept.take(shared).collect();
        for input in again {
            drop(self.write(input, self.now, None));
        }
        if !self.write_steps(self.certain(reading), &kept, replaces, reading.occasion) {
            self.begin(Vec::new());
            return;
        }
        if adds || replaces {
            self.tracker.withdraw_question();
            self.tracker.ask_again();
        }
        if !self.is_over() {
            self.tracker.note_end(false, self.now);
        }
        self.tracker.advance(self.writer.table());
        self.write_held();
    }

    /// The steps that may be written: a press by mistake may still be cancelled, and a press that ends nothing may
    /// still turn out to end something.
    fn certain(&self, reading: &Reading) -> Vec<Step> {
        let mut steps = reading.steps.clone();
        let mistake = steps.iter().rposition(|step| step.kind == StepKind::Mistake);
        steps.truncate(mistake.filter(|_| reading.mistaken).unwrap_or(steps.len()));
        let last = reading.boards_from_last().next().copied();
        let last = last.unwrap_or_else(|| self.tracker.first_pieces());
        if self.tracker.history().shown(last) != self.tracker.history().grid && !self.is_over() {
            while steps.pop_if(|step| step.kind == StepKind::Idle).is_some() {}
        }
        steps
    }

    /// Makes these steps the path. Writes the recorded ones that are not `kept`, which are given by their counts.
    fn write_steps(&mut self, steps: Vec<Step>, kept: &[usize], anew: bool, occasion: Occasion) -> bool {
        let (mut path, mut kept) = (Vec::new(), kept.iter());
        let recorded = |step: &Step| {
            let pressed = matches!(step.kind, StepKind::Act { end: End::Press, .. });
            step.is_recorded().then_some((step.by, Answered { at: step.mark.at, pressed }))
        };
        let ends: Vec<Option<(Color, Answered)>> = steps.iter().map(recorded).collect();
        for (nth, mut step) in steps.into_iter().enumerate() {
            if step.events > self.tracker.events() {
                break;
            }
            let mut count = 0;
            if !step.is_recorded() {
                self.write_press_without_action(&step);
            } else if let Some(known) = kept.next() {
                count = *known;
            } else {
                count = self.table().count();
                let answered = ends[nth..].iter().flatten().find(|(by, _)| *by != step.by);
                let answered = answered.map(|(_, answer)| *answer);
                if !self.write_step(&mut step, anew, occasion, answered) {
                    return false;
                }
                self.tracker.add_rest(&mut step);
                self.tracker.carry_said(&step);
            }
            path.push(Settled { step, count });
        }
        self.tracker.written(path, self.writer.table());
        true
    }

    /// Writes a press that ends nothing, once.
    fn write_press_without_action(&mut self, step: &Step) {
        let by = step.by;
        let pressed = matches!(step.kind, StepKind::Idle | StepKind::Back);
        let event = step.events.checked_sub(1).filter(|_| pressed);
        if !event.is_some_and(|nth| self.tracker.event_is_written(nth)) {
            return;
        }
        if step.kind == StepKind::Idle {
            drop(self.write(press(by), self.now, None));
            return;
        }
        self.writer.evidence(Evidence::Button(by), self.now);
        let remark = say!(
            "remark-mistake",
            "{other} pressed the clock by mistake, and {by} pressed it back",
            other = by.other(),
            by
        );
        self.remarks.push(remark);
    }

    /// Writes an action, what was said after it, and its press. `answered` is how the other player's answer ended.
    fn write_step(
        &mut self,
        step: &mut Step,
        anew: bool,
        occasion: Occasion,
        answered: Option<Answered>,
    ) -> bool {
        let began = self.table().clock().turn().map(|_| self.table().turn_began());
        let at = if anew { self.now } else { self.ended_at(step, answered) };
        let at = at.max(began.unwrap_or(at)).min(self.now);
        let when = Some(at);
        let (StepKind::Act { action, .. } | StepKind::Line(action)) = &step.kind else { return true };
        let (pieces, count) = (self.tracker.pieces(), self.table().count());
        if self.write(Input::Game(action.clone()), self.now, when).is_err() {
            return false;
        }
        if action.changes_board() {
            self.remember(pieces, count);
        }
        let StepKind::Act { end, .. } = step.kind else { return true };
        for said in step.said.clone() {
            self.say(said, when);
        }
        step.said.extend(self.write_said_after(action.by(), when, answered.map(|answer| answer.at)));
        let pressed = matches!(end, End::Press | End::Forgotten);
        let rested =
            end == End::Rest && (self.tracker.is_auto() || occasion == Occasion::Rest && !self.is_over());
        if !anew && !self.tracker.is_auto() && (end != End::Rest || rested) {
            let other_pressed = answered.is_some_and(|answer| answer.pressed);
            self.remarks.extend(self.unpressed.follow(step.by, end, other_pressed));
        }
        let ends = matches!(self.table().turn(), Turn::Timed { acted: true, .. });
        if (pressed || rested) && ends || self.is_over() && end == End::Press {
            drop(self.write(press(step.by), self.now, when));
        } else if pressed && self.table().game().early_press_waits() {
            self.writer.evidence(Evidence::Button(step.by), self.now);
            self.tracker.pressed_early(step.by, at);
        }
        true
    }

    /// When the turn of this step ended. A press that ended something which no rule allows does not count before the board was
    /// right: until then it was its player's time that ran, and that was shown (`docs/record.md`, rule 2). At an event the
    /// clocks stay as they were pressed, and the arbiter decides.
    fn ended_at(&self, step: &Step, answered: Option<Answered>) -> Instant {
        let pressed = step.mark.at;
        if self.table().terms().voice == Voice::Event {
            return pressed;
        }
        let event = step.events.checked_sub(1).and_then(|nth| self.tracker.event(nth));
        let event = event.filter(|event| event.press() == Some((step.by, pressed)));
        let right = event.and_then(|event| self.put_right_at(step, event));
        let answer = answered.map(|answer| answer.at);
        right
            .filter(|right| {
                *right >= pressed + self.tracker.settling_time()
                    && answer.is_none_or(|answer| answer > *right)
            })
            .unwrap_or(pressed)
    }

    /// When the board showed all of this step, if its press ended something else: a piece of its player stood on a square that
    /// the action has nothing to do with. `None` if none did, if it still stands there, or if the rules allowed what the board
    /// showed.
    fn put_right_at(&self, step: &Step, pressed: &TurnEvent) -> Option<Instant> {
        let history = self.tracker.history();
        let [before, after] = [self.tracker.pieces(), step.pieces].map(|pieces| history.shown(pieces));
        let is_strange = |square: &usize| {
            let seen = pressed.grid[*square];
            let own = if history.kind.names_pieces() { is_of(seen, step.by) } else { seen == FELT };
            before[*square] == after[*square] && own
        };
        let strange: Vec<usize> = squares(differences(&pressed.grid, &after)).filter(is_strange).collect();
        let position =
            || ReachedPosition::new(PositionKey::default(), self.table().probe(), Vec::new(), history);
        if strange.is_empty() || position().allows(&pressed.grid, history) {
            return None;
        }
        let first_right = |square| history.first_shown(square, pressed.mark, after[square]);
        strange.into_iter().try_fold(step.shown, |last, square| Some(last.max(first_right(square)?)))
    }

    /// Writes an input that happened at `when`. On `Err` the rules refused it.
    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        self.writer.write(input, t, when)?;
        self.tracker.expect(grid_of(&self.writer.table().physical()));
        if !self.tracker.history().kind.names_pieces() {
            // The pieces of a board that only feels have the names that the table expects.
            self.write_what_is_seen(t);
        }
        Ok(())
    }

    /// Writes a `sees` line with the board as shown, unless the last `sees` line has the same board.
    pub(super) fn write_what_is_seen(&mut self, t: Instant) {
        if let Some(seen) = self.seen() {
            self.writer.write_what_is_seen(seen, t);
        }
    }

    // ---- the readings begin anew ----

    /// Reads nothing anew that was done before a line that is no action. The line may have changed what is possible.
    pub(super) fn settle_path(&mut self) {
        self.tracker.settle_path(self.writer.table());
    }

    /// Forgets what was shown, understood and asked: the readings begin at the table as it is. These events still wait.
    pub(super) fn begin(&mut self, waiting: Vec<TurnEvent>) {
        self.begin_from(waiting, None);
    }

    /// The same, where what the board showed counts from this mark on.
    pub(super) fn begin_from(&mut self, waiting: Vec<TurnEvent>, mark: Option<HistoryMark>) {
        self.tracker.begin(self.writer.table(), self.now, waiting, mark);
    }
}
