//! The watch: one value that combines the table and the tracker of its board.
//!
//! Observations, presses, typed lines and times go in. Lines for the record come out; they are already applied
//! to the table. Running matches, `tabiya infer` and the tests use this type. The rules for understanding a
//! board are the numbered list in `docs/record.md`, "What was seen, and what was understood".

mod asking;
mod earlier;
mod entering;
mod explaining;
mod orientation;
mod passing;
mod unpressed;
mod writer;
mod writing;

use earlier::Earlier;
pub use explaining::Explanation;
use tabiya_types::{Board, Color, Instant, Observation, Sentence, say};
use unpressed::UnpressedTurns;
pub use unpressed::says_unpressed;
use writer::LineWriter;

use super::by_hand::LAST_LOOKS;
use super::history::{board_of, grid_of};
use super::reading::Occasion;
use super::tracker::Tracker;
use crate::clock::Clock;
use crate::rules::{Action, Candidate, Violation};
use crate::table::{
    Agreement, Body, Common, Effect, Evidence, Input, LegalInput, Note, Question, Table, Trouble, Voice,
};

/// A line for the record, already applied to the table.
#[derive(Clone, Debug)]
pub struct WrittenLine {
    /// The time at which the line was written.
    pub t: Instant,
    /// The time at which the input of the line happened, if that was earlier than `t`.
    pub when: Option<Instant>,
    /// The input or the evidence of the line.
    pub body: Body,
    /// What the line carries besides, as it was entered.
    pub note: Note,
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
    writer: LineWriter,
    tracker: Tracker,
    earlier: Vec<Earlier>,
    /// Whether it is known from which side the board is read.
    oriented: bool,
    /// Whether a board is connected, even if it has reported nothing yet.
    has_board: bool,
    now: Instant,
    /// What was understood against the odds, in words, until it is said.
    remarks: Vec<Sentence>,
    unpressed: UnpressedTurns,
    /// The explanations since they were last taken, if they are wanted.
    explanations: Option<Vec<Explanation>>,
}

impl Watch {
    /// A watch over a new table.
    pub fn new(agreement: Agreement) -> Self {
        Self::over(Table::new(agreement), 1)
    }

    /// A watch over a table that was replayed from a record with this number of lines.
    pub fn over(table: Table, lines: u32) -> Self {
        Self {
            tracker: Tracker::new(&table),
            writer: LineWriter::new(table, lines),
            earlier: Vec::new(),
            oriented: false,
            has_board: false,
            now: Instant::ZERO,
            remarks: Vec::new(),
            unpressed: UnpressedTurns::default(),
            explanations: None,
        }
    }

    /// Must be called when a board is connected. From then on a press takes effect only when the board shows
    /// the player's action.
    pub fn expect_board(&mut self) {
        self.has_board = true;
    }

    /// The table after all lines so far.
    pub fn table(&self) -> &Table {
        self.writer.table()
    }

    /// The board as shown, from White's side; `None` until all squares were seen once. If the board senses only
    /// occupancy, each piece counts as the piece that is expected on its square, or else as an expected piece
    /// that is missing from another square.
    pub fn seen(&self) -> Option<Board> {
        let history = self.tracker.history().known.then_some(self.tracker.history())?;
        let (seen, expected) = (board_of(&history.grid), self.table().physical());
        let mut missing = expected.pieces().filter(|(square, _)| seen[*square].is_none());
        let mut named = seen;
        for (square, piece) in seen.pieces().filter(|_| !history.kind.names_pieces()) {
            let name = expected[square].or_else(|| missing.next().map(|(_, piece)| piece));
            named[square] = name.or(Some(piece));
        }
        Some(named)
    }

    /// Whether the board is turned by 180 degrees, so that White sits at the side that the board takes for Black's.
    pub fn turned(&self) -> bool {
        self.tracker.history().turned
    }

    /// The question that people have to answer now, if any.
    pub fn question(&self) -> Option<&Question> {
        self.tracker.question()
    }

    /// Whether a press waits until the board explains it.
    pub fn press_waits(&self) -> bool {
        self.tracker.press_waits()
    }

    /// The presses that wait until the board explains them, in the order of time: whose, and at which moment.
    pub fn waiting_presses(&self) -> impl Iterator<Item = (Color, Instant)> {
        self.tracker.waiting_presses()
    }

    /// The press that has waited longest until the board explains it: whose, and at which moment.
    pub fn waiting_press(&self) -> Option<(Color, Instant)> {
        self.tracker.waiting_presses().next()
    }

    /// How the board that is shown differs from the expected board; `None` if the two are equal.
    pub fn trouble(&self) -> Option<Trouble> {
        self.seen().and_then(|seen| Trouble::between(&seen, &self.table().physical()))
    }

    /// Whether the board shows just what this action leaves, as far as it can tell pieces apart.
    fn is_shown(&self, candidate: &Candidate) -> bool {
        self.tracker.history().shown(grid_of(&candidate.after)) == self.tracker.history().grid
    }

