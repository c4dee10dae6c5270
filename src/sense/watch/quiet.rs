//! A board at rest: what it means by itself, and what it is asked about.
//!
//! Rules 1, 6, 7 and 8 of "How a live table understands" (`docs/record.md`).

use tabiya_types::{Instant, Millis};

use super::super::explain::Waiting;
use super::super::explanation::{Explanation, Patience, SearchResult};
use super::super::guide::Question;
use super::back::Back;
use super::plies::{End, PLIES_BACK};
use super::presses::Scrutiny;
use super::tracker::Tracker;

/// Nobody holds a piece in the air for so long.
const SWAPPED: Millis = Millis(2_000);

impl Tracker {
    /// The board has stood still for the settling time.
    pub(super) fn quiet(&mut self, now: Instant) {
        if let Some(says) = self.scene().kings() {
            self.question = Some(says);
            return;
        }
        if self.table().clock().paused() || self.sight.board() == self.scene().expected() {
            return;
        }
        let done = if self.table().mover().is_none() {
            self.reopen(now)
        } else if self.waiting.is_empty() {
            self.understand_quiet(now)
        } else {
            self.try_waiting(now, Scrutiny::Long);
            self.waiting.is_empty()
        };
        if !done && self.question.is_none() {
            self.offer();
        }
    }

    /// What a quiet board means by itself. Returns whether it means anything.
    fn understand_quiet(&mut self, now: Instant) -> bool {
        let probe = self.scene().base();
        let at = self.sight.last_change().max(self.table().turn_began());
        // (7) without presses, and (1) where the action ends the game.
        let one = self.case().explained(&probe, &[Waiting::Unpressed { at }], None);
        if let SearchResult::Which(ways) = &one
            && self.scene().auto()
            && !self.sight.tells_pieces()
        {
            self.ask(ways);
            return true;
        }
        if let SearchResult::Is(way) = one {
            let ends =
                way.actions().any(|action| probe.after(action).is_some_and(|next| next.outcome().is_some()));
            if self.scene().auto() || ends {
                self.write_explanation(&way, now, self.scene().auto());
            }
            return true;
        }
        if self.scene().turn_is_typed() {
            return false;
        }
        // (6) two actions, although the lever tells of no press; or (8) the last one was another.
        let two =
            self.case().explained(&probe, &[Waiting::Unpressed { at }, Waiting::Unpressed { at }], None);
        self.take_better(two, now, Patience::Rest)
    }

    /// When a board that only feels pieces has rested for so long with one missing that it must have been a
    /// capture in one swap, and not a piece in the air.
    pub(super) fn swap_at(&self) -> Option<Instant> {
        let rests = self.looked_at == Some(self.sight.last_change())
            && self.looked_closer_at != self.looked_at
            && self.waiting.is_empty()
            && self.question.is_none();
        let may = !self.sight.tells_pieces() && self.sight.known() && self.scene().auto();
        (may && rests && self.sight.board() != self.scene().expected())
            .then(|| self.sight.last_change() + SWAPPED)
    }

    /// Asks which capture it was, if there is one that looks so.
    pub(super) fn look_closer(&mut self) {
        self.looked_closer_at = self.looked_at;
        if self.scene().turn_is_typed() || self.table().clock().paused() || self.table().mover().is_none() {
            return;
        }
        let at = self.sight.last_change();
        let (base, made) = (self.scene().base(), Waiting::Unpressed { at });
        let way = match self.case().imagined(&base, std::slice::from_ref(&made), None) {
            // The opponent has answered what was not felt.
            SearchResult::Nothing => self.case().imagined(&base, &[made.clone(), made], None),
            one => one,
        };
        match way {
            SearchResult::Nothing => {}
            SearchResult::Is(way) => self.ask(&[way]),
            SearchResult::Which(ways) => self.ask(&ways),
        }
    }

