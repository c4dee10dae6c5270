//! Presses: those that settle a turn, and those that wait until the board tells what they meant.
//!
//! Rules 1, 2, 4, 5 and 9 of "How a live table understands" (`docs/record.md`).

use tabiya_types::{Color, Instant};

use super::super::explain::Waiting;
use super::super::explanation::{Patience, SearchResult};
use super::super::guide::Question;
use super::tracker::Tracker;
use crate::rules::{Turn, Violation};
use crate::table::{Common, Evidence, Input};

/// How closely a picture is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Scrutiny {
    /// A square changed; more will follow.
    Glance,
    /// The whole board was told: what had been lost is cured.
    Whole,
    /// A press has come or the board is at rest.
    Long,
    /// The press waits for so long that it will have to be asked about.
    Last,
    /// Nothing more will come.
    End,
}

impl Tracker {
    /// A press at `at` that is told at `now`. On `Err` nothing was written.
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
            || (!started && (nothing || (by != mover && !self.case().tells_of_two(by, at))))
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

    /// Lets a press wait, unless the board explains it.
    fn wait_for(&mut self, by: Color, at: Instant, now: Instant) {
        self.waiting.push(Waiting::Press { by, at });
        self.try_waiting(now, Scrutiny::Long);
        if self.waiting.has_press_of(at) {
            self.writer.evidence(Evidence::Button(by), now);
            let late = at.max(self.sight.last_change()) + self.scene().settle();
            self.waiting.set_look_again(Some(late));
        }
    }

    /// The game was over after all: the presses that waited for it to go on do nothing.
    pub(super) fn let_presses_go(&mut self, now: Instant) {
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

    /// Explains all that waits together, or leaves it waiting (2). `look`: how much
    /// the picture is worth.
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
            SearchResult::Is(ref way)
                if look < Scrutiny::Long
                    && (self.case().last_is_doubtful()
                        || self.case().is_hurried(way)
                        || self.case().is_moved_on(way)) => {}
            SearchResult::Is(way)
                if (look == Scrutiny::Whole && way.is_believable(Patience::None, false))
                    || (look == Scrutiny::Glance
                        && way.was_shown()
                        && way.is_believable(Patience::None, false)
                        && !self.case().waits_long(now)) =>
            {
                self.waiting.clear();
                self.write_explanation(&way, now, true);
            }
            // A press for nothing: it will be pressed back, or a lost update comes.
            SearchResult::Nothing
                if look < Scrutiny::Last && self.sight.board() == self.scene().expected() => {}
            forward if look >= Scrutiny::Long => {
                let patience = self.case().patience(look, now);
                let quiet = patience != Patience::None;
                let certain = matches!(&forward, SearchResult::Is(way) if way.cost() == 0);
                let forward = if quiet && !certain {
                    // The opponent's reply stands already, and waits for its own press.
                    let with_reply: Vec<Waiting> =
                        waiting.iter().cloned().chain([Waiting::Standing]).collect();
                    match (forward, self.case().explained(&self.scene().base(), &with_reply, None)) {
                        (SearchResult::Is(way), SearchResult::Is(longer)) => SearchResult::Is(way.or(longer)),
                        (SearchResult::Nothing, longer) => longer,
                        (forward, _) => forward,
                    }
                } else {
                    forward
                };
                self.take_better(forward, now, patience);
            }
            SearchResult::Is(_) | SearchResult::Which(_) | SearchResult::Nothing => {}
        }
    }

    /// The updates that a press may have overtaken are here now.
    pub(super) fn look_again(&mut self, now: Instant) {
        self.waiting.set_look_again(None);
        if self.case().is_pressed_back() {
            self.waiting.clear();
        } else {
            self.try_waiting(now, Scrutiny::Long);
        }
    }

    /// Takes back the press that waits last, and what was held behind it: that has no turn to belong to
    /// any more. What was held before the only press comes now.
    pub(super) fn drop_last_press(&mut self, now: Instant) {
        self.waiting.drop_last_press();
        self.question = None;
        if !self.waiting.has_press() {
            self.let_held_lines_come(now);
        }
    }

    /// Lines that were typed behind something that nobody waits for any more come now.
    pub(super) fn let_held_lines_come(&mut self, now: Instant) {
        for item in self.waiting.take() {
            if let Waiting::Held { input, .. } = item {
                self.write_held(&input, now, None);
            }
        }
    }

    /// The table does not get on by itself: what was seen out of order is believed now, or somebody has
    /// to type what was played.
    pub(super) fn ask_for_help(&mut self) {
        self.try_waiting(self.now, Scrutiny::Last);
        let Some((_, first)) = self.waiting.first_press().filter(|_| self.question.is_none()) else { return };
        if self.scene().is_over() {
            self.let_presses_go(self.now);
            return;
        }
        let waiting = self.waiting.list();
        if !self.waiting.is_postponed(first)
            && matches!(self.case().explained(&self.scene().base(), &waiting, None), SearchResult::Nothing)
        {
            // A piece is in the air: it may tell when it has come down.
            self.waiting.postpone(first);
            return;
        }
        self.waiting.note_asked(first);
        self.question = Some(Question::Which(Vec::new()));
    }

    /// When a press will have waited for too long, where nothing is asked yet.
    pub(super) fn stuck_at(&self) -> Option<Instant> {
        let stuck = self.waiting.stuck_at(self.sight.last_change(), self.scene().settle());
        stuck.filter(|_| self.question.is_none())
    }
}
