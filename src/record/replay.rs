//! Replay: computes the state of the table from the lines of a record, or follows a match while its record is
//! written.
//!
//! Source: `docs/record.md`, "How lines act" and "Results and errors".
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeMap;

use serde_json::Value;
use tabiya_types::Instant;

use super::chronicle::Chronicle;
use super::header::Header;
use super::infringements::IllegalMoves;
use super::observer::Observer;
use super::report::{self, Remark};
use super::story::Story;
use super::text::{Body, Line};
use crate::rules::{FormError, Games, Violation};
use crate::table::{Effect, Stamp, Table};

/// Why a line was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The rules do not allow the line in the current state of the game. A program that continues with the next
    /// line must skip this one.
    #[error("{0}")]
    Refused(Violation),
    /// The form of the line is wrong, so the lines after it cannot be trusted.
    #[error("{0}")]
    Unusable(FormError),
}

/// A replay of a record: the header, the table after the lines so far, and the notes and violations of these
/// lines.
#[derive(Clone, Debug)]
pub struct Replay {
    header: Header,
    table: Table,
    chronicle: Chronicle,
    ids: BTreeMap<String, u32>,
}

impl Replay {
    /// A replay of a match with this header, before its first line.
    pub fn new(header: Header) -> Self {
        let table = Table::new(header.agreement.clone());
        Self { chronicle: Chronicle::new(&table), table, header, ids: BTreeMap::new() }
    }

    /// Parses a header and begins a replay with it. `games` are the known games.
    pub fn begin(header: &str, games: Games) -> Result<Self, FormError> {
        Header::parse(header, games).map(Self::new)
    }

    /// Parses the line with this number and applies it. Blank lines are ignored.
    pub fn feed(&mut self, number: u32, text: &str) -> Result<(), Stop> {
        self.feed_before(number, text, &mut ())
    }

    /// Parses the line with this number and applies it before this observer. Blank lines are ignored.
    pub fn feed_before(&mut self, number: u32, text: &str, observer: &mut impl Observer) -> Result<(), Stop> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let line = Line::parse(text, &self.header).map_err(Stop::Unusable)?;
        self.take_before(number, &line, observer).map(drop)
    }

    /// Applies a line. If the rules refuse the line, it is added to the violations.
    pub fn take(&mut self, number: u32, line: &Line) -> Result<Vec<Effect>, Stop> {
        self.take_before(number, line, &mut ())
    }

    /// Applies a line, and calls `observer` before and after. If the rules refuse the line, it is added to the
    /// violations.
    pub fn take_before(
        &mut self,
        number: u32,
        line: &Line,
        observer: &mut impl Observer,
    ) -> Result<Vec<Effect>, Stop> {
        if self.was_seen(number, line) {
            observer.passed_over(number, line, &self.table);
            return Ok(Vec::new());
        }
        let last_t = self.chronicle.last_t();
        if line.t < last_t {
            return Err(Stop::Unusable(FormError(format!(
                "time goes back: `t` is {}, but an earlier line has {}",
                line.t.millis(),
                last_t.millis()
            ))));
        }
        let mut observers = (&mut self.chronicle, observer);
        observers.before(number, line, &self.table);
        let effects = match &line.body {
            Body::Evidence(_) => Vec::new(),
            Body::Acted(input) => match self.table.apply(input, Stamp::new(line.moment(), number)) {
                Ok(effects) => effects,
                Err(violation) => {
                    self.chronicle.refuse(number, &violation);
                    return Err(Stop::Refused(violation));
                }
            },
        };
        observers.after(number, line, &effects, &self.table);
        Ok(effects)
    }

    /// Adds a line that was already applied to the table of a running match. `effects` are the line's effects, and
    /// `after` is the table after the line.
    pub fn follow(
        &mut self,
        number: u32,
        line: &Line,
        (effects, after): (&[Effect], Table),
        observer: &mut impl Observer,
    ) {
        let seen = self.was_seen(number, line);
        debug_assert!(!seen, "a live table gives no line an `id` twice");
        let mut observers = (&mut self.chronicle, observer);
        observers.before(number, line, &self.table);
        self.table = after;
        observers.after(number, line, effects, &self.table);
    }

    /// Whether an earlier line has the same `id` as this line. Remembers the `id` for later calls.
    fn was_seen(&mut self, number: u32, line: &Line) -> bool {
        let Some(id) = &line.id else { return false };
        let seen = self.ids.contains_key(id);
        if !seen {
            self.ids.insert(id.clone(), number);
        }
        seen
    }

    /// The place in the record of the first line with this id, where the header is 0; `None` if no line has it.
    pub fn place_of(&self, id: &str) -> Option<u64> {
        self.ids.get(id).map(|number| u64::from(*number).saturating_sub(1))
    }

    /// Adds a violation for a line that the rules did not refuse, such as a press that the board never explained.
    pub fn add_violation(&mut self, line: u32, violation: &Violation) {
        self.chronicle.refuse(line, violation);
    }

    /// The header of the record.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The table after the lines so far.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The events of the match in chronological order, for exports.
    pub fn story(&self) -> &Story {
        self.chronicle.story()
    }

    /// The illegal moves that the record counts.
    pub(super) fn illegal_moves(&self) -> &IllegalMoves {
        self.chronicle.illegal_moves()
    }

    /// The `t` of the last line.
    pub fn last_t(&self) -> Instant {
        self.chronicle.last_t()
    }

    /// The refused lines, with the reasons.
    pub fn violations(&self) -> &[Remark] {
        self.chronicle.violations()
    }

    /// The line with which all sealed cards could be seen for the first time, because the match was over and both players
    /// had agreed. The line stays known if this is taken back.
    pub fn opened(&self) -> Option<u32> {
        self.chronicle.opened()
    }

    /// The notes about accepted lines.
    pub fn notes(&self) -> &[Remark] {
        self.chronicle.notes()
    }

    /// The results as JSON. All clock readings are those at the moment of the last line.
    pub fn report(&self) -> Value {
        let chronicle = &self.chronicle;
        report::report(&self.table, chronicle.last_moment(), chronicle.violations(), chronicle.notes())
    }

    /// A short list of the inputs that would be accepted now, for the end of an error message.
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
