//! The watch: one value that combines the table and the tracker of its board.
//!
//! Observations, presses, typed lines and times go in. Lines for the record come out; they are already applied
//! to the table. Running matches, `tabiya infer` and the tests use this type. The rules for understanding a
//! board are the numbered list in `docs/record.md`, "What was seen, and what was understood".

mod asking;
mod earlier;
mod ending;
mod entering;
mod explaining;
mod meaning;
mod orientation;
mod passing;
mod questions;
mod scribe;
mod sight;
mod turns;
mod unpressed;
mod writer;
mod writing;

pub use explaining::Explanation;
use scribe::Scribe;
use sight::Sight;
use tabiya_types::{Board, Color, Instant, Observation};
pub use unpressed::WatchRemark;
pub use writer::WrittenLine;

use super::by_hand::LAST_LOOKS;
use super::reading::Occasion;
use crate::clock::Clock;
use crate::rules::{Action, Violation};
use crate::table::{Agreement, Common, Evidence, Input, Question, Table, Trouble};

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
    scribe: Scribe,
    /// Whether it is known from which side the board is read.
    oriented: bool,
    /// Whether a board is connected, even if it has reported nothing yet.
    has_board: bool,
}

impl Watch {
    /// A watch over a new table.
    pub fn new(agreement: Agreement) -> Self {
        Self::over(Table::new(agreement), 1)
    }

    /// A watch over a table that was replayed from a record with this number of lines.
    pub fn over(table: Table, lines: u32) -> Self {
        Self { scribe: Scribe::over(table, lines), oriented: false, has_board: false }
    }

    /// Must be called when a board is connected. From then on a press takes effect only when the board shows
    /// the player's action.
    pub fn expect_board(&mut self) {
        self.has_board = true;
    }

    /// The table after all lines so far.
    pub fn table(&self) -> &Table {
        self.scribe.table()
    }

    /// Tracker and table, to be asked.
    fn sight(&self) -> Sight<'_> {
        self.scribe.sight()
    }

    /// The board as shown, from White's side; `None` until all squares were seen once. If the board senses only
    /// occupancy, each piece counts as the piece that is expected on its square, or else as an expected piece
    /// that is missing from another square.
    pub fn seen(&self) -> Option<Board> {
        self.sight().seen()
    }

    /// Whether the board is turned by 180 degrees, so that White sits at the side that the board takes for Black's.
    pub fn turned(&self) -> bool {
        self.scribe.tracker.history().turned
    }

    /// The question that people have to answer now, if any.
    pub fn question(&self) -> Option<&Question> {
        self.scribe.tracker.question()
    }

    /// Whether a press waits until the board explains it.
    pub fn press_waits(&self) -> bool {
        self.scribe.tracker.press_waits()
    }

    /// The presses that wait until the board explains them, in the order of time: whose, and at which moment.
    pub fn waiting_presses(&self) -> impl Iterator<Item = (Color, Instant)> {
        self.scribe.tracker.waiting_presses()
    }

    /// The press that has waited longest until the board explains it: whose, and at which moment.
    pub fn waiting_press(&self) -> Option<(Color, Instant)> {
        self.scribe.tracker.waiting_presses().next()
    }

    /// How the board that is shown differs from the expected board; `None` if the two are equal.
    pub fn trouble(&self) -> Option<Trouble> {
        self.sight().trouble()
    }

    /// The actions that are typed, such as a card that is laid, after which the shown board would be a legal move of
    /// this turn: a piece was moved before its card. Empty if the board shows what it should, or a legal move.
    pub fn awaited(&self) -> Vec<Action> {
        self.sight().awaited()
    }

    /// The clock as it is displayed. A press that still waits for an explanation already takes effect on the
    /// displayed clock. With the term `"voice":"casual"`, such a press takes effect only until the settling time has
    /// passed (`docs/record.md`, "What was seen, and what was understood", rule 2).
    pub fn clock_shown(&self, now: Instant) -> Clock {
        self.sight().clock_shown(now)
    }

    /// Removes and returns the lines that were written since the last call, in their order.
    pub fn take_lines(&mut self) -> Vec<WrittenLine> {
        self.scribe.take_lines()
    }

    /// From now on, the watch explains what it understands and what it asks.
    pub fn explain(&mut self) {
        self.scribe.explanations = Some(Vec::new());
    }

    /// Removes and returns the explanations since the last call. Empty unless [`Watch::explain`] was called.
    pub fn take_explanations(&mut self) -> Vec<Explanation> {
        self.scribe.explanations.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Removes and returns what was understood against the odds since the last call, such as a forgotten press. It is
    /// said to the players, so that they can object.
    pub fn take_remarks(&mut self) -> Vec<WatchRemark> {
        std::mem::take(&mut self.scribe.remarks)
    }

    // ---- inputs ----

    /// Takes in an observation of the board or of a physical clock's lever.
    pub fn observe(&mut self, observation: &Observation, at: Instant) {
        self.time(at);
        if let Observation::Press(by) = observation {
            // If the board is turned, the two sides of its clock are exchanged.
            let by = if self.turned() { by.other() } else { *by };
            // If this press is refused, no message is shown, because nobody typed the press. The lever may have been
            // moved too early; then the board will show later what was played.
            drop(self.press(by, at, at));
        } else if self.take_in(observation, at) {
            self.find_orientation();
            self.scribe.write_what_is_seen(at);
            self.scribe.tracker.withdraw_question();
            if !self.scribe.tracker.differs() {
                self.scribe.earlier.show_last();
            }
            self.scribe.tracker.catch_up(at);
            if self.scribe.tracker.press_waits() {
                self.look(Occasion::Update);
            }
        }
    }

    /// Takes in what the board shows. Returns whether it shows something else than before.
    fn take_in(&mut self, observation: &Observation, at: Instant) -> bool {
        self.has_board = true;
        self.scribe.take_in(observation, at)
    }

    /// Takes in the board of a `sees` line of a record.
    pub fn sees(&mut self, board: &Board, at: Instant) {
        self.observe(&Observation::Whole(*board), at);
    }

    /// Restores evidence from the record after a crash: a board that was shown, or a press. Writes no line. A restored
    /// press waits for an explanation, as it did before the crash. Turns that ended before the crash are not read again.
    pub fn recall(&mut self, evidence: &Evidence, at: Instant) {
        match evidence {
            Evidence::Sees(board) => {
                self.take_in(&Observation::Whole(**board), at);
                self.scribe.tracker.catch_up(at);
            }
            Evidence::Button(by) => self.scribe.tracker.pressed(*by, at, true),
        }
    }

    /// Must be called after the last input. Lets the settling time pass, and settles an action that the board shows.
    /// Returns the presses and typed lines that remain unexplained.
    pub fn finish(&mut self, at: Instant) -> Vec<Unexplained> {
        let end = at + self.scribe.tracker.settling_time();
        self.time(end);
        for _ in 0..LAST_LOOKS {
            self.take_standing();
        }
        if self.sight().is_over() {
            self.scribe.release_presses();
        }
        let unexplained = |(input, at): (Input, Instant)| {
            let violation = match input {
                Input::Common(Common::Press(by)) => Some(self.sight().not_understood(by, at)),
                _ => self.table().refusal(&input, end),
            };
            violation.map(|violation| Unexplained { at, violation })
        };
        self.scribe.tracker.unexplained().filter_map(unexplained).collect()
    }
}
