//! What people type, and what the watch writes.
//!
//! Rule 9 of "How a live table understands" (`docs/record.md`). Nothing is written that the table
//! refuses: whoever writes has asked it before.

use super::super::explain::Waiting;
use super::super::explanation::{Explanation, Step, Verdict};
use super::presses::Look;
use super::{End, Entry, PLIES_BACK, Ply, Watch};
use crate::rules::{Action, Turn, Violation};
use crate::table::{Body, Common, Effect, Evidence, Input, Probe, Stamp};
use tabiya_types::{Color, Instant};

impl Watch {
    pub(super) fn enter_turn(
        &mut self,
        input: &Input,
        action: &Action,
        happened: Instant,
        at: Instant,
    ) -> Result<(), Violation> {
        self.question = None;
        if self.waiting.is_empty() && self.auto() {
            // What stands on the board was made at its last change, not when somebody replied.
            self.take_standing_action(at);
        }
        let late = Some(happened).filter(|happened| *happened < at);
        if self.waiting.is_empty() {
            if let Turn::Timed { by, acted: false, .. } = self.table.turn()
                && action.by() == Some(by.other())
                && self.sight.known()
                && self.sight.board() != self.expected()
            {
                self.enter_reply(input, happened, at);
                return Ok(());
            }
            return self.write_turn(input, at, late);
        }
        let first_press = self.first_press().map(|(_, at)| at);
        let when = first_press.map(|press| press.min(happened)).or(late);
        // What the table would take now comes before the press that waits.
        if self.table.clone().apply(input, Stamp::new(when.unwrap_or(at), 0)).is_ok() {
            self.write_turn(input, at, when)?;
            if self.turn_is_typed() {
                // (9) typed by hand: it settles the earliest waiting press.
                self.settle_first_press(at);
            }
            if self.press_waits() {
                self.try_waiting(at, Look::Long);
            } else {
                self.let_held_lines_come(at);
            }
            return Ok(());
        }
        self.waiting.push_back(Waiting::Held { input: input.clone(), at: happened });
        Ok(())
    }

    /// The opponent's line counts as the press of an action that only the board shows.
    fn enter_reply(&mut self, input: &Input, happened: Instant, at: Instant) {
        let held = Waiting::Held { input: input.clone(), at: happened };
        if let Verdict::Is(way) = self.explained(&self.table.probe(), std::slice::from_ref(&held), None) {
            self.write_way(&way, at, true);
        } else {
            self.waiting.push_back(held);
        }
    }

    fn settle_first_press(&mut self, now: Instant) {
        let first = self.waiting.iter().position(|item| matches!(item, Waiting::Press { .. }));
        if let Some(Waiting::Press { by, at }) = first.and_then(|first| self.waiting.remove(first)) {
            self.write_quietly(Input::Common(Common::Press(by)), now, Some(at));
        }
    }

    fn write_turn(&mut self, input: &Input, at: Instant, when: Option<Instant>) -> Result<(), Violation> {
        let before = self.table.probe();
        let board = self.table.board();
        self.write(input.clone(), at, when)?;
        // A card turned over after the piece was put down gives a new meaning to a quiet board.
        self.looked_at = None;
        if self.table.board() == board {
            self.opening.push(input.clone());
        } else {
            self.add_ply(before, at, End::Typed);
        }
        Ok(())
    }

    /// Writes what an explanation consists of; moments before `now` become `when`.
    pub(super) fn write_way(&mut self, way: &Explanation, now: Instant, press: bool) {
        let mut stood = way.positions.iter();
        for (step, at) in &way.steps {
            let at =
                if self.table.clock().turn().is_some() { (*at).max(self.table.turn_began()) } else { *at };
            let when = Some(at.min(now)).filter(|at| *at < now);
            match step {
                Step::Did(action) => {
                    let before = self.table.probe();
                    if !self.write_quietly(Input::Game(action.clone()), now, when) {
                        // A flag fell before: what was seen after that was no game any more.
                        break;
                    }
                    self.add_ply(before, now, End::Open);
                    if let (Some(ply), Some(stood)) = (self.plies.back_mut(), stood.next()) {
                        ply.ended = stood.ended.unwrap_or(now);
                        ply.told = ply.ended;
                        ply.end = match (stood.pressed, stood.alone) {
                            (Some(at), _) => End::Press(action.by().unwrap_or(Color::White), at),
                            (None, true) if press => End::Alone(ply.ended),
                            (None, true) => End::Open,
                            (None, false) => End::Implied,
                        };
                    }
                }
                Step::Pressed(by) if press && self.turn_is_typed() => {
                    self.write_quietly(Input::Common(Common::Press(*by)), now, when);
                }
                // A press that came with the end of the game does nothing, and is kept.
                Step::Pressed(by) if press && self.is_over() => {
                    self.write_quietly(Input::Common(Common::Press(*by)), now, when);
                }
                Step::Pressed(_) => {}
                Step::Held(input) => {
                    if !self.write_held(input, now, when) {
                        break;
                    }
                }
            }
        }
        if self.expected() == self.sight.board()
            && let Some(ply) = self.plies.back_mut()
        {
            ply.told = ply.ended.max(self.sight.last_change());
        }
        self.question = None;
    }