    /// Takes a way on from here or, if the board has shown that one better, a way that begins earlier.
    pub(super) fn take_better(&mut self, forward: SearchResult, now: Instant, patience: Patience) -> bool {
        let resting = patience != Patience::None;
        let doubtful = self.case().last_is_doubtful();
        if doubtful && !resting {
            // What is late may tell yet.
            return false;
        }
        let certain =
            matches!(&forward, SearchResult::Is(way) if way.was_shown() && way.is_nearly_free() && !doubtful);
        let last_resort = match &forward {
            SearchResult::Is(way) => way.forgotten() > 1 && !self.case().last_stood_long(),
            SearchResult::Nothing => resting && !self.waiting.is_empty(),
            SearchResult::Which(_) => false,
        };
        let back = if certain { None } else { self.case().back(now, resting, last_resort) };
        // Rather was the last action another, if it never stood firm.
        let rather = |way: &Explanation, back: &Back| {
            if doubtful || way.forgotten() > 1 { back.cost() <= way.cost() } else { back.cost() < way.cost() }
        };
        if let (SearchResult::Is(way), Some(back)) = (&forward, &back)
            && patience != Patience::End
            && way.is_close_to(&back.way)
        {
            // What comes may tell; if it does not, people will.
            return false;
        }
        match (forward, back) {
            (SearchResult::Is(way), back) if !back.as_ref().is_some_and(|back| rather(&way, back)) => {
                let unrivalled = way.is_only_one() && back.is_none();
                let believed = self.is_believed(&way, patience, unrivalled);
                if believed && (self.case().is_moved_on(&way) || self.case().is_hurried(&way)) {
                    // Where nobody pressed it may still be put right.
                    if !self.waiting.is_empty() {
                        self.ask(&[way]);
                    }
                    return false;
                }
                if believed {
                    self.waiting.clear();
                    self.write_explanation(&way, now, true);
                }
                believed
            }
            (SearchResult::Which(ways), back) if back.as_ref().is_none_or(|back| back.distance() > 0) => {
                if resting {
                    self.ask(&ways);
                }
                false
            }
            (_, Some(back)) => back.is_believable(patience) && self.go_back(back, now),
            (_, None) => false,
        }
    }

    /// Earlier positions, the start position: offered, never done (8).
    fn offer(&mut self) {
        let seen = self.sight.board();
        let back = self.plies.iter().rev().position(|ply| self.scene().as_seen(&ply.before) == seen);
        // A board that never showed what was done since has fallen behind, or is away: nothing was set back.
        let back = back.filter(|back| {
            (self.plies.len() - 1 - back..self.plies.len()).any(|ply| self.case().was_shown(ply))
        });
        let first = self.plies.len() < PLIES_BACK && back.is_some_and(|back| back + 1 == self.plies.len());
        if let Some(back) = back {
            let (actions, undos) = (back + 1, back + 1 + self.plies.opening().len());
            let new_game = first && self.plies.len() > 2 && self.scene().is_over();
            self.question =
                Some(if new_game { Question::NewGame } else { Question::TakeBack { actions, undos } });
        }
    }

    /// (1) An action that stands when the clock is stopped or the input ends settles at its last
    /// change, without a press.
    pub(super) fn take_standing_action(&mut self, now: Instant) {
        if !self.waiting.is_empty() || !self.sight.known() || self.table().clock().paused() {
            return;
        }
        let at = self.sight.last_change().max(self.table().turn_began());
        if self.sight.board() == self.scene().expected() || self.table().mover().is_none() {
            return;
        }
        if let SearchResult::Is(way) =
            self.case().explained(&self.scene().base(), &[Waiting::Unpressed { at }], None)
        {
            self.write_explanation(&way, now, false);
        }
    }

    /// The input ends: an action that nobody pressed for, and that was soon put back, was none.
    pub(super) fn drop_what_stands_no_longer(&mut self, now: Instant) {
        let Some(last) = self.plies.last() else { return };
        let back = self.scene().as_seen(&last.before) == self.sight.board() && self.waiting.is_empty();
        if back && matches!(last.end, End::Alone(_)) && !self.case().last_stood_long() {
            self.take_last_back(now);
        }
    }

    /// Asks which of several ways it was.
    pub(super) fn ask(&mut self, ways: &[Explanation]) {
        self.question =
            Some(Question::Which(ways.iter().map(|way| way.actions().cloned().collect()).collect()));
    }

    /// Whether a way on from here may be believed.
    fn is_believed(&self, way: &Explanation, patience: Patience, unrivalled: bool) -> bool {
        let case = self.case();
        if case.last_is_doubtful() {
            way.is_believable_in_doubt(patience, unrivalled, case.last_went_elsewhere())
        } else {
            way.is_believable(patience, unrivalled)
        }
    }
}
