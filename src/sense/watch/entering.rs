//! Presses, and lines that people type or that card readers report (`docs/record.md`, "What was seen, and what was
//! understood", rules 1, 2 and 9).

use tabiya_types::{Color, Instant};

use super::super::reading::{Happening, TurnEvent};
use super::super::search::Tail;
use super::Watch;
use super::tracker::Tracker;
use crate::rules::{Action, Turn, Violation};
use crate::table::{Common, Evidence, Input, Stamp, UndoWhat};

impl Watch {
    /// Enters a line that a person typed or a card reader reported. On `Err` the rules refused the line, and
    /// it was not written.
    pub fn enter(&mut self, input: &Input, at: Instant) -> Result<(), Violation> {
        self.enter_late(input, at, at)
    }

    /// Enters a line about something that happened at `at` but is entered only at `now`. On `Err` the rules
    /// refused the line, and it was not written.
    pub fn enter_late(&mut self, input: &Input, at: Instant, now: Instant) -> Result<(), Violation> {
        let tracker = &mut self.tracker;
        tracker.pass(now);
        match input {
            Input::Common(Common::Press(by)) => tracker.press(*by, at, now),
            Input::Game(action) if action.takes_turn() => tracker.enter_turn(action, at, now),
            _ => tracker.enter_other(input, now),
        }
    }
}

impl Tracker {
    /// Handles a press that happened at `at` and is reported at `now`. On `Err` the rules refused the press.
    pub(super) fn press(&mut self, by: Color, at: Instant, now: Instant) -> Result<(), Violation> {
        let press = Input::Common(Common::Press(by));
        let waits = self.press_waits();
        let Turn::Timed { by: mover, acted, .. } = self.table().turn() else {
            if self.may_reopen() {
                self.push(Happening::Press(by), at, false);
                self.look(Tail::Open, false);
                return Ok(());
            }
            return self.try_write(press, now, Some(at));
        };
        let ends_turn = acted && by == mover && !waits;
        let started = self.table().clock().turn().is_some();
        let nothing = !self.differs();
        let unseen = !self.has_board && !self.history.known();
        let plain = self.table().clock().paused()
            || self.auto()
            || ends_turn
            || (!waits && unseen)
            || (!waits && !started && nothing)
            || (!waits && by != mover && nothing && !self.has_path());
        if plain {
            self.try_write(press, now, Some(at))?;
            if ends_turn && !self.has_path() {
                self.reset();
            }
            return Ok(());
        }
        self.push(Happening::Press(by), at, false);
        self.look(Tail::Open, false);
        let waits = self.waiting_presses().any(|press| press == (by, at));
        if waits && !started && by != mover {
            // It starts the clock of the first player, although the board is not set up as it should be.
            self.events.pop();
            return self.try_write(press, now, Some(at));
        }
        if waits {
            if let Some(event) = self.events.last_mut() {
                event.written = true;
            }
            self.writer.evidence(Evidence::Button(by), now);
        }
        Ok(())
    }

    /// Enters a typed action that takes a turn.
    fn enter_turn(&mut self, action: &Action, at: Instant, now: Instant) -> Result<(), Violation> {
        self.question = None;
        let input = Input::Game(action.clone());
        let first = self.waiting_presses().next().map(|(_, first)| first);
        let when = first.map_or(at, |first| first.min(at));
        if first.is_none() {
            let Turn::Timed { by, acted, .. } = self.table().turn() else {
                return self.write_turn(input, action, at, now);
            };
            // The player to move has acted on the board, but neither pressed nor typed it.
            let stands = !acted && action.by() == Some(by.other()) && self.differs();
            if !stands {
                return self.write_turn(input, action, at, now);
            }
        } else if self.table().refusal(&input, when).is_none() {
            // It settles the press that has waited longest, or it is a card that belongs before that press.
            let waiting = self.waiting().to_vec();
            self.write_turn(input, action, when, now)?;
            if action.changes_board() {
                self.settle_first_press(waiting, now);
            }
            self.look(Tail::Open, false);
            return Ok(());
        }
        self.push(Happening::Line(action.clone()), at, false);
        self.look(Tail::Open, false);
        Ok(())
    }

    /// Writes a typed action. If it changes the board, the readings begin after it.
    fn write_turn(
        &mut self,
        input: Input,
        action: &Action,
        at: Instant,
        now: Instant,
    ) -> Result<(), Violation> {
        let (pieces, count) = (*self.writer.pieces(), self.table().count());
        self.try_write(input, now, Some(at))?;
        if action.changes_board() {
            self.remember(pieces, count);
            self.reset();
            return Ok(());
        }
        self.add_line(action, at, count);
        // A player may put a piece down first and turn its card over afterwards. The card changes what the board means.
        self.rested = None;
        Ok(())
    }

