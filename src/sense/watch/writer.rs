//! Writes the lines of a record and applies them to the table.
//!
//! Only lines that the rules accept are written. Each line comes with a copy of the table after that line, so that
//! other code need not apply the line again.

use tabiya_types::{Board, Instant};

use crate::rules::Violation;
use crate::table::{Body, Common, Effect, Entry, Evidence, Input, Note, Stamp, Table};

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

/// A table, and the new lines of its record.
#[derive(Clone, Debug)]
pub(super) struct LineWriter {
    table: Table,
    /// How many lines the record has.
    lines: u32,
    /// The board in the last `sees` line that this writer wrote.
    last_sees: Option<Board>,
    /// The notes of entries whose lines are not written yet, each with its input.
    notes: Vec<(Input, Note)>,
    out: Vec<WrittenLine>,
}

impl LineWriter {
    /// Creates a writer for a table that was restored by replaying a record. `lines` is the number of lines in that
    /// record.
    pub(super) fn new(table: Table, lines: u32) -> Self {
        Self { table, lines, last_sees: None, notes: Vec::new(), out: Vec::new() }
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// Keeps the note of this entry for its line.
    pub(super) fn note(&mut self, Entry { input, note }: &Entry) {
        if !note.is_empty() {
            self.notes.push((input.clone(), note.clone()));
        }
    }

    /// Forgets the note of an entry that was refused.
    pub(super) fn drop_note(&mut self, Entry { input, note }: &Entry) {
        if let Some(nth) = self.notes.iter().rposition(|kept| (&kept.0, &kept.1) == (input, note)) {
            self.notes.remove(nth);
        }
    }

    /// Whether a note waits for its line.
    pub(super) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// Forgets the notes whose lines will not be written.
    pub(super) fn drop_notes(&mut self) {
        self.notes.clear();
    }

    /// The note for a line with this input: the one that has waited longest.
    fn note_of(&mut self, input: &Input) -> Note {
        let noted = self.notes.iter().position(|(noted, _)| noted == input);
        noted.map(|nth| self.notes.remove(nth).1).unwrap_or_default()
    }

    /// Removes and returns the lines that were written since the last call.
    pub(super) fn take(&mut self) -> Vec<WrittenLine> {
        std::mem::take(&mut self.out)
    }

    /// Writes an input. The input happened at `when`, or at `t` if `when` is `None`. If a deadline of the table had
    /// passed by that time, a `tick` line may be written first. On `Err` the rules refused the input, but a `tick` line
    /// that was written before it stays.
    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        let when = when.filter(|when| *when != t);
        let at = when.unwrap_or(t);
        if self.table.deadline().is_some_and(|due| due <= at) {
            self.tick(t, at);
        }
        let effects = self.table.apply(&input, Stamp::new(at, self.lines + 1))?;
        self.push(t, when, Body::Acted(input), effects);
        Ok(())
    }

    /// Writes a `sees` line with this board, unless the last `sees` line has the same board.
    pub(super) fn write_what_is_seen(&mut self, seen: Board, t: Instant) {
        if self.last_sees != Some(seen) {
            self.last_sees = Some(seen);
            self.evidence(Evidence::Sees(Box::new(seen)), t);
        }
    }

    /// Lets time pass up to `at`. If this changes the table, writes a `tick` line.
    pub(super) fn tick(&mut self, t: Instant, at: Instant) {
        let before = (self.table.phase(), self.table.to_act());
        let tick = Input::Common(Common::Tick);
        let effects = self.table.apply(&tick, Stamp::new(at, self.lines + 1)).unwrap_or_default();
        if !effects.is_empty() || before != (self.table.phase(), self.table.to_act()) {
            self.push(t, None, Body::Acted(tick), effects);
        }
    }

    /// Writes a line of evidence, which does not change the table.
    pub(super) fn evidence(&mut self, evidence: Evidence, t: Instant) {
        self.push(t, None, Body::Evidence(evidence), Vec::new());
    }

    fn push(&mut self, t: Instant, when: Option<Instant>, body: Body, effects: Vec<Effect>) {
        self.lines = self.lines.saturating_add(1);
        let note = match &body {
            Body::Acted(input) => self.note_of(input),
            Body::Evidence(_) => Note::default(),
        };
        self.out.push(WrittenLine { t, when, body, note, effects, after: self.table.clone() });
    }
}
