//! The watch: table and tracker as one pure value.
//!
//! Observations, presses, typed lines and time go in; lines for the record come out, already applied
//! to the table. The live table, `infer` and the tests all run this. Numbers in comments are those of
//! "How a live table understands" in the record's contract (`docs/record.md`).

mod back;
mod case;
mod doubt;
mod entering;
mod orientation;
mod passing;
mod plies;
mod presses;
mod quiet;
mod scene;
mod tracker;
mod waits;
mod writer;

use orientation::Orientation;
use presses::Scrutiny;
use tabiya_types::{Board, Instant, Observation, say};
use tracker::Tracker;
use writer::LineWriter;

use super::explain::Waiting;
use super::guide::{Question, Trouble};
use crate::clock::Clock;
use crate::rules::Violation;
use crate::table::{Agreement, Body, Effect, Evidence, Stamp, Table, Voice};

/// A line for the record, and what it brought about.
#[derive(Clone, Debug)]
pub struct WrittenLine {
    /// When it is written.
    pub t: Instant,
    /// When it happened, if that was before.
    pub when: Option<Instant>,
    /// What it does.
    pub body: Body,
    /// What followed from it.
    pub effects: Vec<Effect>,
    /// The table after it.
    pub after: Table,
}

/// Something that waited for the board to explain it until the input ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// When it happened.
    pub at: Instant,
    /// What is wrong with it.
    pub violation: Violation,
}

/// A table that watches its board.
#[derive(Clone, Debug)]
pub struct Watch {
    tracker: Tracker,
    orientation: Orientation,
}

impl Watch {
    /// A watch over a new table.
    pub fn new(agreement: Agreement) -> Self {
        Self::over(Table::new(agreement), 1)
    }

    /// A watch over a table that was replayed from a record of so many lines.
    pub fn over(table: Table, lines: u32) -> Self {
        Self { tracker: Tracker::new(LineWriter::new(table, lines)), orientation: Orientation::default() }
    }

    /// A board is there: from now on a press is held against what it shows.
    pub fn expect_board(&mut self) {
        self.tracker.has_board = true;
    }

    /// The board stands the other way round, as was found before a table was worked out again.
    pub fn turn_board(&mut self) {
        self.orientation.turn(&mut self.tracker.sight);
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.tracker.table()
    }

    /// The board as seen, White below; `None` before a whole board was seen. Of a board that only feels that
    /// something stands there, what should stand there; and where nothing should, what is missing elsewhere.
    pub fn seen(&self) -> Option<Board> {
        self.tracker.seen()
    }

    /// What the board tells about the pieces on it.
    pub fn tells_pieces(&self) -> bool {
        self.tracker.sight.tells_pieces()
    }

    /// Whether the board stands the other way round than its maker meant.
    pub fn turned(&self) -> bool {
        self.tracker.sight.turned()
    }

    /// What has to be answered, if anything.
    pub fn question(&self) -> Option<&Question> {
        self.tracker.question.as_ref()
    }

    /// Whether a press waits to be understood.
    pub fn press_waits(&self) -> bool {
        self.tracker.waiting.has_press()
    }

    /// How the board differs from the expected one, where it does and nothing explains it.
    pub fn trouble(&self) -> Option<Trouble> {
        self.seen().and_then(|seen| Trouble::between(&seen, &self.table().physical()))
    }

    /// The lines that came of it since the last call, in their order.
    pub fn take_lines(&mut self) -> Vec<WrittenLine> {
        self.tracker.writer.take()
    }

    /// The clock as it is shown: a press that waits shows at once; under `casual` only until the
    /// late updates had their time (2).
    pub fn clock_shown(&self, now: Instant) -> Clock {
        let mut clock = self.table().clock().clone();
        for item in self.tracker.waiting.iter() {
            let Waiting::Press { by, at } = item else { continue };
            let counts =
                self.table().terms().voice == Voice::Event || now < *at + self.tracker.scene().settle();
            if counts && clock.turn() == Some(*by) {
                clock.read_on(*at);
                clock.press(*at, false);
            }
        }
        clock
    }

    // ---- what comes in ----

    /// An observation of the board or of a physical clock's lever.
    pub fn observe(&mut self, observation: &Observation, at: Instant) {
        self.pass(at);
        if let Observation::Press(by) = observation {
            // On a turned board the clock's sides are turned too.
            let by = if self.tracker.sight.turned() { by.other() } else { *by };
            // A lever that is moved too early is no line that could be refused: the board will tell.
            drop(self.tracker.press(by, at, at));
            return;
        }
        self.tracker.has_board = true;
        if !self.tracker.sight.see(observation, at) {
            return;
        }
        let Tracker { writer, sight, plies, .. } = &mut self.tracker;
        self.orientation.find(writer.table(), sight, plies.is_empty());
        self.tracker.write_what_is_seen(at);
        self.tracker.question = None;
        if !self.tracker.waiting.is_empty() {
            let whole = matches!(observation, Observation::Whole(_));
            self.tracker.try_waiting(at, if whole { Scrutiny::Whole } else { Scrutiny::Glance });
        }
    }

    /// A board seen by somebody else, as a `sees` line has it.
    pub fn sees(&mut self, board: &Board, at: Instant) {
        self.observe(&Observation::Whole(*board), at);
    }

    /// Evidence from a record: kept, and a button pressed before a crash waits again.
    pub fn recall(&mut self, evidence: &Evidence, at: Instant) {
        match evidence {
            Evidence::Sees(board) => {
                self.tracker.sight.see(&Observation::Whole(*board), at);
            }
            Evidence::Button(by) => self.tracker.waiting.push(Waiting::Press { by: *by, at }),
        }
    }

    /// The input ends here: time runs on by the settling time, and what stands settles. Presses that
    /// still wait come back as violations.
    pub fn finish(&mut self, at: Instant) -> Vec<Unexplained> {
        let end = at + self.tracker.scene().settle();
        self.pass(end);
        if !self.tracker.waiting.is_empty() {
            self.tracker.try_waiting(end, Scrutiny::End);
        }
        if self.tracker.scene().is_over() {
            self.tracker.let_presses_go(end);
        }
        self.tracker.take_standing_action(end);
        self.tracker.drop_what_stands_no_longer(end);
        let next = || match self.trouble() {
            Some(trouble) => trouble.sentence(),
            None => say!("press-not-understood-next", "act before pressing"),
        };
        self.tracker
            .waiting
            .iter()
            .filter_map(|item| match item {
                Waiting::Press { by, at } => {
                    let what = say!(
                        "press-not-understood",
                        "{by}'s press at {at} fits nothing that the board shows",
                        by = *by,
                        at = at.millis()
                    );
                    let violation = Violation::new("press-not-understood", what, next());
                    Some(Unexplained { at: *at, violation })
                }
                Waiting::Held { input, at } => {
                    let refused = self.table().clone().apply(input, Stamp::new(end, 0)).err();
                    refused.map(|violation| Unexplained { at: *at, violation })
                }
                Waiting::Unpressed { .. } | Waiting::Standing => None,
            })
            .collect()
    }
}