    /// Writes a line that had been held; returns whether the table took it.
    pub(super) fn write_held(&mut self, input: &Input, now: Instant, when: Option<Instant>) -> bool {
        match input {
            Input::Game(action) if action.takes_turn() => self.write_turn(input, now, when).is_ok(),
            Input::Game(_) | Input::Common(_) => self.write_quietly(input.clone(), now, None),
        }
    }

    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        let when = when.filter(|when| *when != t);
        let at = when.unwrap_or(t);
        if self.table.deadline().is_some_and(|due| due <= at) {
            self.tick(t, at);
        }
        let effects = self.table.apply(&input, Stamp::new(at, self.lines + 1))?;
        self.push(t, when, Body::Acted(input), effects);
        if !self.sight.tells_pieces() {
            // What stands there has its name from what was understood.
            self.write_what_is_seen(t);
        }
        Ok(())
    }

    /// A line for what the board shows, unless the last one says so already.
    pub(super) fn write_what_is_seen(&mut self, t: Instant) {
        let Some(seen) = self.seen().filter(|seen| self.sees_told != Some(*seen)) else { return };
        self.sees_told = Some(seen);
        self.evidence(Evidence::Sees(seen), t);
    }

    /// Writes what the table takes; returns whether it did.
    pub(super) fn write_quietly(&mut self, input: Input, t: Instant, when: Option<Instant>) -> bool {
        self.write(input, t, when).is_ok()
    }

    /// A line for the time that ran out by `at`, if that changed anything.
    pub(super) fn tick(&mut self, t: Instant, at: Instant) {
        let before = (self.table.phase(), self.table.to_act());
        let tick = Input::Common(Common::Tick);
        let effects = self.table.apply(&tick, Stamp::new(at, self.lines + 1)).unwrap_or_default();
        if !effects.is_empty() || before != (self.table.phase(), self.table.to_act()) {
            self.push(t, None, Body::Acted(tick), effects);
        }
    }

    pub(super) fn evidence(&mut self, evidence: Evidence, t: Instant) {
        self.push(t, None, Body::Evidence(evidence), Vec::new());
    }

    fn push(&mut self, t: Instant, when: Option<Instant>, body: Body, effects: Vec<Effect>) {
        self.lines = self.lines.saturating_add(1);
        self.out.push(Entry { t, when, body, effects, after: self.table.clone() });
    }

    fn add_ply(&mut self, before: Probe, at: Instant, end: End) {
        if self.plies.len() == PLIES_BACK {
            self.plies.pop_front();
        }
        let opening = std::mem::take(&mut self.opening);
        self.plies.push_back(Ply { before, opening, end, ended: at, at, told: at });
    }

    /// An undo or a redo was entered: the ply it took back is no earlier position any more.
    pub(super) fn step_back(&mut self) {
        if self.plies.back().is_some_and(|ply| ply.before.physical() == self.table.physical()) {
            self.plies.pop_back();
        }
        self.opening.clear();
        self.sight.forget_way();
        // What stood there before a person put it right means nothing by itself.
        self.looked_at = Some(self.sight.last_change());
        self.question = None;
    }

    pub(super) fn forget_plies(&mut self) {
        self.plies.clear();
        self.opening.clear();
        self.sight.forget_way();
        // What stood there before a person put it right means nothing by itself.
        self.looked_at = Some(self.sight.last_change());
        self.question = None;
    }
}
