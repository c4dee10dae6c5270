//! The tracker: what the board shows, what waits and what was settled become lines of the record.
//!
//! Here: what it owns, and what it writes. What presses do is in `presses.rs`, what a board at rest means in
//! `quiet.rs`, what is understood anew in `back.rs`.

use tabiya_types::{Board, Color, Instant};

use super::super::explanation::{ExplainedStep, Explanation};
use super::super::guide::Question;
use super::super::sight::Sight;
use super::case::Case;
use super::plies::{End, Plies};
use super::scene::Scene;
use super::waits::Waits;
use super::writer::LineWriter;
use crate::rules::Violation;
use crate::table::{Common, Input, Table};

/// A table, its board, and what is understood of it so far.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    pub(super) writer: LineWriter,
    pub(super) sight: Sight,
    pub(super) waiting: Waits,
    pub(super) plies: Plies,
    pub(super) question: Option<Question>,
    /// The change after which the quiet board was last looked at.
    pub(super) looked_at: Option<Instant>,
    /// The same for captures that were made in one swap, where nobody presses.
    pub(super) looked_closer_at: Option<Instant>,
    /// Whether a board is there, even if it has told nothing yet.
    pub(super) has_board: bool,
    /// The newest moment that anything came in.
    pub(super) now: Instant,
}

impl Tracker {
    /// Over a table and its lines, before the board has shown anything.
    pub(super) fn new(writer: LineWriter) -> Self {
        Self {
            writer,
            sight: Sight::new(),
            waiting: Waits::default(),
            plies: Plies::default(),
            question: None,
            looked_at: None,
            looked_closer_at: None,
            has_board: false,
            now: Instant::ZERO,
        }
    }

    pub(super) fn table(&self) -> &Table {
        self.writer.table()
    }

    /// The table and what the board shows.
    pub(super) fn scene(&self) -> Scene<'_> {
        Scene { table: self.table(), sight: &self.sight }
    }

    /// All that there is to go on.
    pub(super) fn case(&self) -> Case<'_> {
        Case { scene: self.scene(), plies: &self.plies, waiting: &self.waiting, now: self.now }
    }

    /// The board as seen; of one that only feels pieces, what should stand there.
    pub(super) fn seen(&self) -> Option<Board> {
        self.sight.known().then(|| self.sight.named(&self.table().physical()))
    }

    /// Writes what an explanation consists of; moments before `now` become `when`.
    pub(super) fn write_explanation(&mut self, way: &Explanation, now: Instant, press: bool) {
        let mut stood = way.positions.iter();
        for (step, at) in &way.steps {
            let at = if self.table().clock().turn().is_some() {
                (*at).max(self.table().turn_began())
            } else {
                *at
            };
            let when = Some(at.min(now)).filter(|at| *at < now);
            match step {
                ExplainedStep::Did(action) => {
                    let before = self.table().probe();
                    if !self.write_quietly(Input::Game(action.clone()), now, when) {
                        // A flag fell before: what was seen after that was no game any more.
                        break;
                    }
                    self.plies.add(before, now, End::Open);
                    if let (Some(ply), Some(stood)) = (self.plies.last_mut(), stood.next()) {
                        ply.ended = stood.ended.unwrap_or(now);
                        ply.told = ply.ended;
                        ply.end = match (stood.pressed, stood.alone) {
                            (Some(at), _) => End::Press(action.by().unwrap_or(Color::White), at),
                            (None, true) if press => End::Alone(ply.ended),
                            (None, true) => End::Open,
                            (None, false) => End::Implied,
                        };
                    }
                }
                ExplainedStep::Pressed(by) if press && self.scene().turn_is_typed() => {
                    self.write_quietly(Input::Common(Common::Press(*by)), now, when);
                }
                // A press that came with the end of the game does nothing, and is kept.
                ExplainedStep::Pressed(by) if press && self.scene().is_over() => {
                    self.write_quietly(Input::Common(Common::Press(*by)), now, when);
                }
                ExplainedStep::Pressed(_) => {}
                ExplainedStep::Held(input) => {
                    if !self.write_held(input, now, when) {
                        break;
                    }
                }
            }
        }
        if self.scene().expected() == self.sight.board()
            && let Some(ply) = self.plies.last_mut()
        {
            ply.told = ply.ended.max(self.sight.last_change());
        }
        self.question = None;
    }

    /// Writes a line that had been held; returns whether the table took it.
    pub(super) fn write_held(&mut self, input: &Input, now: Instant, when: Option<Instant>) -> bool {
        match input {
            Input::Game(action) if action.takes_turn() => self.write_turn(input, now, when).is_ok(),
            Input::Game(_) | Input::Common(_) => self.write_quietly(input.clone(), now, None),
        }
    }

    pub(super) fn write_turn(
        &mut self,
        input: &Input,
        at: Instant,
        when: Option<Instant>,
    ) -> Result<(), Violation> {
        let before = self.table().probe();
        let board = self.table().board();
        self.write(input.clone(), at, when)?;
        // A card turned over after the piece was put down gives a new meaning to a quiet board.
        self.looked_at = None;
        if self.table().board() == board {
            self.plies.open_with(input.clone());
        } else {
            self.plies.add(before, at, End::Typed);
        }
        Ok(())
    }

    /// The press that waits longest belongs to what was just written.
    pub(super) fn settle_first_press(&mut self, now: Instant) {
        if let Some((by, at)) = self.waiting.take_first_press() {
            self.write_quietly(Input::Common(Common::Press(by)), now, Some(at));
        }
    }

    /// Writes a line that acts. On `Err` nothing was written but the time that ran out.
    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        self.writer.write(input, t, when)?;
        if !self.sight.tells_pieces() {
            // What stands there has its name from what was understood.
            self.write_what_is_seen(t);
        }
        Ok(())
    }

    /// A line for what the board shows, unless the last one says so already.
    pub(super) fn write_what_is_seen(&mut self, t: Instant) {
        if let Some(seen) = self.seen() {
            self.writer.write_what_is_seen(seen, t);
        }
    }

    /// Writes what the table takes; returns whether it did.
    pub(super) fn write_quietly(&mut self, input: Input, t: Instant, when: Option<Instant>) -> bool {
        self.write(input, t, when).is_ok()
    }

    /// An undo or a redo was entered: the ply it took back is no earlier position any more.
    pub(super) fn step_back(&mut self) {
        if self.plies.last().is_some_and(|ply| ply.before.physical() == self.table().physical()) {
            self.plies.pop();
        }
        self.plies.close_turn();
        self.sight.forget_way();
        // What stood there before a person put it right means nothing by itself.
        self.looked_at = Some(self.sight.last_change());
        self.question = None;
    }

    pub(super) fn forget_plies(&mut self) {
        self.plies.clear();
        self.plies.close_turn();
        self.sight.forget_way();
        // What stood there before a person put it right means nothing by itself.
        self.looked_at = Some(self.sight.last_change());
        self.question = None;
    }
}
