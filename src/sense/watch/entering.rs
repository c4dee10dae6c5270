//! Presses, and lines that people type or that card readers report (`docs/record.md`, "What was seen, and what was
//! understood", rules 1, 2 and 9).

use tabiya_types::{Color, Instant, say};

use super::super::reading::Occasion;
use super::Watch;
use super::meaning::{Pressed, TypedAction};
use super::scribe::press;
use crate::rules::{Action, Violation};
use crate::table::{Common, Entry, Evidence, Input, RuledResult, Ruling, UndoWhat};

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
        self.scribe.note(&entry);
        let entered = self.enter_input(&entry.input, at, now);
        // A note stays only with what still waits for its line, so that no later line takes it for its own.
        let waits = || self.scribe.tracker.unexplained().any(|(input, _)| input == entry.input);
        if entered.is_err() || !entry.note.is_empty() && !waits() {
            self.scribe.drop_note(&entry);
        }
        entered
    }

    /// Why this input, if it is entered at `now`, would not become a line of its own at once: it would wait for the board, or take
    /// back what has no line. `None` if it would become one, or be refused by the rules.
    pub fn why_not_at_once(&self, input: &Input, now: Instant) -> Option<Violation> {
        let waits = self.scribe.tracker.press_waits();
        let rule = "not-at-once";
        match input {
            Input::Common(Common::Undo { what, .. }) if waits && *what != UndoWhat::Ruling => {
                Some(Violation::new(
                    rule,
                    say!(
                        "press-has-no-line",
                        "a clock press waits for the board, so only this press would be taken back"
                    ),
                    say!(
                        "press-has-no-line-next",
                        "take it back at the table, or order again when it is settled"
                    ),
                ))
            }
            Input::Common(Common::Undo { what: UndoWhat::LastLine, .. })
                if self.scribe.tracker.said().next().is_some() =>
            {
                Some(Violation::new(
                    rule,
                    say!(
                        "said-has-no-line",
                        "what was said before its move would be taken back, which is in no line yet"
                    ),
                    say!(
                        "said-has-no-line-next",
                        "take it back at the table, or order again when the move is made"
                    ),
                ))
            }
            Input::Game(action) if action.takes_turn() => Some(Violation::new(
                rule,
                say!("turn-not-ordered", "what takes a turn waits for the board"),
                say!("turn-not-ordered-next", "enter it at the table"),
            )),
            _ if waits && self.table().deadline().is_some_and(|due| due <= now) => Some(Violation::new(
                rule,
                say!(
                    "press-before-flag",
                    "a clock press waits for the board, and a flag is due that it may have forestalled"
                ),
                say!("press-before-flag-next", "wait until the press is settled, or rule on it at the table"),
            )),
            _ => None,
        }
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
        self.scribe.unpressed.pressed();
        match self.sight().classify_press(by, self.has_board) {
            Pressed::Counts => self.scribe.write(press(by), now, Some(at)),
            Pressed::EndsTurn => {
                self.scribe.write(press(by), now, Some(at))?;
                if self.scribe.tracker.end_turn(by, at) {
                    self.scribe.tracker.withdraw_question();
                    self.scribe.advance();
                } else {
                    self.scribe.begin(Vec::new());
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
                self.scribe.tracker.drop_last_event();
                self.scribe.write(press(by), now, Some(at))
            }
            Pressed::Waits => {
                if self.let_wait(by, at) {
                    self.scribe.tracker.last_is_written();
                    self.scribe.evidence(Evidence::Button(by), now);
                }
                Ok(())
            }
        }
    }

    /// Lets a press wait. Returns whether the board does not explain it at once.
    fn let_wait(&mut self, by: Color, at: Instant) -> bool {
        self.scribe.tracker.pressed(by, at, false);
        self.look(Occasion::Update);
        self.scribe.tracker.waiting_presses().any(|press| press == (by, at))
    }

    /// Enters a typed action that takes a turn.
    pub(super) fn enter_turn(&mut self, action: &Action, at: Instant, now: Instant) -> Result<(), Violation> {
        self.scribe.tracker.withdraw_question();
        match self.sight().classify(action, at) {
            TypedAction::SettlesPress(when) => self.settle_press(action, when, now),
            TypedAction::PartOfTurn => self.scribe.write_last_part(action, at, now),
            TypedAction::NeedsMove => {
                self.take_standing();
                if self.sight().waits_for_move(action) {
                    self.scribe.hold_back(action, at)
                } else {
                    self.scribe.write_last_part(action, at, now)
                }
            }
            TypedAction::AfterMove => self.scribe.hold_back(action, at),
            TypedAction::Waits => {
                self.scribe.tracker.typed(action.clone(), at);
                self.look(Occasion::Update);
                Ok(())
            }
        }
    }

    /// Writes an action that settles the press that has waited longest, or a card that belongs before that press.
    fn settle_press(&mut self, action: &Action, when: Instant, now: Instant) -> Result<(), Violation> {
        let waiting = self.scribe.tracker.waiting().to_vec();
        self.scribe.write_turn(action, when, now)?;
        if action.changes_board() || self.sight().has_acted() {
            self.scribe.settle_first_press(waiting, now);
        }
        self.look(Occasion::Update);
        Ok(())
    }

    /// A card that was drawn after a move says that the move is complete: when the board rests, it is settled, and the card
    /// with it.
    pub(super) fn take_move_with_card(&mut self) {
        let mover = self.table().mover();
        let waits = self.scribe.tracker.said().any(|(said, _)| mover.is_some() && said.by() == mover);
        if waits && !self.scribe.tracker.press_waits() {
            self.take_standing();
        }
    }

    /// Enters every other line.
    fn enter_other(&mut self, input: &Input, now: Instant) -> Result<(), Violation> {
        let waits = self.scribe.tracker.press_waits();
        match input {
            // While a press waits, no `tick` line is written, because the press may have been made before the flag fell.
            Input::Common(Common::Tick) if waits => {}
            Input::Common(Common::Undo { what, .. }) if waits && *what != UndoWhat::Ruling => {
                self.scribe.drop_last_press();
            }
            Input::Common(Common::Undo { what: UndoWhat::LastLine, .. })
                if self.scribe.tracker.said().next().is_some()
                    && self.scribe.tracker.question().is_none() =>
            {
                self.scribe.tracker.drop_last_said();
                let dropped = say!("remark-said-dropped", "what was said before its move is dropped");
                self.scribe.remarks.push(dropped.into());
            }
            Input::Common(Common::Undo { .. } | Common::Redo { .. }) => {
                self.scribe.write(input.clone(), now, None)?;
                self.scribe.tracker.drop_said();
                self.scribe.begin(Vec::new());
            }
            Input::Common(Common::Rule(ruling)) => self.enter_ruling(input, ruling, now)?,
            Input::Common(Common::Next(_) | Common::EndMatch { .. }) => {
                self.take_standing();
                self.scribe.release();
                self.scribe.write(input.clone(), now, None)?;
                self.scribe.earlier.clear();
                self.scribe.tracker.drop_said();
                self.scribe.tracker.forget_changes();
                self.scribe.begin(Vec::new());
            }
            _ if waits && self.table().deadline().is_some_and(|due| due <= now) => {
                // It would make a flag fall, although the press that waits may have been made in time.
                self.scribe.tracker.hold(input, now);
            }
            _ => self.enter_in_between(input, now)?,
        }
        Ok(())
    }

    /// Enters a ruling. What the arbiter sets up on the board is not to be understood.
    fn enter_ruling(&mut self, input: &Input, ruling: &Ruling, now: Instant) -> Result<(), Violation> {
        if ruling.result.is_some_and(|result| result != RuledResult::GoesOn) {
            self.take_standing();
        }
        self.scribe.write(input.clone(), now, None)?;
        let mut waiting = self.scribe.tracker.waiting().to_vec();
        if ruling.fen.is_some() {
            waiting.clear();
        }
        if ruling.fen.is_some() || ruling.to_act.is_some() || ruling.own.is_some() {
            self.scribe.tracker.drop_said();
        }
        self.scribe.earlier.clear();
        self.scribe.begin(waiting);
        Ok(())
    }

    /// Enters a line between the actions, such as an answer, a bet or a pause.
    fn enter_in_between(&mut self, input: &Input, now: Instant) -> Result<(), Violation> {
        let waits = self.scribe.tracker.press_waits();
        if self.sight().stops(input, now) {
            self.take_standing();
        }
        let waiting = self.scribe.tracker.waiting().to_vec();
        self.scribe.write(input.clone(), now, None)?;
        if matches!(input, Input::Game(_)) {
            // An answer may have completed a move after which a card was drawn already.
            let mover = self.table().mover();
            let pressed = self.scribe.tracker.waiting_press_of(mover).map(|(_, at)| at);
            self.scribe.write_said_after(mover, pressed, None);
        }
        if waits && matches!(input, Input::Game(_)) && self.sight().has_acted() {
            // An answer has completed the turn that a press waits to end.
            self.scribe.settle_first_press(waiting, now);
        }
        // The next undo takes back this line first, so the actions before it are not read anew.
        self.scribe.settle_path();
        self.scribe.earlier.clear();
        if matches!(input, Input::Game(Action::Own(_))) {
            self.scribe.take_untimed();
        }
        // After a pause, or with a stand-in that is named only now, the board may mean something else.
        if matches!(input, Input::Common(Common::Resume(_) | Common::Stands { .. })) {
            self.scribe.tracker.examine_again();
            self.look(Occasion::Update);
        }
        Ok(())
    }

    /// Settles an action that stands on the board, because the clock stops or the input ends (rule 1).
    pub(super) fn take_standing(&mut self) {
        if self.scribe.tracker.press_waits() {
            self.look(Occasion::LastPress);
        } else if self.scribe.tracker.differs() && self.table().mover().is_some() {
            self.look(Occasion::LastAction);
        }
    }
}
