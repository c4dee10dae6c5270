//! A record and the table that it leads to: folded again from its lines, or followed while a live table writes it.
//!
//! Source: record, "How lines act", "Results and errors".
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeSet;

use serde_json::Value;
use tabiya_types::Instant;

use super::chronicle::Chronicle;
use super::header::Header;
use super::observer::Observer;
use super::report::{self, Remark};
use super::story::Story;
use super::text::{Body, Line};
use crate::rules::{FormError, Games, Violation};
use crate::table::{Effect, Stamp, Table};

/// Why a line was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// By the rules, that is, by the state it met. Whoever reads on has to leave it out of the record.
    #[error("{0}")]
    Refused(Violation),
    /// By its form. Nothing after it can be trusted.
    #[error("{0}")]
    Unusable(FormError),
}

/// A record being read.
#[derive(Clone, Debug)]
pub struct Replay {
    header: Header,
    table: Table,
    chronicle: Chronicle,
    ids: BTreeSet<String>,
}

impl Replay {
    /// A replay of a match with this header, before its first line.
    pub fn new(header: Header) -> Self {
        let table = Table::new(header.agreement.clone());
        Self { chronicle: Chronicle::new(&table), table, header, ids: BTreeSet::new() }
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
        self.take_before(number, line, &mut ())
    }

    /// The same before somebody who observes the table, too.
    pub fn take_before(
        &mut self,
        number: u32,
        line: &Line,
        observer: &mut impl Observer,
    ) -> Result<Vec<Effect>, Stop> {
        if self.was_seen(line) {
            observer.passed_over(number, line, &self.table);
            return Ok(Vec::new());
        }
        let last_t = self.chronicle.last_t();
        if line.t < last_t {
            return Err(Stop::Unusable(FormError(format!(
                "time goes back: t is {} after {}",
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

    /// Follows a line that a live table has taken: what it brought about, and the table after it.
    pub fn follow(
        &mut self,
        number: u32,
        line: &Line,
        (effects, after): (&[Effect], Table),
        observer: &mut impl Observer,
    ) {
        let seen = self.was_seen(line);
        debug_assert!(!seen, "a live table gives no line an `id` twice");
        let mut observers = (&mut self.chronicle, observer);
        observers.before(number, line, &self.table);
        self.table = after;
        observers.after(number, line, effects, &self.table);
    }

    /// Whether a line of this `id` was there before.
    fn was_seen(&mut self, line: &Line) -> bool {
        line.id.as_ref().is_some_and(|id| !self.ids.insert(id.clone()))
    }

    /// Adds a violation that no line brought about.
    pub fn add_violation(&mut self, line: u32, violation: &Violation) {
        self.chronicle.refuse(line, violation);
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
        self.chronicle.story()
    }

    /// The last line's own time.
    pub fn last_t(&self) -> Instant {
        self.chronicle.last_t()
    }

    /// Refused lines.
    pub fn violations(&self) -> &[Remark] {
        self.chronicle.violations()
    }

    /// Remarks.
    pub fn notes(&self) -> &[Remark] {
        self.chronicle.notes()
    }

    /// The results at the last line's moment.
    pub fn report(&self) -> Value {
        let chronicle = &self.chronicle;
        report::report(&self.table, chronicle.last_moment(), chronicle.violations(), chronicle.notes())
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
