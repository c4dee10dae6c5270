//! The watch: one value that combines the table and the tracker of its board.
//!
//! Observations, presses, typed lines and times go in. Lines for the record come out; they are already applied
//! to the table. Running matches, `tabiya infer` and the tests use this type. The rules for understanding a
//! board are the numbered list in `docs/record.md`, "What was seen, and what was understood".

mod difference;
mod earlier;
mod entering;
mod looking;
mod orientation;
mod passing;
mod tracker;
mod writer;
mod writing;

use tabiya_types::{Board, Instant, Observation, Sentence, Square, say};
use tracker::Tracker;
use writer::LineWriter;

use super::explain::Explanation;
use super::guide::{Question, Trouble};
use super::reading::{Happening, TurnEvent};
use crate::clock::Clock;
use crate::rules::Violation;
use crate::table::{Agreement, Body, Effect, Evidence, Input, Table, Voice};

/// A line for the record, already applied to the table.
#[derive(Clone, Debug)]
pub struct WrittenLine {
    /// The time at which the line was written.
    pub t: Instant,
    /// The time at which the input of the line happened, if that was earlier than `t`.
    pub when: Option<Instant>,
    /// The input or the evidence of the line.
    pub body: Body,
    /// The effects of the line on the table.
    pub effects: Vec<Effect>,
    /// The table after the line.
    pub after: Table,
}

/// A press or a typed line that still has no explanation after the last input ([`Watch::finish`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// The time of the press or of the line.
    pub at: Instant,
    /// What is wrong, and how to correct it.
    pub violation: Violation,
}

/// A table together with the tracker of its board.
#[derive(Clone, Debug)]
pub struct Watch {
    tracker: Tracker,
}

impl Watch {
    /// A watch over a new table.
    pub fn new(agreement: Agreement) -> Self {
        Self::over(Table::new(agreement), 1)
    }

    /// A watch over a table that was replayed from a record with this number of lines.
    pub fn over(table: Table, lines: u32) -> Self {
        Self { tracker: Tracker::new(LineWriter::new(table, lines)) }
    }

    /// Must be called when a board is connected. From then on a press takes effect only when the board shows
    /// the player's action.
    pub fn expect_board(&mut self) {
        self.tracker.has_board = true;
    }

    /// Turns the board by 180 degrees. Call this for a watch that replaces an earlier watch, if the earlier
    /// watch had found the board turned.
    pub fn turn_board(&mut self) {
        self.tracker.turn_board();
    }

    /// The table after all lines so far.
    pub fn table(&self) -> &Table {
        self.tracker.table()
    }

    /// The board as shown, from White's side; `None` until all squares were seen once. If the board senses only
    /// occupancy, each piece counts as the piece that is expected on its square, or else as an expected piece
    /// that is missing from another square.
    pub fn seen(&self) -> Option<Board> {
        self.tracker.seen()
    }

    /// Whether the board is turned by 180 degrees, so that White sits at the side that the board takes for Black's.
    pub fn turned(&self) -> bool {
        self.tracker.history.turned()
    }

    /// The question that people have to answer now, if any.
    pub fn question(&self) -> Option<&Question> {
        self.tracker.question.as_ref()
    }

    /// Answers [`Question::Which`]: the reading with this number, counted from 1, is right. Returns `false` if no reading
    /// with this number is offered.
    pub fn choose(&mut self, number: usize, at: Instant) -> bool {
        self.tracker.now = self.tracker.now.max(at);
        self.tracker.choose(number)
    }

    /// The squares on which the offered readings differ from the table's position; empty unless they are asked about.
    pub fn squares_in_question(&self) -> Vec<Square> {
        self.tracker.squares_in_question()
    }

    /// Whether a press waits until the board explains it.
    pub fn press_waits(&self) -> bool {
        self.tracker.press_waits()
    }

    /// How the board that is shown differs from the expected board; `None` if the two are equal.
    pub fn trouble(&self) -> Option<Trouble> {
        self.seen().and_then(|seen| Trouble::between(&seen, &self.table().physical()))
    }

    /// Removes and returns the lines that were written since the last call, in their order.
    pub fn take_lines(&mut self) -> Vec<WrittenLine> {
        self.tracker.writer.take()
    }