    /// The actions that lead to exactly the board that is shown.
    fn standing(&self) -> impl Iterator<Item = Action> {
        let candidates = self.table().probe().candidates().into_iter();
        candidates.filter(|candidate| self.is_shown(candidate)).map(|candidate| candidate.action)
    }

    /// The actions that are typed, such as a card that is laid, after which the shown board would be a legal move of
    /// this turn: a piece was moved before its card. Empty if the board shows what it should, or a legal move.
    pub fn awaited(&self) -> Vec<Action> {
        if !self.tracker.differs() || self.table().mover().is_none() {
            return Vec::new();
        }
        let probe = self.table().probe();
        let shown = |next: &Candidate| self.is_shown(next);
        if probe.candidates().iter().any(shown) {
            return Vec::new();
        }
        let said =
            |action: &Action| matches!(action, Action::Own(own) if own.takes_turn() && !own.changes_board());
        let wakes =
            |action: &Action| probe.after(action).is_some_and(|then| then.candidates().iter().any(shown));
        let legal = self.table().legal();
        legal
            .iter()
            .filter_map(LegalInput::action)
            .filter(|action| said(action) && wakes(action))
            .cloned()
            .collect()
    }

    /// Removes and returns the lines that were written since the last call, in their order.
    pub fn take_lines(&mut self) -> Vec<WrittenLine> {
        if self.writer.has_notes() && self.tracker.unexplained().next().is_none() {
            self.writer.drop_notes();
        }
        self.writer.take()
    }

    /// From now on, the watch explains what it understands and what it asks.
    pub fn explain(&mut self) {
        self.explanations = Some(Vec::new());
    }

    /// Removes and returns the explanations since the last call. Empty unless [`Watch::explain`] was called.
    pub fn take_explanations(&mut self) -> Vec<Explanation> {
        self.explanations.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Removes and returns what was understood against the odds since the last call, such as a forgotten press. It is
    /// said to the players, so that they can object.
    pub fn take_remarks(&mut self) -> Vec<Sentence> {
        std::mem::take(&mut self.remarks)
    }

    /// The clock as it is displayed. A press that still waits for an explanation already takes effect on the
    /// displayed clock. With the term `"voice":"casual"`, such a press takes effect only until the settling time has
    /// passed (`docs/record.md`, "What was seen, and what was understood", rule 2).
    pub fn clock_shown(&self, now: Instant) -> Clock {
        let mut clock = self.table().clock().clone();
        for (by, at) in self.tracker.waiting_presses() {
            let counts =
                self.table().terms().voice == Voice::Event || now < at + self.tracker.settling_time();
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
        self.time(at);
        if let Observation::Press(by) = observation {
            // If the board is turned, the two sides of its clock are exchanged.
            let by = if self.turned() { by.other() } else { *by };
            // If this press is refused, no message is shown, because nobody typed the press. The lever may have been
            // moved too early; then the board will show later what was played.
            drop(self.press(by, at, at));
        } else if self.take_in(observation, at) {
            self.find_orientation();
            self.write_what_is_seen(at);
            self.tracker.withdraw_question();
            if !self.tracker.differs() {
                self.earlier.last_mut().into_iter().for_each(|last| last.shown = true);
            }
            self.tracker.catch_up(at);
            if self.tracker.press_waits() {
                self.look(Occasion::Update);
            }
        }
    }

    /// Takes in what the board shows. Returns whether it shows something else than before.
    fn take_in(&mut self, observation: &Observation, at: Instant) -> bool {
        self.has_board = true;
        self.tracker.observe(observation, at, self.writer.table(), self.now)
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
                self.tracker.catch_up(at);
            }
            Evidence::Button(by) => self.tracker.pressed(*by, at, true),
        }
    }

    /// Must be called after the last input. Lets the settling time pass, and settles an action that the board shows.
    /// Returns the presses and typed lines that remain unexplained.
    pub fn finish(&mut self, at: Instant) -> Vec<Unexplained> {
        let end = at + self.tracker.settling_time();
        self.time(end);
        for _ in 0..LAST_LOOKS {
            self.take_standing();
        }
        if self.is_over() {
            self.release_presses();
        }
        let unexplained = |(input, at): (Input, Instant)| {
            let violation = match input {
                Input::Common(Common::Press(by)) => Some(self.not_understood(by, at)),
                _ => self.table().refusal(&input, end),
            };
            violation.map(|violation| Unexplained { at, violation })
        };
        self.tracker.unexplained().filter_map(unexplained).collect()
    }

    /// Why a press remains unexplained.
    fn not_understood(&self, by: Color, at: Instant) -> Violation {
        let what = say!(
            "press-not-understood",
            "{by} pressed the clock at {at} ms of the record, but the board shows no action for this press",
            by,
            at = at.millis()
        );
        let next = match self.trouble() {
            Some(trouble) => trouble.sentence(),
            None => say!("press-not-understood-next", "play first, then press the clock"),
        };
        Violation::new("press-not-understood", what, next)
    }

    fn is_over(&self) -> bool {
        self.table().game().outcome().is_some()
    }
}
