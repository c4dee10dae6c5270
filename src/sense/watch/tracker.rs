//! The tracker: turns pictures of the board, presses and typed lines into lines of the record.
//!
//! This file contains the tracker's state and writes the lines. `presses.rs` handles presses, `quiet.rs` handles
//! a board at rest, and `back.rs` replaces settled actions that were wrong.

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

/// A table, the pictures of its board, the actions that were understood from them, and the presses and lines that wait
/// for an explanation.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    pub(super) writer: LineWriter,
    pub(super) sight: Sight,
    pub(super) waiting: Waits,
    pub(super) plies: Plies,
    pub(super) question: Option<Question>,
    /// When the tracker examines the quiet board, it stores the time of the board's last change here. It examines the
    /// board again only after a later change, or if this field was set to `None`.
    pub(super) looked_at: Option<Instant>,
    /// When the tracker examines the board for a capture in which two pieces were swapped, it stores the time of the
    /// board's last change here. It repeats this examination only after a later change.
    pub(super) looked_closer_at: Option<Instant>,
    /// Whether a board is connected, even if it has reported nothing yet.
    pub(super) has_board: bool,
    /// The moment of the latest input.
    pub(super) now: Instant,
}

impl Tracker {
    /// A tracker for a table whose board has reported nothing yet.
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

    /// The table with the pictures of its board.
    pub(super) fn scene(&self) -> Scene<'_> {
        Scene { table: self.table(), sight: &self.sight }
    }

    /// Everything that an explanation of the board depends on.
    pub(super) fn case(&self) -> Case<'_> {
        Case { scene: self.scene(), plies: &self.plies, waiting: &self.waiting, now: self.now }
    }

    /// The board as shown, with its pieces identified ([`Sight::named`]); `None` until all squares were seen.
    pub(super) fn seen(&self) -> Option<Board> {
        self.sight.known().then(|| self.sight.named(&self.table().physical()))
    }

    /// Writes the steps of an explanation to the record. A step that happened before `now` gets its own time as `when`.
    /// If `press` is `true`, the presses of the explanation are written, too.
    pub(super) fn write_explanation(&mut self, explanation: &Explanation, now: Instant, press: bool) {
        let mut positions = explanation.positions.iter();
        for (step, at) in &explanation.steps {
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
                        // The rules refuse this action, because a flag fell before it. So the actions after it are not
                        // part of the game either.
                        break;
                    }
                    self.plies.add(before, now, End::Open);
                    if let (Some(ply), Some(reached)) = (self.plies.last_mut(), positions.next()) {
                        ply.ended = reached.ended.unwrap_or(now);
                        ply.explained_until = ply.ended;
                        ply.end = match (reached.pressed, reached.alone) {
                            (Some(at), _) => End::Press(action.by().unwrap_or(Color::White), at),
                            (None, true) if press => End::Unpressed(ply.ended),
                            (None, true) => End::Open,
                            (None, false) => End::Implied,
                        };
                    }
                }
                ExplainedStep::Pressed(by) if press && self.scene().turn_is_typed() => {
                    self.write_quietly(Input::Common(Common::Press(*by)), now, when);
                }
                // A press after the end of the game does nothing, but the record keeps it.
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
            ply.explained_until = ply.ended.max(self.sight.last_change());
        }
        self.question = None;
    }

    /// Writes a line that waited. Returns whether the rules accepted the line.
    pub(super) fn write_held(&mut self, input: &Input, now: Instant, when: Option<Instant>) -> bool {
        match input {
            Input::Game(action) if action.takes_turn() => self.write_turn(input, now, when).is_ok(),
            Input::Game(_) | Input::Common(_) => self.write_quietly(input.clone(), now, None),
        }
    }

    /// Writes an action that a person typed. On `Err` the rules refused the action.
    pub(super) fn write_turn(
        &mut self,
        input: &Input,
        at: Instant,
        when: Option<Instant>,
    ) -> Result<(), Violation> {
        let before = self.table().probe();
        let board = self.table().board();
        self.write(input.clone(), at, when)?;
        // A player may put a piece down first and turn its card over afterwards. The card then changes what the quiet
        // board means, so the tracker must examine the board again.
        self.looked_at = None;
        if self.table().board() == board {
            self.plies.open_with(input.clone());
        } else {
            self.plies.add(before, at, End::Typed);
        }
        Ok(())
    }

    /// Writes the press that has waited longest. This press ends the turn whose action was written last.
    pub(super) fn settle_first_press(&mut self, now: Instant) {
        if let Some((by, at)) = self.waiting.take_first_press() {
            self.write_quietly(Input::Common(Common::Press(by)), now, Some(at));
        }
    }

    /// Writes an input that happened at `when`, or at `t` if `when` is `None`. On `Err` the rules refused the input.
    /// Even in that case a `tick` line may have been written, for a deadline that had passed.
    pub(super) fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        self.writer.write(input, t, when)?;
        if !self.sight.identifies_pieces() {
            // The board senses only occupancy, so its pieces are identified with the help of the table's position. The
            // input may have just changed that position, and with it the board as shown.
            self.write_what_is_seen(t);
        }
        Ok(())
    }

    /// Writes a `sees` line with the board as shown, unless the last `sees` line has the same board.
    pub(super) fn write_what_is_seen(&mut self, t: Instant) {
        if let Some(seen) = self.seen() {
            self.writer.write_what_is_seen(seen, t);
        }
    }

    /// Writes an input if the rules accept it. Returns whether the input was written.
    pub(super) fn write_quietly(&mut self, input: Input, t: Instant, when: Option<Instant>) -> bool {
        self.write(input, t, when).is_ok()
    }

    /// Handles an undo or a redo that a person entered. Earlier pictures of the board no longer count, and an
    /// action that was taken back is no longer a settled action.
    pub(super) fn step_back(&mut self) {
        if self.plies.last().is_some_and(|ply| ply.before.physical() == self.table().physical()) {
            self.plies.pop();
        }
        self.plies.close_turn();
        self.sight.forget_pictures();
        // The board still shows the position before this correction. The tracker must not take that for a new
        // action.
        self.looked_at = Some(self.sight.last_change());
        self.question = None;
    }

    /// Forgets all settled actions and earlier pictures, after a ruling or at the start of another game.
    pub(super) fn forget_plies(&mut self) {
        self.plies.clear();
        self.plies.close_turn();
        self.sight.forget_pictures();
        // The board still shows the position before this line. The tracker must not take that for a new action.
        self.looked_at = Some(self.sight.last_change());
        self.question = None;
    }
}
