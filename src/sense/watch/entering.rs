//! Presses, and lines that people type or that card readers report (`docs/record.md`, "What was seen, and what was
//! understood", rules 1, 2 and 9).

#[cfg(test)]
mod tests;

use tabiya_types::{Color, Instant, say};

use super::super::reading::{Happening, Occasion, TurnEvent};
use super::Watch;
use super::writing::press;
use crate::rules::{Action, Actor, Candidate, Turn, Violation};
use crate::table::{Common, Entry, Evidence, Input, RuledResult, Ruling, Stamp, UndoWhat};

/// What a press means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pressed {
    /// It counts at once: no board has to explain it.
    Counts,
    /// It ends the turn of a move that is written already.
    EndsTurn,
    /// The game has just ended. The press may belong to another reading of its end.
    AfterGame,
    /// It starts the clock of the first player, unless the board explains it otherwise.
    StartsClock,
    /// It waits until the board explains it.
    Waits,
}

/// What a typed action that takes a turn means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Typed {
    /// It is the action of the press that has waited longest, or belongs before this press. It counts at this time.
    SettlesPress(Instant),
    /// It is a part of the turn: it is written now.
    PartOfTurn,
    /// It is said after a move that stands on the board, which is to be settled first.
    NeedsMove,
    /// It is said after a move that is not understood yet: it is held back until then.
    AfterMove,
    /// The board has still to tell what was done before it.
    Waits,
}

/// Whether the rules want this line after a move.
fn follows_move(action: &Action) -> bool {
    matches!(action, Action::Own(own) if own.follows_move())
}

impl Watch {
    /// Enters a line that a person typed or a card reader reported. On `Err` the rules refused the line, and
    /// it was not written. A line that waits until the board explains something keeps its note.
    pub fn enter(&mut self, entry: impl Into<Entry>, at: Instant) -> Result<(), Violation> {
        self.enter_late(entry, at, at)
    }

    /// Enters a line about something that happened at `at` but is entered only at `now`. On `Err` the rules
    /// refused the line, and it was not written.
    pub fn enter_late(
        &mut self,
        entry: impl Into<Entry>,
        at: Instant,
        now: Instant,
    ) -> Result<(), Violation> {
        self.time(now);
        let entry = entry.into();
        self.writer.note(&entry);
        let entered = self.enter_input(&entry.input, at, now);
        if entered.is_err() {
            self.writer.drop_note(&entry);
        }
        entered
    }

    fn enter_input(&mut self, input: &Input, at: Instant, now: Instant) -> Result<(), Violation> {
        match input {
            Input::Common(Common::Press(by)) => self.press(*by, at, now),
            Input::Game(action) if action.takes_turn() => self.enter_turn(action, at, now),
            _ => self.enter_other(input, now),
        }
    }

    /// Handles a press that happened at `at` and is reported at `now`. On `Err` the rules refused the press.
    pub(super) fn press(&mut self, by: Color, at: Instant, now: Instant) -> Result<(), Violation> {
        self.unpressed.pressed();
        match self.classify_press(by) {
            Pressed::Counts => self.write(press(by), now, Some(at)),
            Pressed::EndsTurn => {
                self.write(press(by), now, Some(at))?;
                if self.tracker.end_turn(by, at) {
                    self.tracker.withdraw_question();
                    self.tracker.advance(self.writer.table());
                } else {
                    self.begin(Vec::new());
                }
                Ok(())
            }
            Pressed::AfterGame => {
                self.let_wait(by, at);
                Ok(())
            }
            Pressed::StartsClock => {
                if !self.let_wait(by, at) {
                    return Ok(());
                }
                self.tracker.drop_last_event();
                self.write(press(by), now, Some(at))
            }
            Pressed::Waits => {
                if self.let_wait(by, at) {
                    self.tracker.last_is_written();
                    self.writer.evidence(Evidence::Button(by), now);
                }
                Ok(())
            }
        }
    }

    /// Lets a press wait. Returns whether the board does not explain it at once.
    fn let_wait(&mut self, by: Color, at: Instant) -> bool {
        self.tracker.pressed(by, at, false);
        self.look(Occasion::Update);
        self.tracker.waiting_presses().any(|press| press == (by, at))
    }

