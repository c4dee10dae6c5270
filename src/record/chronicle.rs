//! The data that a replay keeps besides the table: the events for exports (the story), the notes, and the
//! refused lines.
//!
//! Source: `docs/record.md`, "What was seen, and what was understood" and "Results and errors".
#![warn(clippy::indexing_slicing)]

use tabiya_types::{Board, Instant};

use super::infringements::IllegalMoves;
use super::observer::Observer;
use super::report::Remark;
use super::secrets::may_be_open;
use super::story::Story;
use super::text::{Body, Line};
use crate::rules::{Turn, Violation};
use crate::table::{Common, Effect, Evidence, Input, PressMode, Table};

/// The board of a `sees` line, to be compared with the expected board.
#[derive(Clone, Copy, Debug)]
struct Seen {
    board: Board,
    /// The number of the `sees` line.
    line: u32,
    /// The moment of the last change of this board or of the expected board. Since then both have stayed the same.
    since: Instant,
    /// Whether the notes already mention that this board differs from the expected board.
    noted: bool,
}

/// The story, the notes and the refused lines of a record.
#[derive(Clone, Debug)]
pub(super) struct Chronicle {
    story: Story,
    /// The `t` of the newest line.
    last_t: Instant,
    /// The moment at which the newest line took effect: its `when` if it has one, otherwise its `t`.
    last_moment: Instant,
    /// The expected board before the newest line that contains an input.
    expected: Board,
    /// The board of the last `sees` line, as long as it is compared with the expected board. `None` before the first
    /// such line, during the deal, during betting, and after the game.
    seen: Option<Seen>,
    violations: Vec<Remark>,
    notes: Vec<Remark>,
    illegal: IllegalMoves,
    /// The line with which all sealed cards could be seen for the first time.
    opened: Option<u32>,
}

impl Observer for Chronicle {
    fn before(&mut self, number: u32, line: &Line, table: &Table) {
        self.illegal.before(number, line, table);
        self.note_until(line.t, table);
        (self.last_t, self.last_moment) = (line.t, line.moment());
        if let Body::Acted(_) = &line.body {
            self.expected = table.physical();
            self.story.pass(table, line.moment());
        }
    }

    fn after(&mut self, number: u32, line: &Line, effects: &[Effect], table: &Table) {
        self.illegal.after(number, line, effects, table);
        if self.opened.is_none() && may_be_open(table) {
            self.opened = Some(number);
        }
        match &line.body {
            Body::Evidence(Evidence::Sees(board)) => {
                let counts = matches!(table.turn(), Turn::Timed { .. });
                let again = self.seen.filter(|seen| seen.board == **board);
                let seen = Seen { board: **board, line: number, since: line.t, noted: false };
                self.seen = counts.then_some(again.unwrap_or(seen));
            }
            Body::Evidence(Evidence::Button(_)) => {}
            Body::Acted(input) => {
                self.story.note(input, line.moment(), effects, table);
                self.follow_board(table);
                self.note_effects(number, line, input, effects);
            }
        }
    }
}

impl Chronicle {
    /// The chronicle of a record before its first line.
    pub(super) fn new(table: &Table) -> Self {
        Self {
            story: Story::new(table),
            last_t: Instant::ZERO,
            last_moment: Instant::ZERO,
            expected: table.physical(),
            seen: None,
            violations: Vec::new(),
            notes: Vec::new(),
            illegal: IllegalMoves::default(),
            opened: None,
        }
    }

    /// Adds a line that the rules refused.
    pub(super) fn refuse(&mut self, line: u32, violation: &Violation) {
        self.violations.push(Remark { line, rule: violation.rule, message: violation.to_string() });
    }

    pub(super) fn story(&self) -> &Story {
        &self.story
    }

    pub(super) fn last_t(&self) -> Instant {
        self.last_t
    }

    pub(super) fn last_moment(&self) -> Instant {
        self.last_moment
    }

    pub(super) fn opened(&self) -> Option<u32> {
        self.opened
    }

    pub(super) fn illegal_moves(&self) -> &IllegalMoves {
        &self.illegal
    }

    pub(super) fn violations(&self) -> &[Remark] {
        &self.violations
    }

    pub(super) fn notes(&self) -> &[Remark] {
        &self.notes
    }

    /// Adapts the comparison of the seen board with the expected board to the input that was just applied. If the input
    /// changed the expected board, the time for which the two boards have differed starts again at zero. During the
    /// deal, during betting, and after the game, the boards are not compared.
    fn follow_board(&mut self, table: &Table) {
        if let Some(seen) = &mut self.seen
            && table.physical() != self.expected
        {
            seen.since = self.last_t;
        }
        if table.turn() == Turn::Untimed {
            self.seen = None;
        }
    }

    fn note_effects(&mut self, number: u32, line: &Line, input: &Input, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Note(message) => self.notes.push(Remark {
                    line: number,
                    rule: "announcement",
                    message: message.to_string(),
                }),
                Effect::TurnEnded(_) if line.when.is_none() => self.note_pressed(input),
                Effect::TurnEnded(_)
                | Effect::Incident(_)
                | Effect::FlagFell(_)
                | Effect::GameOver(_)
                | Effect::MatchOver
                | Effect::SetBack
                | Effect::TakenBack(_)
                | Effect::ActedAgain(_) => {}
            }
        }
    }

    /// If the turn was ended by a press, adds a note if the last seen board differs from the board that was expected
    /// before the press.
    fn note_pressed(&mut self, input: &Input) {
        let presses = matches!(input, Input::Common(Common::Press(_)));
        if let Some(seen) = self.seen.filter(|seen| presses && seen.board != self.expected && !seen.noted) {
            self.note_difference(seen, &self.expected.clone());
        }
    }

    /// If the game is played without presses, adds a note when the last seen board has differed from the
    /// expected board for longer than the settling time (`settle_ms`).
    fn note_until(&mut self, until: Instant, table: &Table) {
        let terms = table.terms();
        if let Some(seen) = self.seen
            && terms.press == PressMode::Auto
            && until.since(seen.since) > terms.settle
            && !seen.noted
            && matches!(table.turn(), Turn::Timed { .. })
        {
            let expected = table.physical();
            if seen.board != expected {
                self.note_difference(seen, &expected);
            }
        }
    }

    fn note_difference(&mut self, seen: Seen, expected: &Board) {
        self.seen = Some(Seen { noted: true, ..seen });
        let squares: Vec<String> =
            seen.board.differences(expected).map(|square| square.to_string()).collect();
        self.notes.push(Remark {
            line: seen.line,
            rule: "board-differs",
            message: format!("the board seen differs from the expected one on {}", squares.join(", ")),
        });
    }
}
