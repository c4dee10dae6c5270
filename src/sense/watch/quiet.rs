//! A board at rest: which actions it shows without a press, and which questions it raises.
//!
//! This file implements rules 1, 6, 7 and 8 of `docs/record.md`, "What was seen, and what was understood".

use tabiya_types::{Instant, Millis};

use super::super::explain::Waiting;
use super::super::explanation::{Explanation, Patience, SearchResult};
use super::super::guide::Question;
use super::back::Reinterpretation;
use super::plies::{End, PLIES_BACK};
use super::presses::Scrutiny;
use super::tracker::Tracker;

/// A piece that is missing for at least this long is not in the air any more.
const SWAPPED: Millis = Millis(2_000);

impl Tracker {
    /// Handles a board that has not changed for the settling time.
    pub(super) fn quiet(&mut self, now: Instant) {
        if let Some(result) = self.scene().kings() {
            self.question = Some(result);
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

    /// Explains a quiet board. Called only while no press and no typed line waits for an explanation. Returns whether
    /// an explanation was found or a question was asked.
    fn understand_quiet(&mut self, now: Instant) -> bool {
        let probe = self.scene().base();
        let at = self.sight.last_change().max(self.table().turn_began());
        // A single action is settled without a press in two cases: the game is played without presses, or the action
        // ends the game (rules 7 and 1 of `docs/record.md`, "What was seen, and what was understood").
        let one = self.case().explained(&probe, &[Waiting::Unpressed { at }], None);
        if let SearchResult::Ambiguous(explanations) = &one
            && self.scene().auto()
            && !self.sight.identifies_pieces()
        {
            self.ask(explanations);
            return true;
        }
        if let SearchResult::Unique(found) = one {
            let ends_game = found
                .actions()
                .any(|action| probe.after(action).is_some_and(|next| next.outcome().is_some()));
            if self.scene().auto() || ends_game {
                self.write_explanation(&found, now, self.scene().auto());
            }
            return true;
        }
        if self.scene().turn_is_typed() {
            return false;
        }
        // Either the board shows two actions although the lever reported no press, or the last settled action
        // was in fact another one (rules 6 and 8 of `docs/record.md`, "What was seen, and what was understood").
        let two =
            self.case().explained(&probe, &[Waiting::Unpressed { at }, Waiting::Unpressed { at }], None);
        self.take_better(two, now, Patience::Rest)
    }

    /// Only for a board that senses only occupancy. If a piece is missing from its square for long enough, nobody
    /// still holds it in the air. So it must have captured a piece, and the player swapped the two in one movement.
    /// Returns the moment at which the missing piece counts as having captured, if the board does not change before
    /// then. `None` if no piece is missing, or if the board was already checked for a swap.
    pub(super) fn swap_at(&self) -> Option<Instant> {
        let rests = self.looked_at == Some(self.sight.last_change())
            && self.looked_closer_at != self.looked_at
            && self.waiting.is_empty()
            && self.question.is_none();
        let applies = !self.sight.identifies_pieces() && self.sight.known() && self.scene().auto();
        (applies && rests && self.sight.board() != self.scene().expected())
            .then(|| self.sight.last_change() + SWAPPED)
    }

    /// Asks which capture was made, if the board can be explained by a capture in which the two pieces were
    /// swapped in one movement.
    pub(super) fn ask_about_swap(&mut self) {
        self.looked_closer_at = self.looked_at;
        if self.scene().turn_is_typed() || self.table().clock().paused() || self.table().mover().is_none() {
            return;
        }
        let at = self.sight.last_change();
        let (base, made) = (self.scene().base(), Waiting::Unpressed { at });
        let result = match self.case().explained_even_unfelt(&base, std::slice::from_ref(&made), None) {
            // The opponent may have replied to the capture already.
            SearchResult::Nothing => self.case().explained_even_unfelt(&base, &[made.clone(), made], None),
            one => one,
        };
        match result {
            SearchResult::Nothing => {}
            SearchResult::Unique(explanation) => self.ask(&[explanation]),
            SearchResult::Ambiguous(explanations) => self.ask(&explanations),
        }
    }

    /// Writes the better of two explanations: `forward`, which begins at the present position, or an explanation
    /// that replaces settled actions. If neither can be accepted, asks the players or waits. Returns `true` if
    /// an explanation was written or the arbiter was asked.
    pub(super) fn take_better(&mut self, forward: SearchResult, now: Instant, patience: Patience) -> bool {
        let resting = patience != Patience::None;
        let doubtful = self.case().last_is_doubtful();
        if doubtful && !resting {
            // Late updates may still show whether the last action was right.
            return false;
        }
        let certain = matches!(
            &forward,
            SearchResult::Unique(found) if found.was_shown() && found.is_nearly_free() && !doubtful
        );
        let last_resort = match &forward {
            SearchResult::Unique(found) => found.forgotten() > 1 && !self.case().last_shown_long(),
            SearchResult::Nothing => resting && !self.waiting.is_empty(),
            SearchResult::Ambiguous(_) => false,
        };
        let back = if certain { None } else { self.case().best_reinterpretation(now, resting, last_resort) };
        // If both explanations cost the same, the settled actions are replaced in two cases: the last settled action
        // is doubtful, or `found` needs several forgotten presses.
        let prefers_back = |found: &Explanation, back: &Reinterpretation| {
            if doubtful || found.forgotten() > 1 {
                back.cost() <= found.cost()
            } else {
                back.cost() < found.cost()
            }
        };
        if let (SearchResult::Unique(found), Some(back)) = (&forward, &back)
            && patience != Patience::End
            && found.is_close_to(&back.explanation)
        {
            // Later updates may decide between the two explanations. If they do not, the players are asked.
            return false;
        }
        match (forward, back) {
            (SearchResult::Unique(found), back)
                if !back.as_ref().is_some_and(|back| prefers_back(&found, back)) =>
            {
                let unrivalled = found.is_only_one() && back.is_none();
                let believed = self.is_believed(&found, patience, unrivalled);
                if believed && (self.case().is_moved_on(&found) || self.case().is_hurried(&found)) {
                    // While no press waits, the player may still correct the board, so no question is asked yet.
                    if !self.waiting.is_empty() {
                        self.ask(&[found]);
                    }
                    return false;
                }
                if believed {
                    self.waiting.clear();
                    self.write_explanation(&found, now, true);
                }
                believed
            }
            (SearchResult::Ambiguous(explanations), back)
                if back.as_ref().is_none_or(|back| back.distance() > 0) =>
            {
                if resting {
                    self.ask(&explanations);
                }
                false
            }
            (_, Some(back)) => back.is_acceptable(patience) && self.reinterpret(back, now),
            (_, None) => false,
        }
    }

    /// If an earlier position was set up again, asks whether to take back the actions since that position. If the
    /// start position was set up again after the end of a game, asks whether to start a new game (`docs/record.md`,
    /// "What was seen, and what was understood", rule 8).
    fn offer(&mut self) {
        let seen = self.sight.board();
        let back = self.plies.iter().rev().position(|ply| self.scene().as_seen(&ply.before) == seen);
        // Do not ask if the board has shown none of the actions since that position. In that case nobody set the
        // position up again: the board's updates are late, or the board was disconnected.
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

    /// Settles an action that the board shows but that has no press. Called because the clock stops or the input ends
    /// (`docs/record.md`, "What was seen, and what was understood", rule 1). The action gets the time of the board's
    /// last change.
    pub(super) fn take_standing_action(&mut self, now: Instant) {
        if !self.waiting.is_empty() || !self.sight.known() || self.table().clock().paused() {
            return;
        }
        let at = self.sight.last_change().max(self.table().turn_began());
        if self.sight.board() == self.scene().expected() || self.table().mover().is_none() {
            return;
        }
        if let SearchResult::Unique(explanation) =
            self.case().explained(&self.scene().base(), &[Waiting::Unpressed { at }], None)
        {
            self.write_explanation(&explanation, now, false);
        }
    }

    /// Called at the end of the input. Undoes the last action if it had no press and its piece was soon put
    /// back.
    pub(super) fn undo_vanished_action(&mut self, now: Instant) {
        let Some(last) = self.plies.last() else { return };
        let back = self.scene().as_seen(&last.before) == self.sight.board() && self.waiting.is_empty();
        if back && matches!(last.end, End::Unpressed(_)) && !self.case().last_shown_long() {
            self.take_last_back(now);
        }
    }

    /// Asks which of these explanations is right.
    pub(super) fn ask(&mut self, explanations: &[Explanation]) {
        self.question = Some(Question::Which(
            explanations.iter().map(|explanation| explanation.actions().cloned().collect()).collect(),
        ));
    }

    /// Whether the cost of an explanation that begins at the present position is acceptable. `unrivalled` means
    /// that no other explanation fits, or that all others cost far more.
    fn is_believed(&self, explanation: &Explanation, patience: Patience, unrivalled: bool) -> bool {
        let case = self.case();
        if case.last_is_doubtful() {
            explanation.is_acceptable_in_doubt(patience, unrivalled, case.last_went_elsewhere())
        } else {
            explanation.is_acceptable(patience, unrivalled)
        }
    }
}