    /// What a press by this player means here.
    fn classify_press(&self, by: Color) -> Pressed {
        let Turn::Timed { by: mover, acted, .. } = self.table().turn() else {
            return if self.may_reopen() { Pressed::AfterGame } else { Pressed::Counts };
        };
        let (waits, started) = (self.tracker.press_waits(), self.table().clock().turn().is_some());
        if acted && by == mover && !waits {
            return Pressed::EndsTurn;
        }
        let unseen = !self.has_board && !self.tracker.history().known;
        let ends_nothing =
            !self.tracker.differs() && (!started || by != mover && self.tracker.path_is_empty());
        let counts = self.table().clock().paused() || self.tracker.is_auto();
        if counts || !waits && (unseen || ends_nothing) {
            Pressed::Counts
        } else if !started && by != mover {
            Pressed::StartsClock
        } else {
            Pressed::Waits
        }
    }

    /// Enters a typed action that takes a turn.
    pub(super) fn enter_turn(&mut self, action: &Action, at: Instant, now: Instant) -> Result<(), Violation> {
        self.tracker.withdraw_question();
        match self.classify(action, at) {
            Typed::SettlesPress(when) => self.settle_press(action, when, now),
            Typed::PartOfTurn => self.write_last_part(action, at, now),
            Typed::NeedsMove => {
                self.take_standing();
                if self.waits_for_move(action) {
                    self.hold_back(action, at)
                } else {
                    self.write_last_part(action, at, now)
                }
            }
            Typed::AfterMove => self.hold_back(action, at),
            Typed::Waits => {
                self.tracker.typed(action.clone(), at);
                self.look(Occasion::Update);
                Ok(())
            }
        }
    }

    /// What a typed action that takes a turn means here.
    fn classify(&self, action: &Action, at: Instant) -> Typed {
        let refused = |at| self.table().refusal(&Input::Game(action.clone()), at).is_some();
        let first = self.tracker.waiting_press_of(action.by());
        if let Some((_, first)) = first.or_else(|| self.tracker.waiting_presses().next()) {
            // A card that is said after a line of the other player belongs to a later turn.
            let later = !action.changes_board() && self.answered(action.by());
            let when = first.min(at);
            if !later && !refused(when) {
                return Typed::SettlesPress(when);
            }
        } else if !self.answers_unpressed(action) {
            return if !self.is_of_same_turn(action) {
                Typed::PartOfTurn
            } else if refused(at) {
                Typed::NeedsMove
            } else if self.waits_for_move(action) {
                Typed::AfterMove
            } else {
                Typed::PartOfTurn
            };
        }
        if follows_move(action) { Typed::AfterMove } else { Typed::Waits }
    }

    /// Whether the player to move may have acted on the board, but neither pressed nor typed it, and the other player answers.
    fn answers_unpressed(&self, action: &Action) -> bool {
        let answers = |by: Color| action.by() == Some(by.other()) && self.tracker.differs();
        matches!(self.table().turn(), Turn::Timed { by, acted: false, .. } if answers(by))
    }

    /// Whether a player says this as part of the turn of his move.
    fn is_of_same_turn(&self, action: &Action) -> bool {
        let mover = match self.table().turn() {
            // The previous mover may have forgotten to press.
            Turn::Timed { by, acted: true, .. } if action.by() == Some(by.other()) => action.by(),
            _ => self.table().mover(),
        };
        !action.changes_board() && action.by() == mover
    }

    /// Whether this line belongs after a move that is not understood yet.
    fn waits_for_move(&self, action: &Action) -> bool {
        follows_move(action) && self.follows_some_move(action)
    }

    /// Writes an action that settles the press that has waited longest, or a card that belongs before that press.
    fn settle_press(&mut self, action: &Action, when: Instant, now: Instant) -> Result<(), Violation> {
        let waiting = self.tracker.waiting().to_vec();
        self.write_turn(action, when, now)?;
        if action.changes_board() || self.has_acted() {
            self.settle_first_press(waiting, now);
        }
        self.look(Occasion::Update);
        Ok(())
    }

    /// Whether the board shows a move that is not understood yet, and the rules would accept this line after some move.
    fn follows_some_move(&self, action: &Action) -> bool {
        let mut probe = self.table().probe();
        if self.has_acted() {
            probe.end_turn();
        }
        let accepts =
            |next: &Candidate| probe.after(&next.action).is_some_and(|then| then.after(action).is_some());
        let may = self.tracker.differs() && !self.table().clock().paused() && probe.mover() == action.by();
        may && self.table().refusal(&Input::Game(action.clone()), self.now).is_some()
            && probe.candidates().iter().any(accepts)
    }