    /// From now on, the watch explains what it understands and what it asks.
    pub fn explain(&mut self) {
        self.tracker.explanations = Some(Vec::new());
    }

    /// Removes and returns the explanations since the last call. Empty unless [`Watch::explain`] was called.
    pub fn take_explanations(&mut self) -> Vec<Explanation> {
        self.tracker.explanations.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Removes and returns what was understood against the odds since the last call, such as a forgotten press. It is
    /// said to the players, so that they can object.
    pub fn take_remarks(&mut self) -> Vec<Sentence> {
        std::mem::take(&mut self.tracker.remarks)
    }

    /// The clock as it is displayed. A press that still waits for an explanation already takes effect on the
    /// displayed clock. With the term `"voice":"casual"`, such a press takes effect only until the settling time has
    /// passed (`docs/record.md`, "What was seen, and what was understood", rule 2).
    pub fn clock_shown(&self, now: Instant) -> Clock {
        let mut clock = self.table().clock().clone();
        for (by, at) in self.tracker.waiting_presses() {
            let counts = self.table().terms().voice == Voice::Event || now < at + self.tracker.settle();
            if counts && clock.turn() == Some(by) {
                clock.advance(at);
                clock.press(at, false);
            }
        }
        clock
    }

    // ---- inputs ----

    /// Takes in an observation of the board or of a physical clock's lever.
    pub fn observe(&mut self, observation: &Observation, at: Instant) {
        let tracker = &mut self.tracker;
        tracker.pass(at);
        if let Observation::Press(by) = observation {
            // If the board is turned, the two sides of its clock are exchanged.
            let by = if tracker.history.turned() { by.other() } else { *by };
            // If this press is refused, no message is shown, because nobody typed the press. The lever may have been
            // moved too early; then the board will show later what was played.
            drop(tracker.press(by, at, at));
            return;
        }
        if tracker.take_in(observation, at) {
            tracker.find_orientation();
            tracker.write_what_is_seen(at);
            tracker.see();
        }
    }

    /// Takes in the board of a `sees` line of a record.
    pub fn sees(&mut self, board: &Board, at: Instant) {
        self.observe(&Observation::Whole(*board), at);
    }

    /// Restores evidence from the record after a crash: a board that was shown, or a press. Writes no line. A restored
    /// press waits for an explanation, as it did before the crash.
    pub fn recall(&mut self, evidence: &Evidence, at: Instant) {
        match evidence {
            Evidence::Sees(board) => self.tracker.recall_board(board, at),
            Evidence::Button(by) => self.tracker.push(Happening::Press(*by), at, true),
        }
    }

    /// Must be called after the last input. Lets the settling time pass, and settles an action that the board shows.
    /// Returns the presses and typed lines that remain unexplained.
    pub fn finish(&mut self, at: Instant) -> Vec<Unexplained> {
        let tracker = &mut self.tracker;
        let end = at + tracker.settle();
        tracker.pass(end);
        tracker.take_standing();
        tracker.take_standing();
        if tracker.is_over() {
            tracker.release_presses();
        }
        let next = || match self.trouble() {
            Some(trouble) => trouble.sentence(),
            None => say!("press-not-understood-next", "play first, then press the clock"),
        };
        let refused = |input: &Input| self.table().refusal(input, end);
        let waiting = self.tracker.waiting().iter().filter_map(|event: &TurnEvent| {
            let at = event.mark.at;
            let violation = match &event.happening {
                Happening::Press(by) => {
                    let what = say!(
                        "press-not-understood",
                        "{by} pressed the clock at {at} ms of the record, but the board shows no action for this press",
                        by = *by,
                        at = at.millis()
                    );
                    Some(Violation::new("press-not-understood", what, next()))
                }
                Happening::Line(action) => refused(&Input::Game(action.clone())),
                Happening::Rest => None,
            };
            violation.map(|violation| Unexplained { at, violation })
        });
        let held = self
            .tracker
            .held
            .iter()
            .filter_map(|(input, at)| refused(input).map(|violation| Unexplained { at: *at, violation }));
        waiting.chain(held).collect()
    }
}
