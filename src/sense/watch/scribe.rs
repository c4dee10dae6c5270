//! The scribe: writes what is decided into the record, and keeps the tracker in step with the table. It decides nothing.

use tabiya_types::{Color, Instant, Observation};

use super::super::history::{Grid, HistoryMark, grid_of};
use super::super::reading::{Occasion, TurnEvent};
use super::super::tracker::{Settled, Tracker};
use super::earlier::EarlierPositions;
use super::explaining::{Explanation, explained};
use super::sight::Sight;
use super::unpressed::{UnpressedTurns, WatchRemark};
use super::writer::{LineWriter, WrittenLine};
use crate::rules::{Action, Actor, Violation};
use crate::table::{Common, Entry, Evidence, Input, Table};

/// The input of a press.
pub(super) fn press(by: Color) -> Input {
    Input::Common(Common::Press(by))
}

/// Table and tracker in step, and the new lines of the record.
#[derive(Clone, Debug)]
pub(super) struct Scribe {
    writer: LineWriter,
    pub(super) tracker: Tracker,
    pub(super) earlier: EarlierPositions,
    pub(super) now: Instant,
    /// What was understood against the odds, in words, until it is said.
    pub(super) remarks: Vec<WatchRemark>,
    pub(super) unpressed: UnpressedTurns,
    /// The explanations since they were last taken, if they are wanted.
    pub(super) explanations: Option<Vec<Explanation>>,
}

impl Scribe {
    /// A scribe over a table that was replayed from a record with this number of lines.
    pub(super) fn over(table: Table, lines: u32) -> Self {
        Self {
            tracker: Tracker::new(&table),
            writer: LineWriter::new(table, lines),
            earlier: EarlierPositions::default(),
            now: Instant::ZERO,
            remarks: Vec::new(),
            unpressed: UnpressedTurns::default(),
            explanations: None,
        }
    }

    /// The table after all lines so far.
    pub(super) fn table(&self) -> &Table {
        self.writer.table()
    }

    /// Tracker and table, to be asked.
    pub(super) fn sight(&self) -> Sight<'_> {
        Sight { tracker: &self.tracker, table: self.writer.table(), now: self.now }
    }

    /// Takes in what the board shows. Returns whether it shows something else than before.
    pub(super) fn take_in(&mut self, observation: &Observation, at: Instant) -> bool {
        self.tracker.observe(observation, at, self.writer.table(), self.now)
    }

    /// Removes and returns the lines that were written since the last call, in their order.
    pub(super) fn take_lines(&mut self) -> Vec<WrittenLine> {
        if self.writer.has_notes() && self.tracker.unexplained().next().is_none() {
            self.writer.drop_notes();
        }
        self.writer.take()
    }

    /// Keeps the note of this entry for its line.
    pub(super) fn note(&mut self, entry: &Entry) {
        self.writer.note(entry);
    }

    /// Forgets the note of an entry that was refused.
    pub(super) fn drop_note(&mut self, entry: &Entry) {
        self.writer.drop_note(entry);
    }

    /// Explains what is about to be believed or asked, if that is wanted.
    pub(super) fn explain(&mut self, occasion: Occasion, shared: usize) {
        if let Some(explanations) = &mut self.explanations {
            explanations.push(explained(&mut self.tracker, self.now, occasion, shared));
        }
    }

    // ---- lines ----

    /// Writes an input that happened at `when`. On `Err` the rules refused it.
    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        self.writer.write(input, t, when)?;
        self.tracker.expect(grid_of(&self.writer.table().physical()));
        if !self.tracker.history().kind.names_pieces() {
            // The pieces of a board that only feels have the names that the table expects.
            self.write_what_is_seen(t);
        }
        Ok(())
    }

    /// Writes a `sees` line with the board as shown, unless the last `sees` line has the same board.
    pub(super) fn write_what_is_seen(&mut self, t: Instant) {
        if let Some(seen) = self.sight().seen() {
            self.writer.write_what_is_seen(seen, t);
        }
    }

    /// Writes a line of evidence, which does not change the table.
    pub(super) fn evidence(&mut self, evidence: Evidence, t: Instant) {
        self.writer.evidence(evidence, t);
    }

    /// Lets time pass at the table. If this changes it, writes a `tick` line.
    pub(super) fn tick(&mut self) {
        self.writer.tick(self.now, self.now);
    }

    /// Writes what was said after a move. Returns `false` if the rules refuse it, which is said to the players.
    pub(super) fn say(&mut self, said: Action, when: Option<Instant>) -> bool {
        let refused = self.write(Input::Game(said), self.now, when).err();
        self.remarks.extend(refused.as_ref().map(|violation| violation.sentence().into()));
        refused.is_none()
    }

    /// After a move of this player was written: writes what he said after it, before it was understood. What he said after
    /// `until`, when the other player had moved, belongs to a later turn. While the other player has to answer, it waits.
    /// Returns what was written.
    pub(super) fn write_said_after(
        &mut self,
        by: Option<Color>,
        when: Option<Instant>,
        until: Option<Instant>,
    ) -> Option<Action> {
        if by.is_some_and(|by| self.table().to_act() == Actor::Player(by.other())) {
            return None;
        }
        let said = self.tracker.explain_said(by, until)?;
        self.say(said.clone(), when).then_some(said)
    }

    /// Writes the lines that were held back, once no press waits.
    pub(super) fn write_held(&mut self) {
        for input in self.tracker.release() {
            drop(self.write(input, self.now, None));
        }
    }

    /// Gives up the presses that wait, and writes the lines that were held back for them.
    pub(super) fn release(&mut self) {
        self.tracker.drop_waiting();
        self.write_held();
    }

    /// The game is over: the presses that still wait end nothing.
    pub(super) fn release_presses(&mut self) {
        let presses: Vec<(Color, Instant)> = self.tracker.waiting_presses().collect();
        self.release();
        for (by, at) in presses {
            drop(self.write(press(by), self.now, Some(at)));
        }
    }

    /// Remembers the position before an action.
    pub(super) fn remember(&mut self, pieces: Grid, count: usize) {
        self.earlier.remember(pieces, count, !self.tracker.differs());
    }

    // ---- the readings begin anew ----

    /// The table is where the written steps have brought it.
    pub(super) fn advance(&mut self) {
        self.tracker.advance(self.writer.table());
    }

    /// These steps are written.
    pub(super) fn written(&mut self, path: Vec<Settled>) {
        self.tracker.written(path, self.writer.table());
    }

    /// Reads nothing anew that was done before a line that is no action. The line may have changed what is possible.
    pub(super) fn settle_path(&mut self) {
        self.tracker.settle_path(self.writer.table());
    }

    /// Forgets what was shown, understood and asked: the readings begin at the table as it is. These events still wait.
    pub(super) fn begin(&mut self, waiting: Vec<TurnEvent>) {
        self.begin_from(waiting, None);
    }

    /// The same, where what the board showed counts from this mark on.
    pub(super) fn begin_from(&mut self, waiting: Vec<TurnEvent>, mark: Option<HistoryMark>) {
        self.tracker.begin(self.writer.table(), self.now, waiting, mark);
    }
}
