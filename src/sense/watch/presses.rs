//! Presses: those that settle a turn, and those that wait until the board tells what they meant.
//!
//! Rules 1, 2, 4, 5 and 9 of "How a live table understands" (`docs/record.md`).

use super::super::explain::Waiting;
use super::super::explanation::{Patience, Verdict};
use super::super::guide::Question;
use super::{End, STUCK, Watch};
use crate::rules::{Turn, Violation};
use crate::table::{Common, Evidence, Input};
use tabiya_types::{Color, Instant};

/// How closely a picture is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Look {
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

impl Watch {
    /// A press at `at` that is told at `now`. On `Err` nothing was written.
    pub(super) fn press(&mut self, by: Color, at: Instant, now: Instant) -> Result<(), Violation> {
        let press = Input::Common(Common::Press(by));
        let when = Some(at).filter(|at| *at < now);
        let Turn::Timed { by: mover, acted, .. } = self.table.turn() else {
            if self.is_over() && (self.press_waits() || self.went_on()) {
                self.wait_for(by, at, now);
                return Ok(());
            }
            self.note_press(by, at);
            return self.write(press, now, when);
        };
        let unseen = !self.has_board && !self.sight.known();
        let started = self.table.clock().turn().is_some();
        let nothing = self.sight.board() == self.expected();
        let ends_turn = acted && by == mover && self.waiting.is_empty();
        let plain = self.table.clock().paused()
            || self.auto()
            || ends_turn
            || (unseen && self.waiting.is_empty())
            || (!started && (nothing || (by != mover && !self.tells_of_two(by, at))))
            || (self.waiting.is_empty() && by != mover && nothing);
        if plain {
            if ends_turn || (!acted && by != mover) {
                self.note_press(by, at);
            }
            return self.write(press, now, when);
        }
        self.wait_for(by, at, now);
        Ok(())
    }

    /// Lets a press wait, unless the board explains it.
    fn wait_for(&mut self, by: Color, at: Instant, now: Instant) {
        self.waiting.push_back(Waiting::Press { by, at });
        self.try_waiting(now, Look::Long);
        if self.waiting.iter().any(|item| matches!(item, Waiting::Press { at: then, .. } if *then == at)) {
            self.evidence(Evidence::Button(by), now);
            self.look_again = Some(at.max(self.sight.last_change()) + self.settle());
        }
    }

    /// Whether the game has a result.
    pub(super) fn is_over(&self) -> bool {
        self.table.game().outcome().is_some()
    }

