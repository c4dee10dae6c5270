//! Folds the lines of a record into a table again.
//!
//! Source: record, "How lines act", "What was seen, and what was understood", "Results and errors".
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeSet;

use serde_json::Value;

use super::header::Header;
use super::report::{self, Remark};
use super::story::Story;
use super::text::{Body, Line};
use crate::rules::{FormError, Games, Turn, Violation};
use crate::table::{Common, Effect, Evidence, Input, PressMode, Stamp, Table};
use tabiya_types::{Board, Instant};

/// Why a line was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// By the rules, that is, by the state it met. It may be passed over.
    #[error("{0}")]
    Refused(Violation),
    /// By its form. Nothing after it can be trusted.
    #[error("{0}")]
    Unusable(FormError),
}

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

/// A record being replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    header: Header,
    table: Table,
    story: Story,
    ids: BTreeSet<String>,
    last_t: Instant,
    last_moment: Instant,
    seen: Option<Seen>,
    violations: Vec<Remark>,
    notes: Vec<Remark>,
}

impl Replay {
    /// A replay of a match with this header, before its first line.
    pub fn new(header: Header) -> Self {
        let table = Table::new(header.agreement.clone());
        Self {
            story: Story::new(&table),
            table,
            header,
            ids: BTreeSet::new(),
            last_t: Instant::ZERO,
            last_moment: Instant::ZERO,
            seen: None,
            violations: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Reads a header and begins.
    pub fn begin(header: &str, games: Games) -> Result<Self, FormError> {
        Header::parse(header, games).map(Self::new)
    }

    /// Reads the line of that number and folds it in. Blank lines pass.
    pub fn feed(&mut self, number: u32, text: &str) -> Result<(), Stop> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let line = Line::parse(text, &self.header).map_err(Stop::Unusable)?;
        self.take(number, &line).map(drop)
    }

    /// Folds a line in. A refused line is listed among the violations.
    pub fn take(&mut self, number: u32, line: &Line) -> Result<Vec<Effect>, Stop> {
        if let Some(id) = &line.id
            && !self.ids.insert(id.clone())
        {
            return Ok(Vec::new());
        }
        if line.t < self.last_t {
            return Err(Stop::Unusable(FormError(format!(
                "time goes back: t is {} after {}",
                line.t.millis(),
                self.last_t.millis()
            ))));
        }
        self.note_stood(line.t);
        self.last_t = line.t;
        self.last_moment = line.moment();
        match &line.body {
            Body::Evidence(Evidence::Sees(board)) => {
                let counts = matches!(self.table.turn(), Turn::Timed { .. });
                let again = self.seen.filter(|seen| seen.board == *board);
                let seen = Seen { board: *board, line: number, since: line.t, noted: false };
                self.seen = counts.then_some(again.unwrap_or(seen));
                Ok(Vec::new())
            }
            Body::Evidence(Evidence::Button(_)) => Ok(Vec::new()),
            Body::Acted(input) => self.act(input, Stamp::new(line.moment(), number), line.when.is_some()),
        }
    }

    fn act(&mut self, input: &Input, stamp: Stamp, understood_late: bool) -> Result<Vec<Effect>, Stop> {
        let presses = matches!(input, Input::Common(Common::Press(_)));
        let before = self.table.physical();
        let expected = presses.then_some(before);
        self.story.pass(&self.table, stamp.at);
        match self.table.apply(input, stamp) {
            Ok(effects) => {
                self.story.note(input, stamp.at, &effects, &self.table);
                if let Some(seen) = &mut self.seen
                    && self.table.physical() != before
                {
                    seen.since = self.last_t;
                }
                if self.table.turn() == Turn::Untimed {
                    self.seen = None;
                }
                for effect in &effects {
                    match effect {
                        Effect::Note(message) => self.notes.push(Remark {
                            line: stamp.line,
                            rule: "announcement",
                            message: message.to_string(),
                        }),
                        Effect::TurnEnded(_) if !understood_late => self.note_pressed(expected),
                        Effect::TurnEnded(_)
                        | Effect::Incident(_)
                        | Effect::FlagFell(_)
                        | Effect::GameOver(_)
                        | Effect::MatchOver
                        | Effect::SetBack => {}
                    }
                }
                Ok(effects)
            }
            Err(violation) => {
                self.violations.push(Remark {
                    line: stamp.line,
                    rule: violation.rule,
                    message: violation.to_string(),
                });
                Err(Stop::Refused(violation))
            }
        }
    }

    /// At a press the board seen last should be the expected one.
    fn note_pressed(&mut self, expected: Option<Board>) {
        if let (Some(seen), Some(expected)) = (self.seen, expected)
            && seen.board != expected
            && !seen.noted
        {
            self.seen = Some(Seen { noted: true, ..seen });
            self.note_difference(&seen, &expected);
        }
    }

    /// Without presses a board that stood long enough should be the expected one.
    fn note_stood(&mut self, until: Instant) {
        let terms = self.table.terms();
        if let Some(seen) = self.seen
            && terms.press == PressMode::Auto
            && until.since(seen.since) > terms.settle
            && !seen.noted
            && matches!(self.table.turn(), Turn::Timed { .. })
        {
            let expected = self.table.physical();
            if seen.board != expected {
                self.seen = Some(Seen { noted: true, ..seen });
                self.note_difference(&seen, &expected);
            }
        }
    }

    fn note_difference(&mut self, seen: &Seen, expected: &Board) {
        let squares: Vec<String> =
            seen.board.differences(expected).map(|square| square.to_string()).collect();
        self.notes.push(Remark {
            line: seen.line,
            rule: "board-differs",
            message: format!("the board seen differs from the expected one on {}", squares.join(", ")),
        });
    }

    /// Adds a violation that no line brought about.
    pub fn add_violation(&mut self, line: u32, violation: &Violation) {
        self.violations.push(Remark { line, rule: violation.rule, message: violation.to_string() });
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The table as it stands.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What happened in which order, for exports.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The last line's own time.
    pub fn last_t(&self) -> Instant {
        self.last_t
    }

    /// Refused lines.
    pub fn violations(&self) -> &[Remark] {
        &self.violations
    }

    /// Remarks.
    pub fn notes(&self) -> &[Remark] {
        &self.notes
    }

    /// The results at the last line's moment.
    pub fn report(&self) -> Value {
        report::report(&self.table, self.last_moment, &self.violations, &self.notes)
    }

    /// What would be accepted now, in short, for an error's last part.
    pub fn legal_words(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        for legal in self.table.legal() {
            let word = match legal.by() {
                Some(by) => format!("{} by {}", legal.word(), by.word()),
                None => legal.word().to_owned(),
            };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if self.table.clock().paused() {
            words.push("resume".to_owned());
        }
        if words.is_empty() { "nothing but undo".to_owned() } else { words.join(", ") }
    }
}
