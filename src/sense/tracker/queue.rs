//! What waits to be understood, in one place. An entry says what it is, and there are three ways out: it is *explained* by
//! what is written, it is *dropped* because people took it back or went on without it, or it is *released* because nothing
//! stands in its way any more.

use tabiya_types::{Color, Instant};

use super::super::reading::{Happening, TurnEvent};
use crate::rules::Action;
use crate::table::{Common, Input};

/// What waits.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// What may end a turn, in its order. The search reads this as a slice; the written steps explain the first of it.
    events: Vec<TurnEvent>,
    /// What waits beside that, in the order in which it came.
    lines: Vec<WaitingLine>,
}

/// A line that waits, and when it was typed or pressed.
#[derive(Clone, Debug)]
struct WaitingLine {
    at: Instant,
    what: WaitsFor,
}

/// What a line waits for.
#[derive(Clone, Debug)]
enum WaitsFor {
    /// For its move: it belongs after one that is not understood yet, such as the card that was drawn.
    Move(Action),
    /// For the presses that wait: it would make a flag fall, and they may have been made before that.
    Press(Input),
    /// For the rest of its turn: this press came before a part of it that no board shows, such as the card that was drawn.
    RestOfTurn(Color),
}

impl WaitingLine {
    fn said(&self) -> Option<&Action> {
        match &self.what {
            WaitsFor::Move(action) => Some(action),
            WaitsFor::Press(_) | WaitsFor::RestOfTurn(_) => None,
        }
    }

    fn held(&self) -> Option<&Input> {
        match &self.what {
            WaitsFor::Press(input) => Some(input),
            WaitsFor::Move(_) | WaitsFor::RestOfTurn(_) => None,
        }
    }

    fn pressed(&self) -> Option<(Color, Instant)> {
        match self.what {
            WaitsFor::RestOfTurn(by) => Some((by, self.at)),
            WaitsFor::Move(_) | WaitsFor::Press(_) => None,
        }
    }
}

impl Queue {
    /// What goes on waiting where the readings begin anew with these events. The turn of a press that came early is over.
    pub(super) fn anew(mut self, events: Vec<TurnEvent>) -> Self {
        self.drop_early_press();
        Self { events, ..self }
    }

    // ---- what comes in ----

    pub(super) fn push(&mut self, event: TurnEvent) {
        self.events.push(event);
    }

    /// Adds an event before the one with this number.
    pub(super) fn insert(&mut self, nth: usize, event: TurnEvent) {
        self.events.insert(nth, event);
    }

    /// Adds a line that belongs after a move that is not understood yet.
    pub(super) fn say(&mut self, action: Action, at: Instant) {
        self.lines.push(WaitingLine { at, what: WaitsFor::Move(action) });
    }

    /// Holds a line back until no press waits. The same line twice in a row is one.
    pub(super) fn hold(&mut self, input: &Input, at: Instant) {
        if self.lines.iter().filter_map(WaitingLine::held).next_back() != Some(input) {
            self.lines.push(WaitingLine { at, what: WaitsFor::Press(input.clone()) });
        }
    }

    /// Adds a press that came before a part of its turn. There is one turn, so there is one such press.
    pub(super) fn press_early(&mut self, by: Color, at: Instant) {
        self.drop_early_press();
        self.lines.push(WaitingLine { at, what: WaitsFor::RestOfTurn(by) });
    }

    // ---- questions ----

    /// What may end a turn: the search explains it.
    pub(super) fn events(&self) -> &[TurnEvent] {
        &self.events
    }

    pub(super) fn events_mut(&mut self) -> impl Iterator<Item = &mut TurnEvent> {
        self.events.iter_mut()
    }

    pub(super) fn event_mut(&mut self, nth: usize) -> Option<&mut TurnEvent> {
        self.events.get_mut(nth)
    }

    /// The lines that belong after moves that are not understood yet, in the order of these moves, and when they were typed.
    pub(super) fn said(&self) -> impl Iterator<Item = (&Action, Instant)> {
        self.lines.iter().filter_map(|line| Some((line.said()?, line.at)))
    }

    /// The press that came before a part of its turn.
    pub(super) fn early_press(&self) -> Option<(Color, Instant)> {
        self.lines.iter().find_map(WaitingLine::pressed)
    }

    /// What has no explanation yet, as inputs, if the first events are explained. An early press is written already, and
    /// nobody made a rest.
    pub(super) fn inputs(&self, explained: usize) -> impl Iterator<Item = (Input, Instant)> {
        let event = |event: &TurnEvent| match &event.happening {
            Happening::Press(by) => Some((Input::Common(Common::Press(*by)), event.mark.at)),
            Happening::Line(action) => Some((Input::Game(action.clone()), event.mark.at)),
            Happening::Rest => None,
        };
        let events = self.events.iter().skip(explained).filter_map(event);
        let held = self.lines.iter().filter_map(|line| Some((line.held()?.clone(), line.at)));
        events.chain(held).chain(self.said().map(|(action, at)| (Input::Game(action.clone()), at)))
    }

    // ---- explained ----

    /// The first events are part of the root now.
    pub(super) fn explain(&mut self, events: usize) {
        self.events.drain(..events.min(self.events.len()));
    }

    /// A move of this player is written: takes what he said after it, by `until` if that is given.
    pub(super) fn explain_said(&mut self, by: Option<Color>, until: Option<Instant>) -> Option<Action> {
        let of_turn = |line: &WaitingLine| {
            line.said().is_some_and(|said| said.by() == by) && until.is_none_or(|until| line.at <= until)
        };
        let nth = self.lines.iter().position(of_turn)?;
        self.lines.remove(nth).said().cloned()
    }

    // ---- dropped ----

    /// Drops this event and all later ones.
    pub(super) fn drop_from(&mut self, nth: usize) {
        self.events.truncate(nth);
    }

    /// Drops what was said last after a move that is not understood yet.
    pub(super) fn drop_last_said(&mut self) {
        let last = self.lines.iter().rposition(|line| line.said().is_some());
        last.map(|nth| self.lines.remove(nth));
    }

    /// Drops everything that was said after moves that are not understood yet.
    pub(super) fn drop_said(&mut self) {
        self.lines.retain(|line| line.said().is_none());
    }

    pub(super) fn drop_early_press(&mut self) {
        self.lines.retain(|line| line.pressed().is_none());
    }

    // ---- released ----

    /// Releases the lines that were held back.
    pub(super) fn release(&mut self) -> Vec<Input> {
        let held = self.lines.iter().filter_map(WaitingLine::held).cloned().collect();
        self.lines.retain(|line| line.held().is_none());
        held
    }
}
