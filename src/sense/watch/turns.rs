//! Writes what people type or press about a turn, and what they do while nobody's time runs.

use tabiya_types::{Color, Instant, say};

use super::super::reading::TurnEvent;
use super::scribe::{Scribe, press};
use crate::rules::{Action, Turn, Violation};
use crate::table::Input;

impl Scribe {
    /// Writes a typed action. If a press came before it that had to wait for it, that press ends the turn at its moment.
    pub(super) fn write_last_part(
        &mut self,
        action: &Action,
        at: Instant,
        now: Instant,
    ) -> Result<(), Violation> {
        let owed = self.tracker.early_press_of(action.by()).filter(|_| !action.changes_board());
        self.write_turn(action, owed.map_or(at, |(_, pressed)| pressed.min(at)), now)?;
        if let Some((by, pressed)) = owed
            && matches!(self.table().turn(), Turn::Timed { by: mover, acted: true, .. } if mover == by)
        {
            self.write(press(by), now, Some(pressed))?;
            self.begin(Vec::new());
        }
        Ok(())
    }

    /// Writes a typed action. If it changes the board, the readings begin after it.
    pub(super) fn write_turn(&mut self, action: &Action, at: Instant, now: Instant) -> Result<(), Violation> {
        let (pieces, count) = (self.tracker.pieces(), self.table().count());
        let before = self.table().mover();
        self.write(Input::Game(action.clone()), now, Some(at))?;
        if action.changes_board() {
            self.write_said_after(action.by(), Some(at), None);
        }
        let ended_turn = before.is_some() && self.table().mover() == before.map(Color::other);
        if action.changes_board() {
            self.remember(pieces, count);
            self.begin(Vec::new());
        } else if ended_turn && !self.tracker.press_waits() {
            // Without presses, the last part of a turn ends it.
            self.begin(Vec::new());
        } else {
            if !self.tracker.add_said(action) {
                self.tracker.add_line(action, at, count);
            }
            // A player may put a piece down first and turn its card over afterwards. The card changes what the board
            // means.
            self.tracker.examine_again();
        }
        Ok(())
    }

    /// A typed line may have completed a turn: the first press of its player that waited for it ends it.
    pub(super) fn settle_first_press(&mut self, mut waiting: Vec<TurnEvent>, now: Instant) {
        let mover = self.table().mover().filter(|_| self.sight().has_acted());
        let of_mover = |event: &TurnEvent| event.press().is_some_and(|(by, _)| Some(by) == mover);
        let first = waiting.iter().position(of_mover).map(|nth| {
            let first = waiting.remove(nth);
            // What the other player pressed before that ended nothing.
            let mut before = 0..nth;
            waiting.retain(|event| before.next().is_none() || event.press().is_none());
            first
        });
        if let Some((by, at)) = first.as_ref().and_then(TurnEvent::press) {
            drop(self.write(press(by), now, Some(at)));
        }
        self.begin_from(waiting, first.map(|first| first.mark));
    }

    /// Holds back what a player says after a move that is still to be understood: one line for each such move. On `Err`
    /// the rules refuse the line, and no move waits for it.
    pub(super) fn hold_back(&mut self, action: &Action, at: Instant) -> Result<(), Violation> {
        let by = action.by();
        let presses = self.tracker.waiting_presses().filter(|(pressed, _)| Some(*pressed) == by).count();
        let said = self.tracker.said().filter(|(said, _)| said.by() == by).count();
        if said >= presses.max(1)
            && let Some(violation) = self.table().refusal(&Input::Game(action.clone()), at)
        {
            return Err(violation);
        }
        self.tracker.said_early(action.clone(), at);
        if presses == 0 {
            let waits = |by| {
                say!("remark-said-waits", "what {by} said waits until the board shows {by}'s move", by).into()
            };
            self.remarks.extend(by.map(waits));
        }
        Ok(())
    }

    /// Drops the press that began to wait last.
    pub(super) fn drop_last_press(&mut self) {
        if let Some((by, _)) = self.tracker.waiting_presses().last() {
            self.remarks.push(say!("remark-press-dropped", "{by}'s press is taken back", by).into());
        }
        self.tracker.drop_last_press();
        self.tracker.drop_said();
        self.tracker.withdraw_question();
        if !self.tracker.press_waits() {
            // People have taken over: what is written is not read anew without the presses.
            self.settle_path();
        }
        self.write_held();
    }

    /// Settles an action that the board shows at rest although nobody's time runs, such as a piece that is taken off
    /// before the game. Returns whether there was one.
    pub(super) fn take_untimed(&mut self) -> bool {
        let rests = self.tracker.history().known && self.tracker.rests_at() <= self.now;
        if self.table().mover().is_some() || self.sight().is_over() || !rests || !self.tracker.differs() {
            return false;
        }
        let mut fitting = self.sight().standing();
        let (Some(action), None) = (fitting.next(), fitting.next()) else { return false };
        drop(fitting);
        let written = self.write(Input::Game(action), self.now, None).is_ok();
        if written {
            self.begin(Vec::new());
        }
        written
    }
}