    /// A card that was drawn after a move says that the move is complete: when the board rests, it is settled, and the card
    /// with it.
    pub(super) fn take_move_with_card(&mut self) {
        let mover = self.table().mover();
        let waits = self.tracker.said().any(|(said, _)| mover.is_some() && said.by() == mover);
        if waits && !self.tracker.press_waits() {
            self.take_standing();
        }
    }

    /// Whether a line of the other player waits beside the presses.
    fn answered(&self, by: Option<Color>) -> bool {
        let line = |event: &TurnEvent| matches!(&event.happening, Happening::Line(line) if line.by() != by);
        self.tracker.waiting().iter().any(line) || self.tracker.said().any(|(said, _)| said.by() != by)
    }

    /// Holds back what a player says after a move that is still to be understood: one line for each such move. On `Err`
    /// the rules refuse the line, and no move waits for it.
    fn hold_back(&mut self, action: &Action, at: Instant) -> Result<(), Violation> {
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
            let waits =
                |by| say!("remark-said-waits", "what {by} said waits until the board shows {by}'s move", by);
            self.remarks.extend(by.map(waits));
        }
        Ok(())
    }

    /// Writes a typed action. If a press came before it that had to wait for it, that press ends the turn at its moment.
    fn write_last_part(&mut self, action: &Action, at: Instant, now: Instant) -> Result<(), Violation> {
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
    fn write_turn(&mut self, action: &Action, at: Instant, now: Instant) -> Result<(), Violation> {
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

    fn has_acted(&self) -> bool {
        matches!(self.table().turn(), Turn::Timed { acted: true, .. })
    }

    /// A typed line may have completed a turn: the first press of its player that waited for it ends it.
    fn settle_first_press(&mut self, mut waiting: Vec<TurnEvent>, now: Instant) {
        let mover = self.table().mover().filter(|_| self.has_acted());
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

    /// Enters every other line.
    fn enter_other(&mut self, input: &Input, now: Instant) -> Result<(), Violation> {
        let waits = self.tracker.press_waits();
        match input {
            // While a press waits, no `tick` line is written, because the press may have been made before the flag fell.
            Input::Common(Common::Tick) if waits => {}
            Input::Common(Common::Undo { what, .. }) if waits && *what != UndoWhat::Ruling => {
                self.drop_last_press();
            }
            Input::Common(Common::Undo { what: UndoWhat::LastLine, .. })
                if self.tracker.said().next().is_some() && self.tracker.question().is_none() =>
            {
                self.tracker.drop_last_said();
                let dropped = say!("remark-said-dropped", "what was said before its move is dropped");
                self.remarks.push(dropped);
            }
            Input::Common(Common::Undo { .. } | Common::Redo { .. }) => {
                self.write(input.clone(), now, None)?;
                self.tracker.drop_said();
                self.begin(Vec::new());
            }
            Input::Common(Common::Rule(ruling)) => self.enter_ruling(input, ruling, now)?,
            Input::Common(Common::Next(_) | Common::EndMatch { .. }) => {
                self.take_standing();
                self.release();
                self.write(input.clone(), now, None)?;
                self.earlier.clear();
                self.tracker.drop_said();
                self.tracker.forget_changes();
                self.begin(Vec::new());
            }
            _ if waits && self.table().deadline().is_some_and(|due| due <= now) => {
                // It would make a flag fall, although the press that waits may have been made in time.
                self.tracker.hold(input, now);
            }
            _ => self.enter_in_between(input, now)?,
        }
        Ok(())
    }

    /// Drops the press that began to wait last.
    fn drop_last_press(&mut self) {
        if let Some((by, _)) = self.tracker.waiting_presses().last() {
            self.remarks.push(say!("remark-press-dropped", "{by}'s press is taken back", by));
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

    /// Enters a ruling. What the arbiter sets up on the board is not to be understood.
    fn enter_ruling(&mut self, input: &Input, ruling: &Ruling, now: Instant) -> Result<(), Violation> {
        if ruling.result.is_some_and(|result| result != RuledResult::GoesOn) {
            self.take_standing();
        }
        self.write(input.clone(), now, None)?;
        let mut waiting = self.tracker.waiting().to_vec();
        if ruling.fen.is_some() {
            waiting.clear();
        }
        if ruling.fen.is_some() || ruling.to_act.is_some() || ruling.own.is_some() {
            self.tracker.drop_said();
        }
        self.earlier.clear();
        self.begin(waiting);
        Ok(())
    }

    /// Enters a line between the actions, such as an answer, a bet or a pause.
    fn enter_in_between(&mut self, input: &Input, now: Instant) -> Result<(), Violation> {
        let waits = self.tracker.press_waits();
        if self.stops(input, now) {
            self.take_standing();
        }
        let waiting = self.tracker.waiting().to_vec();
        self.write(input.clone(), now, None)?;
        if matches!(input, Input::Game(_)) {
            // An answer may have completed a move after which a card was drawn already.
            let mover = self.table().mover();
            let pressed = self.tracker.waiting_press_of(mover).map(|(_, at)| at);
            self.write_said_after(mover, pressed, None);
        }
        if waits && matches!(input, Input::Game(_)) && self.has_acted() {
            // An answer has completed the turn that a press waits to end.
            self.settle_first_press(waiting, now);
        }
        // The next undo takes back this line first, so the actions before it are not read anew.
        self.settle_path();
        self.earlier.clear();
        if matches!(input, Input::Game(Action::Own(_))) {
            self.take_untimed();
        }
        // After a pause, or with a stand-in that is named only now, the board may mean something else.
        if matches!(input, Input::Common(Common::Resume(_) | Common::Stands { .. })) {
            self.tracker.examine_again();
            self.look(Occasion::Update);
        }
        Ok(())
    }

    /// Whether this line pauses or ends the game, so that an action that stands on the board is written before it.
    fn stops(&self, input: &Input, at: Instant) -> bool {
        let mut then = self.table().clone();
        let ends = !self.is_over() && then.apply(input, Stamp::new(at, 0)).is_ok();
        matches!(input, Input::Common(Common::Pause(_))) || ends && then.game().outcome().is_some()
    }

    /// Settles an action that stands on the board, because the clock stops or the input ends (rule 1).
    pub(super) fn take_standing(&mut self) {
        if self.tracker.press_waits() {
            self.look(Occasion::LastPress);
        } else if self.tracker.differs() && self.table().mover().is_some() {
            self.look(Occasion::LastAction);
        }
    }

    /// Settles an action that the board shows at rest although nobody's time runs, such as a piece that is taken off
    /// before the game. Returns whether there was one.
    pub(super) fn take_untimed(&mut self) -> bool {
        let rests = self.tracker.history().known && self.tracker.rests_at() <= self.now;
        if self.table().mover().is_some() || self.is_over() || !rests || !self.tracker.differs() {
            return false;
        }
        let mut fitting = self.standing();
        let (Some(action), None) = (fitting.next(), fitting.next()) else { return false };
        drop(fitting);
        let written = self.write(Input::Game(action), self.now, None).is_ok();
        if written {
            self.begin(Vec::new());
        }
        written
    }

    /// Gives up the presses that wait, and writes the lines that were held back for them.
    pub(super) fn release(&mut self) {
        self.tracker.drop_waiting();
        self.write_held();
    }

    /// The game is over: the presses that still wait end nothing.
    pub(super) fn release_presses(&mut self) {
        let presses: Vec<(Color, Instant)> = self.tracker.waiting_presses().collect();
        self.release();
        for (by, at) in presses {
            drop(self.write(press(by), self.now, Some(at)));
        }
    }

    /// After a move of this player was written: writes what he said after it, before it was understood. What he said after
    /// `until`, when the other player had moved, belongs to a later turn. While the other player has to answer, it waits.
    /// Returns what was written.
    pub(super) fn write_said_after(
        &mut self,
        by: Option<Color>,
        when: Option<Instant>,
        until: Option<Instant>,
    ) -> Option<Action> {
        if by.is_some_and(|by| self.table().to_act() == Actor::Player(by.other())) {
            return None;
        }
        let said = self.tracker.explain_said(by, until)?;
        self.say(said.clone(), when).then_some(said)
    }

    /// Writes what was said after a move. Returns `false` if the rules refuse it, which is said to the players.
    pub(super) fn say(&mut self, said: Action, when: Option<Instant>) -> bool {
        let refused = self.write(Input::Game(said), self.now, when).err();
        self.remarks.extend(refused.as_ref().map(Violation::sentence));
        refused.is_none()
    }

    /// Writes the lines that were held back, once no press waits.
    pub(super) fn write_held(&mut self) {
        for input in self.tracker.release() {
            drop(self.write(input, self.now, None));
        }
    }
}