    /// The game was over after all: the presses that waited for it to go on do nothing.
    pub(super) fn let_presses_go(&mut self, now: Instant) {
        for item in std::mem::take(&mut self.waiting) {
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

    /// Whether the board shows an action of each side, so that a press by the second is no start of the
    /// clock: the first player has forgotten to press.
    fn tells_of_two(&self, by: Color, at: Instant) -> bool {
        let way = self.explained(&self.base(), &[Waiting::Press { by, at }], None);
        matches!(way, Verdict::Is(way) if way.is_believable(Patience::None, false))
    }

    /// The press of an action that was taken before it came.
    fn note_press(&mut self, by: Color, at: Instant) {
        if let Some(ply) = self.plies.back_mut()
            && matches!(ply.end, End::Open | End::Alone(_))
            && ply.before.mover() == Some(by)
        {
            (ply.end, ply.ended) = (End::Press(by, at), at);
        }
    }

    /// (4) Pressed by mistake and pressed back, with the board as it was settled before each press, and
    /// after them.
    fn is_pressed_back(&self) -> bool {
        let mut waiting = self.waiting.iter();
        match (waiting.next(), waiting.next(), waiting.next()) {
            (Some(Waiting::Press { by, at }), Some(Waiting::Press { by: other, at: back }), None) => {
                by != other
                    && at <= back
                    && self.sight.board() == self.expected()
                    && self.sight.last_change() + self.settle() <= *at
            }
            _ => false,
        }
    }

    /// Explains all that waits together, or leaves it waiting (2). `look`: how much
    /// the picture is worth.
    pub(super) fn try_waiting(&mut self, now: Instant, look: Look) {
        let waiting: Vec<Waiting> = self.waiting.iter().cloned().collect();
        if waiting.is_empty() || self.table.clock().paused() {
            return;
        }
        let mut forward = self.explained(&self.base(), &waiting, None);
        if matches!(forward, Verdict::Nothing) {
            forward = self.explained_without(&waiting);
        }
        match forward {
            Verdict::Is(ref way)
                if look < Look::Long
                    && (self.last_is_doubtful() || self.is_hurried(way) || self.is_moved_on(way)) => {}
            Verdict::Is(way)
                if (look == Look::Whole && way.is_believable(Patience::None, false))
                    || (look == Look::Glance
                        && way.was_shown()
                        && way.is_believable(Patience::None, false)
                        && !self.waits_long(now)) =>
            {
                self.waiting.clear();
                self.write_way(&way, now, true);
            }
            // A press for nothing: it will be pressed back, or a lost update comes.
            Verdict::Nothing if look < Look::Last && self.sight.board() == self.expected() => {}
            forward if look >= Look::Long => {
                let patience = self.patience(look, now);
                let quiet = patience != Patience::None;
                let certain = matches!(&forward, Verdict::Is(way) if way.oddness() == 0);
                let forward = if quiet && !certain {
                    // The opponent's reply stands already, and waits for its own press.
                    let with_reply: Vec<Waiting> =
                        waiting.iter().cloned().chain([Waiting::Standing]).collect();
                    match (forward, self.explained(&self.base(), &with_reply, None)) {
                        (Verdict::Is(way), Verdict::Is(longer)) => Verdict::Is(way.or(longer)),
                        (Verdict::Nothing, longer) => longer,
                        (forward, _) => forward,
                    }
                } else {
                    forward
                };
                self.take_better(forward, now, patience);
            }
            Verdict::Is(_) | Verdict::Which(_) | Verdict::Nothing => {}
        }
    }

    /// Whether all late updates have had their time: a square that changes now is changed by a hand, and
    /// the board may look right for a moment only.
    fn waits_long(&self, now: Instant) -> bool {
        self.first_press().is_some_and(|(_, at)| at + self.settle() < now)
    }

    /// The press that waits longest.
    pub(super) fn first_press(&self) -> Option<(Color, Instant)> {
        self.waiting.iter().find_map(Waiting::press)
    }

    /// How long was waited: after the last change, and after the last press.
    fn patience(&self, look: Look, now: Instant) -> Patience {
        let press = self.last_press().map_or(Instant::ZERO, |(_, at)| at);
        if look == Look::End {
            Patience::End
        } else if self.sight.last_change().max(press) + self.settle() <= now {
            if look == Look::Last || self.is_stuck(now) { Patience::Last } else { Patience::Rest }
        } else {
            Patience::None
        }
    }

    fn last_press(&self) -> Option<(Color, Instant)> {
        self.waiting.iter().rev().find_map(Waiting::press)
    }

    /// When late updates have had their time after a press that waits.
    pub(super) fn look_again_at(&self) -> Option<Instant> {
        self.look_again.filter(|_| self.press_waits())
    }

    /// The updates that a press may have overtaken are here now.
    pub(super) fn look_again(&mut self, now: Instant) {
        self.look_again = None;
        if self.is_pressed_back() {
            self.waiting.clear();
        } else {
            self.try_waiting(now, Look::Long);
        }
    }

    /// Some presses mean nothing: the first, where the clock of that side stood, and two that cancelled
    /// each other while the board stood still.
    fn explained_without(&self, waiting: &[Waiting]) -> Verdict {
        let mut fewer: Vec<Vec<Waiting>> = Vec::new();
        if matches!(waiting.first(), Some(Waiting::Press { by, .. }) if self.stands(*by)) {
            fewer.push(waiting.get(1..).unwrap_or_default().to_vec());
        }
        for (nth, pair) in waiting.windows(2).enumerate() {
            if let [Waiting::Press { by, at }, Waiting::Press { by: other, at: back }] = pair
                && by != other
                && self.sight.stood(*at, *back)
            {
                let (before, after) = (waiting.iter().take(nth), waiting.iter().skip(nth + 2));
                fewer.push(before.chain(after).cloned().collect());
            }
        }
        fewer
            .iter()
            .filter(|fewer| !fewer.is_empty())
            .map(|fewer| self.explained(&self.base(), fewer, None))
            // Which of the presses meant nothing is not known: none may make it look better than it is.
            .max_by_key(|verdict| match verdict {
                Verdict::Nothing => (0, 0),
                Verdict::Is(way) => (1, way.oddness()),
                Verdict::Which(_) => (2, 0),
            })
            .unwrap_or(Verdict::Nothing)
            .retain(|way| way.is_believable(Patience::None, false))
    }

    /// Takes back the press that waits last, and what was held behind it: that has no turn to belong to
    /// any more. What was held before the only press comes now.
    pub(super) fn drop_last_press(&mut self, now: Instant) {
        let last = self.waiting.iter().rposition(|item| matches!(item, Waiting::Press { .. }));
        self.waiting.truncate(last.unwrap_or(self.waiting.len()));
        self.question = None;
        if !self.press_waits() {
            self.let_held_lines_come(now);
        }
    }

    /// Lines that were typed behind something that nobody waits for any more come now.
    pub(super) fn let_held_lines_come(&mut self, now: Instant) {
        for item in std::mem::take(&mut self.waiting) {
            if let Waiting::Held { input, .. } = item {
                self.write_held(&input, now, None);
            }
        }
    }

    /// When the press that waits longest will have waited for too long.
    pub(super) fn stuck_at(&self) -> Option<Instant> {
        let (_, first) = self.first_press()?;
        let (_, last) = self.last_press()?;
        let quiet = self.sight.last_change().max(last) + self.settle();
        let asked = self.asked == Some(first) || self.question.is_some();
        let patience = if self.postponed == Some(first) { STUCK + STUCK } else { STUCK };
        (!asked).then(|| (first + patience).max(quiet))
    }

    /// Whether a press waits for so long that what was lost must have been told meanwhile.
    fn is_stuck(&self, now: Instant) -> bool {
        self.first_press().is_some_and(|(_, first)| first + STUCK <= now)
    }

    /// The table does not get on by itself: what was seen out of order is believed now, or somebody has
    /// to type what was played.
    pub(super) fn ask_for_help(&mut self) {
        self.try_waiting(self.now, Look::Last);
        let Some((_, first)) = self.first_press().filter(|_| self.question.is_none()) else { return };
        if self.is_over() {
            self.let_presses_go(self.now);
            return;
        }
        let waiting: Vec<Waiting> = self.waiting.iter().cloned().collect();
        if self.postponed != Some(first)
            && matches!(self.explained(&self.base(), &waiting, None), Verdict::Nothing)
        {
            // A piece is in the air: it may tell when it has come down.
            self.postponed = Some(first);
            return;
        }
        self.asked = Some(first);
        self.question = Some(Question::Which(Vec::new()));
    }
}
