//! What the watch tells the tracker: what came in, what is written, what was asked, and what people take back.

use tabiya_types::{Color, Instant, Observation};

use super::super::history::{BoardHistory, Grid};
use super::super::reading::Happening;
use super::{OfferedAnswer, OpenQuestion, Settled, Tracker};
use crate::rules::Action;
use crate::table::{Input, Question, Table};

impl Tracker {
    // ---- the board ----

    /// Takes in what the board shows. Returns whether it shows something else than before. With the first board that is known,
    /// and with the first of another kind of board, the readings begin anew at the table as it is `now`.
    pub(in super::super) fn observe(
        &mut self,
        observation: &Observation,
        at: Instant,
        table: &Table,
        now: Instant,
    ) -> bool {
        let before = (self.history.known, self.history.kind);
        let changed = self.history.observe(observation, at);
        if self.history.known && before != (true, self.history.kind) {
            self.begin_with_board(table, now);
        }
        changed
    }

    pub(in super::super) fn history(&self) -> &BoardHistory {
        &self.history
    }

    /// Drops what the board showed, so that a long evening needs no more memory than a game.
    pub(in super::super) fn forget_changes(&mut self) {
        self.history.forget_changes();
    }

    /// These pieces should stand on the board from now on.
    pub(in super::super) fn expect(&mut self, pieces: Grid) {
        self.pieces = pieces;
    }

    // ---- what waits ----

    /// Somebody has pressed. `written` means that the record has a line for it.
    pub(in super::super) fn pressed(&mut self, by: Color, at: Instant, written: bool) {
        self.push(Happening::Press(by), at, written);
    }

    /// Somebody has typed an action that takes a turn, and that waits.
    pub(in super::super) fn typed(&mut self, action: Action, at: Instant) {
        self.push(Happening::Line(action), at, false);
    }

    /// Nobody presses, and the board has come to rest.
    pub(in super::super) fn rested(&mut self) {
        let at = self.history.last_change.max(self.since.root.mark.at);
        self.push(Happening::Rest, at, false);
    }

    /// Somebody has said what belongs after a move that is not understood yet.
    pub(in super::super) fn said_early(&mut self, action: Action, at: Instant) {
        self.since.queue.say(action, at);
    }

    /// A written press came before a part of its turn that no board shows.
    pub(in super::super) fn pressed_early(&mut self, by: Color, at: Instant) {
        self.since.queue.press_early(by, at);
    }

    /// The press by this player that came before a part of its turn.
    pub(in super::super) fn early_press_of(&self, by: Option<Color>) -> Option<(Color, Instant)> {
        self.since.queue.early_press().filter(|(pressed, _)| Some(*pressed) == by)
    }

    /// Holds a line back until no press waits.
    pub(in super::super) fn hold(&mut self, input: &Input, at: Instant) {
        self.since.queue.hold(input, at);
    }

    /// The lines that were held back, if no press waits any more.
    pub(in super::super) fn release(&mut self) -> Vec<Input> {
        if self.press_waits() { Vec::new() } else { self.since.queue.release() }
    }

    // ---- what is written ----

    /// A line is written for this event. Returns whether it is the first.
    pub(in super::super) fn event_is_written(&mut self, nth: usize) -> bool {
        let event = self.since.queue.event_mut(nth).filter(|event| !event.written);
        event.map(|event| event.written = true).is_some()
    }

    /// A line is written for the last event.
    pub(in super::super) fn last_is_written(&mut self) {
        let last = self.since.queue.events().len().checked_sub(1);
        if let Some(last) = last {
            self.event_is_written(last);
        }
    }

    /// These steps are written. Where no event carries what was said, the readings begin after it.
    pub(in super::super) fn written(&mut self, path: Vec<Settled>, table: &Table) {
        let unread = |Settled { step, .. }: &Settled| !step.said.is_empty() && self.event_of(step).is_none();
        let settled = path.iter().rposition(unread).map_or(0, |last| last + 1);
        self.since.path = path;
        self.since.settle(settled, table);
    }

    /// A move of this player is written: takes what he said after it, by `until` if that is given.
    pub(in super::super) fn explain_said(
        &mut self,
        by: Option<Color>,
        until: Option<Instant>,
    ) -> Option<Action> {
        self.since.queue.explain_said(by, until)
    }

    /// The game is over, or goes on.
    pub(in super::super) fn note_end(&mut self, over: bool, now: Instant) {
        self.since.ended = if over { self.since.ended.or(Some(now)) } else { None };
    }

    /// When the game was first seen to have ended.
    pub(in super::super) fn ended(&self) -> Option<Instant> {
        self.since.ended
    }

    // ---- what is taken back ----

    pub(in super::super) fn drop_last_event(&mut self) {
        self.since.queue.drop_from(self.since.queue.events().len().saturating_sub(1));
    }

    /// Drops the press that began to wait last, and what came after it.
    pub(in super::super) fn drop_last_press(&mut self) {
        let last = self.since.queue.events().iter().rposition(|event| event.press().is_some());
        if let Some(last) = last {
            self.since.queue.drop_from(last);
        }
    }

    /// Drops all events that wait.
    pub(in super::super) fn drop_waiting(&mut self) {
        self.since.queue.drop_from(self.since.consumed());
    }

    pub(in super::super) fn drop_last_said(&mut self) {
        self.since.queue.drop_last_said();
    }

    pub(in super::super) fn drop_said(&mut self) {
        self.since.queue.drop_said();
    }

    pub(in super::super) fn drop_early_press(&mut self) {
        self.since.queue.drop_early_press();
    }

    // ---- what people are asked ----

    pub(in super::super) fn ask(&mut self, asked: impl Into<OpenQuestion>) {
        self.since.asked = Some(asked.into());
    }

    pub(in super::super) fn withdraw_question(&mut self) {
        self.since.asked = None;
    }

    pub(in super::super) fn question(&self) -> Option<&Question> {
        self.since.asked.as_ref().map(|asked| &asked.question)
    }

    /// The answers to the question which action was played.
    pub(in super::super) fn answers(&self) -> &[OfferedAnswer] {
        self.since.asked.as_ref().map_or(&[], |asked| &asked.answers)
    }

    // ---- when the board is looked at ----

    /// A look was due.
    pub(in super::super) fn looked(&mut self, now: Instant) {
        self.looks.last = now;
    }

    /// This rest is examined now.
    pub(in super::super) fn examine_rest(&mut self, now: Instant) {
        self.looks.rested = Some(self.history.last_change);
        self.looks.last = self.looks.last.max(now);
    }

    /// Whether this rest was examined already.
    pub(in super::super) fn rest_is_examined(&self) -> bool {
        self.looks.rested == Some(self.history.last_change)
    }

    /// The board may mean something else now: this rest is to be examined again.
    pub(in super::super) fn examine_again(&mut self) {
        self.looks.rested = None;
    }

    /// Whether people were asked about the newest press that waits, if one waits. Each further press is a reason to ask again.
    pub(in super::super) fn is_asked(&self) -> bool {
        self.looks.asked == self.newest_press()
    }

    /// People are asked about the presses that wait.
    pub(super) fn note_asked(&mut self) {
        self.looks.asked = self.newest_press();
    }

    fn newest_press(&self) -> Option<Instant> {
        self.waiting_presses().last().map(|(_, at)| at)
    }

    /// People may be asked about the same press again.
    pub(in super::super) fn ask_again(&mut self) {
        self.looks.asked = None;
    }

    /// Whether nobody was asked about a missing piece at this time or later.
    pub(in super::super) fn misses_first_at(&self, at: Instant) -> bool {
        at > self.looks.missed
    }
}