    /// A typed action has ended the turn of the first waiting press.
    fn settle_first_press(&mut self, mut waiting: Vec<TurnEvent>, now: Instant) {
        let acted = matches!(self.table().turn(), Turn::Timed { acted: true, .. });
        let press = |event: &TurnEvent| matches!(event.happening, Happening::Press(_));
        let first = waiting.iter().position(press).filter(|_| acted).map(|first| waiting.remove(first));
        if let Some(TurnEvent { happening: Happening::Press(by), mark, .. }) = &first {
            self.write(Input::Common(Common::Press(*by)), now, Some(mark.at));
        }
        self.reset_with(waiting);
        if let Some(first) = first {
            self.root.mark = first.mark;
        }
    }

    fn enter_other(&mut self, input: &Input, now: Instant) -> Result<(), Violation> {
        match input {
            // While a press waits, no `tick` line is written, because the press may have been made before the flag fell.
            Input::Common(Common::Tick) if self.press_waits() => Ok(()),
            Input::Common(Common::Undo { what, .. }) if self.press_waits() && *what != UndoWhat::Ruling => {
                let press = |event: &TurnEvent| matches!(event.happening, Happening::Press(_));
                let last = self.events.iter().rposition(press).unwrap_or(self.events.len());
                self.events.truncate(last);
                self.question = None;
                self.write_held();
                Ok(())
            }
            Input::Common(Common::Undo { .. } | Common::Redo { .. }) => {
                self.try_write(input.clone(), now, None)?;
                self.reset();
                Ok(())
            }
            Input::Common(Common::Rule(ruling)) => {
                if ruling.winner.is_some() {
                    self.take_standing();
                }
                self.try_write(input.clone(), now, None)?;
                let waiting = if ruling.fen.is_some() { Vec::new() } else { self.waiting().to_vec() };
                self.earlier.clear();
                self.reset_with(waiting);
                Ok(())
            }
            Input::Common(Common::Next(_) | Common::EndMatch { .. }) => {
                self.take_standing();
                self.release();
                self.try_write(input.clone(), now, None)?;
                self.earlier.clear();
                self.history.forget_changes();
                self.reset();
                Ok(())
            }
            _ if self.press_waits() && self.table().deadline().is_some_and(|due| due <= now) => {
                // It would make a flag fall, although the press that waits may have been made in time.
                if self.held.last().is_none_or(|(last, _)| last != input) {
                    self.held.push((input.clone(), now));
                }
                Ok(())
            }
            _ => {
                if self.stops(input, now) {
                    self.take_standing();
                }
                self.try_write(input.clone(), now, None)?;
                // The next undo takes back this line first, so the actions before it are not read anew.
                self.settle_path();
                self.earlier.clear();
                // After a pause, or with a stand-in that is named only now, the board may mean something else.
                if matches!(input, Input::Common(Common::Resume(_) | Common::Stands { .. })) {
                    self.rested = None;
                    self.look(Tail::Open, false);
                }
                Ok(())
            }
        }
    }

    /// Whether this line pauses or ends the game, so that an action that stands on the board is written before it.
    fn stops(&self, input: &Input, at: Instant) -> bool {
        if matches!(input, Input::Common(Common::Pause(_))) {
            return true;
        }
        let mut then = self.table().clone();
        let running = then.game().outcome().is_none();
        running && then.apply(input, Stamp::new(at, 0)).is_ok() && then.game().outcome().is_some()
    }

    /// Settles an action that stands on the board, because the clock stops or the input ends (rule 1).
    pub(super) fn take_standing(&mut self) {
        if self.press_waits() {
            self.look(Tail::Open, true);
        } else if self.differs() && self.table().mover().is_some() {
            self.look(Tail::Finish, true);
        }
    }

    /// Gives up the presses that wait, and writes the lines that were held back for them.
    pub(super) fn release(&mut self) {
        self.events.truncate(self.consumed());
        self.write_held();
    }

    /// The game is over: the presses that still wait end nothing.
    pub(super) fn release_presses(&mut self) {
        let presses: Vec<(Color, Instant)> = self.waiting_presses().collect();
        self.release();
        for (by, at) in presses {
            self.write(Input::Common(Common::Press(by)), self.now, Some(at));
        }
    }

    /// Writes the lines that were held back, once no press waits.
    pub(super) fn write_held(&mut self) {
        if !self.press_waits() {
            for (input, _) in std::mem::take(&mut self.held) {
                self.write(input, self.now, None);
            }
        }
    }

    /// Writes an input that happened at `when`. On `Err` the rules refused it.
    pub(super) fn try_write(
        &mut self,
        input: Input,
        t: Instant,
        when: Option<Instant>,
    ) -> Result<(), Violation> {
        self.writer.write(input, t, when)?;
        if self.history.felt() {
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
}
