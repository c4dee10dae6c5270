//! Readings: what may have been done, step by step.

use tabiya_types::Color;

use super::explain::Charge;
use super::history::{Grid, HistoryMark};
use crate::rules::Action;

/// A press, a line or a rest: something that may end a turn.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Happening {
    Press(Color),
    /// A typed action that takes a turn.
    Line(Action),
    /// Nobody presses, and the board rests.
    Rest,
}

/// A happening, with what the board showed then.
#[derive(Clone, Debug)]
pub(super) struct TurnEvent {
    pub(super) happening: Happening,
    pub(super) mark: HistoryMark,
    pub(super) grid: Grid,
    /// Whether a line was written for it.
    pub(super) written: bool,
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Press,
    /// Its press was forgotten.
    Forgotten,
    /// The opponent's typed line counts as its press.
    Line,
    /// The board rests.
    Rest,
}

/// One step of a reading.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum StepKind {
    Act {
        action: Action,
        end: End,
    },
    Line(Action),
    /// A press by the side whose clock is stopped, or after the end of the game.
    Idle,
    /// A press by mistake, and the press that cancels it.
    Mistake,
    Back,
    /// A rest in the middle of a turn.
    Pause,
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    pub(super) by: Color,
    pub(super) mark: HistoryMark,
    /// The pieces after the step.
    pub(super) pieces: Grid,
    /// How many events are explained after it.
    pub(super) events: usize,
    pub(super) cost: i32,
    /// The parts of the cost: for the choice of one action among all, and for what the board did not show at the end.
    pub(super) choice: i32,
    pub(super) doubt: i32,
    /// What it pays for, if the query asks for explanations.
    pub(super) charges: Vec<Charge>,
}

impl Step {
    /// A step that costs nothing.
    pub(super) fn free(kind: StepKind, by: Color, mark: HistoryMark, pieces: Grid, events: usize) -> Self {
        Self { kind, by, mark, pieces, events, cost: 0, choice: 0, doubt: 0, charges: Vec::new() }
    }

    /// Whether the step is an action or a line, which the record contains.
    pub(super) fn is_recorded(&self) -> bool {
        matches!(self.kind, StepKind::Act { .. } | StepKind::Line(_))
    }
}

/// A reading: what may have been done since the root.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) cost: i32,
    pub(super) steps: Vec<Step>,
    /// Whether the last press was a mistake that nobody has cancelled yet.
    pub(super) mistaken: bool,
    /// Whether the board has still to show some squares of it.
    pub(super) waits: bool,
}

impl Reading {
    pub(super) fn recorded(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.steps.iter().filter(|step| step.is_recorded())
    }

    /// The boards that the recorded steps lead to, the last first. A step that changes no board adds none.
    pub(super) fn boards_from_last(&self) -> impl Iterator<Item = &Grid> {
        let mut last = None;
        let boards = self.recorded().rev().map(|step| &step.pieces);
        boards.filter(move |board| last.replace(*board) != Some(*board))
    }
}
