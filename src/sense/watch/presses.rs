//! Presses: some take effect at once, others wait until the board explains them.
//!
//! This file implements rules 1, 2, 4, 5 and 9 of `docs/record.md`, "What was seen, and what was understood".

use tabiya_types::{Color, Instant};

use super::super::explain::Waiting;
use super::super::explanation::{Patience, SearchResult};
use super::super::guide::Question;
use super::tracker::Tracker;
use crate::rules::{Turn, Violation};
use crate::table::{Common, Evidence, Input};

/// The reason why the tracker examines the board now. The variants are sorted from the least thorough
/// examination to the most thorough one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Scrutiny {
    /// One square changed, and more changes will follow.
    Glance,
    /// The whole board was reported. This report also contains changes whose own updates had been lost.
    Whole,
    /// A press has come, or the board is at rest.
    Long,
    /// A press has waited too long. If the board still does not explain the press, the players must be asked.
    Last,
    /// The input has ended: nothing more will be reported.
    End,
}

impl Tracker {
    /// Handles a press that happened at `at` and is reported at `now`. On `Err` the rules refused the press.
    pub(super) fn press(&mut self, by: Color, at: Instant, now: Instant) -> Result<(), Violation> {
        let press = Input::Common(Common::Press(by));
        let when = Some(at).filter(|at| *at < now);
        let Turn::Timed { by: mover, acted, .. } = self.table().turn() else {
            if self.scene().is_over() && (self.waiting.has_press() || self.case().went_on()) {
                self.wait_for(by, at, now);
                return Ok(());
            }
            self.plies.note_press(by, at);
            return self.write(press, now, when);
        };
        let unseen = !self.has_board && !self.sight.known();
        let started = self.table().clock().turn().is_some();
        let nothing = self.sight.board() == self.scene().expected();
        let ends_turn = acted && by == mover && self.waiting.is_empty();
        let plain = self.table().clock().paused()
            || self.scene().auto()
            || ends_turn
            || (unseen && self.waiting.is_empty())
            || (!started && (nothing || (by != mover && !self.case().shows_two_actions(by, at))))
            || (self.waiting.is_empty() && by != mover && nothing);
        if plain {
            if ends_turn || (!acted && by != mover) {
                self.plies.note_press(by, at);
            }
            return self.write(press, now, when);
        }
        self.wait_for(by, at, now);
        Ok(())
    }

    /// Explains a press by the board. If that is not possible yet, the press waits and is written as evidence.
    fn wait_for(&mut self, by: Color, at: Instant, now: Instant) {
        self.waiting.push(Waiting::Press { by, at });
        self.try_waiting(now, Scrutiny::Long);
        if self.waiting.has_press_of(at) {
            self.writer.evidence(Evidence::Button(by), now);
            let late = at.max(self.sight.last_change()) + self.scene().settle();
            self.waiting.set_look_again(Some(late));
        }
    }

    /// Writes all presses and lines that wait, because the game is over. The presses have no effect.
    pub(super) fn release_presses(&mut self, now: Instant) {
        for item in self.waiting.take() {
            match item {
                Waiting::Press { by, .. } => {
                    self.write_quietly(Input::Common(Common::Press(by)), now, None);
                }
                Waiting::Held { input, .. } => {
                    self.write_held(&input, now, None);
                }
                Waiting::Unpressed { .. } | Waiting::Standing => {}
            }
        }
    }

