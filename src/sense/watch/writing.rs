//! What is believed is written. Two paths are compared: the steps that are written, and the reading that is believed
//! now. Where the two part, the written steps are undone, and the new ones are written (`docs/record.md`, "What was
//! seen, and what was understood", rules 2 and 8).

use tabiya_types::{Color, Instant, Millis, say};

use super::super::by_hand::ARBITER_AFTER;
use super::super::reading::{End, Occasion, Reading, Step, StepKind};
use super::super::tracker::{Difference, Settled};
use super::scribe::{Scribe, press};
use super::sight::UNDO;
use super::unpressed::WatchRemark;
use crate::rules::Turn;
use crate::table::{Evidence, Input, Question, Voice};

/// How a player's answer ended.
#[derive(Clone, Copy)]
struct Answered {
    at: Instant,
    /// Whether a press ended it.
    pressed: bool,
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

impl Scribe {
    /// Writes what the reading says and the table does not know yet.
    pub(super) fn believe(&mut self, reading: &Reading) {
        let difference = self.tracker.difference(reading);
        if difference.adds || difference.replaces {
            let stands = difference.replaces && reading.stands_on(self.tracker.history());
            if !stands && !difference.is_plausible() {
                return;
            }
            self.explain(reading.occasion, difference.shared);
        }
        // At an event, the arbiter decides about a change that comes late.
        let late = |settled: &Settled| {
            self.now > settled.step.mark.at + Millis(ARBITER_AFTER * self.tracker.settling_time().0)
        };
        let late = self.tracker.recorded().nth(difference.shared).filter(|replaced| late(replaced));
        let late = late.map(|replaced| replaced.count);
        match late.filter(|_| self.table().terms().voice == Voice::Event) {
            Some(count) => {
                let undos = self.sight().undos_to(count);
                let again = self.sight().taken_along(undos, count);
                let inputs = again.into_iter().chain(inputs(difference.new)).collect();
                self.tracker.ask(Question::Changed { undos, inputs });
            }
            None => self.write_reading(reading),
        }
    }

    /// Undoes the written steps that the reading does not contain, and writes the steps that are new.
    pub(super) fn write_reading(&mut self, reading: &Reading) {
        let Difference { shared, adds, replaces, .. } = self.tracker.difference(reading);
        let replaced = self.tracker.recorded().nth(shared).map(|settled| settled.count);
        let undos = replaced.map_or(0, |count| self.sight().undos_to(count));
        // A card that the undos take along is written again: as a step of the path, or here if it lies before the path.
        let first = self.tracker.recorded().next().map_or(0, |settled| settled.count);
        let again = self.sight().taken_along(undos, first);
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
        if !self.write_steps(self.sight().certain(reading), &kept, replaces, reading.occasion) {
            self.begin(Vec::new());
            return;
        }
        if adds || replaces {
            self.tracker.withdraw_question();
            self.tracker.ask_again();
        }
        if !self.sight().is_over() {
            self.tracker.note_end(false, self.now);
        }
        self.advance();
        self.write_held();
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
        self.written(path);
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
        self.evidence(Evidence::Button(by), self.now);
        let remark = say!(
            "remark-mistake",
            "{other} pressed the clock by mistake, and {by} pressed it back",
            other = by.other(),
            by
        );
        self.remarks.push(remark.into());
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
        let at = if anew { self.now } else { self.sight().ended_at(step, answered.map(|answer| answer.at)) };
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
        let rested = end == End::Rest
            && (self.tracker.is_auto() || occasion == Occasion::Rest && !self.sight().is_over());
        if !anew && !self.tracker.is_auto() && (end != End::Rest || rested) {
            let other_pressed = answered.is_some_and(|answer| answer.pressed);
            let remark = self.unpressed.follow(step.by, end, other_pressed);
            self.remarks.extend(remark.map(|says| WatchRemark { says, unpressed: true }));
        }
        let ends = matches!(self.table().turn(), Turn::Timed { acted: true, .. });
        if (pressed || rested) && ends || self.sight().is_over() && end == End::Press {
            drop(self.write(press(step.by), self.now, when));
        } else if pressed && self.table().game().early_press_waits() {
            self.evidence(Evidence::Button(step.by), self.now);
            self.tracker.pressed_early(step.by, at);
        }
        true
    }
}
