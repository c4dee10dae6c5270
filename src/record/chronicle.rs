//! What a record tells besides its table: the story for exports, remarks, and lines that were refused.
//!
//! Source: record, "What was seen, and what was understood", "Results and errors".
#![warn(clippy::indexing_slicing)]

use tabiya_types::{Board, Instant};

use super::observer::Observer;
use super::report::Remark;
use super::story::Story;
use super::text::{Body, Line};
use crate::rules::{Turn, Violation};
use crate::table::{Common, Effect, Evidence, Input, PressMode, Table};

/// A board as seen, not yet held against the expected one.
#[derive(Clone, Copy, Debug)]
struct Seen {
    board: Board,
    line: u32,
    /// Since when this board and the expected one have both stood.
    since: Instant,
    /// A board is noted once, however long it stands.
    noted: bool,
}

/// What a record tells besides its table.
#[derive(Clone, Debug)]
pub(super) struct Chronicle {
    story: Story,
    /// The newest line's own time, and the moment at which it acted.
    last_t: Instant,
    last_moment: Instant,
    /// The board that the table expected before the newest line that acted.
    expected: Board,
    seen: Option<Seen>,
    violations: Vec<Remark>,
    notes: Vec<Remark>,
}

impl Observer for Chronicle {
    fn before(&mut self, _: u32, line: &Line, table: &Table) {
        self.note_stood(line.t, table);
        (self.last_t, self.last_moment) = (line.t, line.moment());
        if let Body::Acted(_) = &line.body {
            self.expected = table.physical();
            self.story.pass(table, line.moment());
        }
    }

    fn after(&mut self, number: u32, line: &Line, effects: &[Effect], table: &Table) {
        match &line.body {
            Body::Evidence(Evidence::Sees(board)) => {
                let counts = matches!(table.turn(), Turn::Timed { .. });
                let again = self.seen.filter(|seen| seen.board == *board);
                let seen = Seen { board: *board, line: number, since: line.t, noted: false };
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
    /// Of a record before its first line.
    pub(super) fn new(table: &Table) -> Self {
        Self {
            story: Story::new(table),
            last_t: Instant::ZERO,
            last_moment: Instant::ZERO,
            expected: table.physical(),
            seen: None,
            violations: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds something that broke the rules.
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

    pub(super) fn violations(&self) -> &[Remark] {
        &self.violations
    }

    pub(super) fn notes(&self) -> &[Remark] {
        &self.notes
    }

    /// The table expects another board now, or none.
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
                | Effect::SetBack => {}
            }
        }
    }

    /// At a press the board seen last should be the expected one.
    fn note_pressed(&mut self, input: &Input) {
        let presses = matches!(input, Input::Common(Common::Press(_)));
        if let Some(seen) = self.seen.filter(|seen| presses && seen.board != self.expected && !seen.noted) {
            self.note_difference(seen, &self.expected.clone());
        }
    }

    /// Without presses a board that stood long enough should be the expected one.
    fn note_stood(&mut self, until: Instant, table: &Table) {
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