    /// Explains all waiting presses and lines together, or lets all of them wait longer (`docs/record.md`, "What
    /// was seen, and what was understood", rule 2).
    pub(super) fn try_waiting(&mut self, now: Instant, look: Scrutiny) {
        let waiting = self.waiting.list();
        if waiting.is_empty() || self.table().clock().paused() {
            return;
        }
        let mut forward = self.case().explained(&self.scene().base(), &waiting, None);
        if matches!(forward, SearchResult::Nothing) {
            forward = self.case().explained_without(&waiting);
        }
        match forward {
            SearchResult::Unique(ref found)
                if look < Scrutiny::Long
                    && (self.case().last_is_doubtful()
                        || self.case().is_hurried(found)
                        || self.case().is_moved_on(found)) => {}
            SearchResult::Unique(found)
                if (look == Scrutiny::Whole && found.is_acceptable(Patience::None, false))
                    || (look == Scrutiny::Glance
                        && found.was_shown()
                        && found.is_acceptable(Patience::None, false)
                        && !self.case().waits_long(now)) =>
            {
                self.waiting.clear();
                self.write_explanation(&found, now, true);
            }
            // The board shows no new action. Either the opponent will press the clock back, or the board will
            // still report a lost update.
            SearchResult::Nothing
                if look < Scrutiny::Last && self.sight.board() == self.scene().expected() => {}
            forward if look >= Scrutiny::Long => {
                let patience = self.case().patience(look, now);
                let quiet = patience != Patience::None;
                let certain = matches!(&forward, SearchResult::Unique(found) if found.cost() == 0);
                let forward = if quiet && !certain {
                    // Perhaps the board shows the opponent's reply already, and only the press that belongs to the
                    // reply has not come yet.
                    let with_reply: Vec<Waiting> =
                        waiting.iter().cloned().chain([Waiting::Standing]).collect();
                    match (forward, self.case().explained(&self.scene().base(), &with_reply, None)) {
                        (SearchResult::Unique(shorter), SearchResult::Unique(longer)) => {
                            SearchResult::Unique(shorter.or(longer))
                        }
                        (SearchResult::Nothing, longer) => longer,
                        (forward, _) => forward,
                    }
                } else {
                    forward
                };
                self.take_better(forward, now, patience);
            }
            SearchResult::Unique(_) | SearchResult::Ambiguous(_) | SearchResult::Nothing => {}
        }
    }

    /// Tries again to explain the presses that wait, once late updates have arrived.
    pub(super) fn look_again(&mut self, now: Instant) {
        self.waiting.set_look_again(None);
        if self.case().is_pressed_back() {
            self.waiting.clear();
        } else {
            self.try_waiting(now, Scrutiny::Long);
        }
    }

    /// Drops the newest waiting press and the lines that were entered after it, because an undo takes back the
    /// turn of that press. If no press waits any more, the other waiting lines are written now.
    pub(super) fn drop_last_press(&mut self, now: Instant) {
        self.waiting.drop_last_press();
        self.question = None;
        if !self.waiting.has_press() {
            self.write_held_lines(now);
        }
    }

    /// Writes the waiting lines now, because no press waits any more.
    pub(super) fn write_held_lines(&mut self, now: Instant) {
        for item in self.waiting.take() {
            if let Waiting::Held { input, .. } = item {
                self.write_held(&input, now, None);
            }
        }
    }

    /// Makes a last attempt to explain a press that has waited too long, and now also accepts actions that the
    /// board showed out of order. If the attempt fails, asks the players what was played.
    pub(super) fn ask_for_help(&mut self) {
        self.try_waiting(self.now, Scrutiny::Last);
        let Some((_, first)) = self.waiting.first_press().filter(|_| self.question.is_none()) else { return };
        if self.scene().is_over() {
            self.release_presses(self.now);
            return;
        }
        let waiting = self.waiting.list();
        if !self.waiting.is_postponed(first)
            && matches!(self.case().explained(&self.scene().base(), &waiting, None), SearchResult::Nothing)
        {
            // No explanation fits, probably because a piece is in the air. The question is postponed, because the board
            // will show where the piece is put down.
            self.waiting.postpone(first);
            return;
        }
        self.waiting.note_asked(first);
        self.question = Some(Question::Which(Vec::new()));
    }

    /// The moment at which a press will have waited too long; `None` if no press waits or a question was already
    /// asked.
    pub(super) fn stuck_at(&self) -> Option<Instant> {
        let stuck = self.waiting.stuck_at(self.sight.last_change(), self.scene().settle());
        stuck.filter(|_| self.question.is_none())
    }
}
