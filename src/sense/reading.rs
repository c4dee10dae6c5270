//! Readings: hypotheses about what was done, step by step.

use tabiya_types::{Color, Instant};

use super::by_hand::SETTLED;
use super::history::{BoardHistory, Grid, HistoryMark, UNKNOWN, differences, squares};
use super::kept::PositionKey;
use super::turn::TurnEntry;
use crate::rules::Action;
use crate::table::Probe;

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
    /// What the player said after the move of the turn that this ends, such as the card that he drew.
    pub(super) said: Vec<Action>,
}

impl TurnEvent {
    /// The side and the time of a press.
    pub(super) fn press(&self) -> Option<(Color, Instant)> {
        match self.happening {
            Happening::Press(by) => Some((by, self.mark.at)),
            Happening::Line(_) | Happening::Rest => None,
        }
    }
}

/// On what occasion the board is read. It says what may be done after the last event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Occasion {
    /// Something was reported, or a limit of the table has passed.
    Update,
    /// The board rests.
    Rest,
    /// Nothing more will come, because the clock stops or the input ends, and presses wait.
    LastPress,
    /// Nothing more will come, and no press waits.
    LastAction,
    /// A piece has been gone for so long that something must have been done.
    PieceMissing,
}

impl Occasion {
    /// Whether nothing is done after the last event: the turn goes on.
    pub(super) fn leaves_turn_open(self) -> bool {
        matches!(self, Self::Update | Self::LastPress)
    }

    /// Whether an action may count that stands on the board and that nobody has pressed for. Without presses (`auto`), a rest
    /// is an event of its own.
    pub(super) fn counts_standing(self, auto: bool) -> bool {
        match self {
            Self::Update | Self::LastPress => false,
            Self::Rest => !auto,
            Self::LastAction | Self::PieceMissing => true,
        }
    }

    /// Whether any action that stands on the board may count. At a rest, only one that ends the game does, and the second of
    /// two.
    pub(super) fn counts_any(self) -> bool {
        self != Self::Rest
    }

    /// Whether a press may have been forgotten after the last event.
    pub(super) fn counts_forgotten(self) -> bool {
        matches!(self, Self::Rest | Self::PieceMissing)
    }

    /// Whether nothing more will come.
    pub(super) fn is_last(self) -> bool {
        matches!(self, Self::LastPress | Self::LastAction)
    }
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
    /// A press that ended nothing, before its player pressed again: the later press takes its place.
    Again,
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
    /// What the player said after his move, in the same turn.
    pub(super) said: Vec<Action>,
    /// The index of the first event that is still to be explained after it.
    pub(super) events: usize,
    pub(super) cost: i32,
    /// Parts of the cost: for a press that was forgotten or that came late, and for what the board did not show at the end.
    pub(super) odds: i32,
    pub(super) doubt: i32,
    /// Whether it stands for another action, which the board showed at first.
    pub(super) corrected: bool,
    /// When the board had shown all of it.
    pub(super) shown: Instant,
    /// What it pays for, if the query asks for explanations.
    pub(super) charges: Vec<(TurnEntry, i32)>,
}

impl Step {
    /// A step that costs nothing.
    pub(super) fn free(kind: StepKind, by: Color, mark: HistoryMark, pieces: Grid, events: usize) -> Self {
        let (said, charges, shown) = (Vec::new(), Vec::new(), mark.at);
        let (cost, odds, doubt, corrected) = (0, 0, 0, false);
        Self { kind, by, mark, pieces, said, events, cost, odds, doubt, corrected, shown, charges }
    }

    /// Makes this step, which corrects the step `first` after its end, the one step that both are.
    pub(super) fn correct(&mut self, first: &Self) {
        (self.cost, self.doubt) = (self.cost + first.cost, self.doubt + first.doubt);
        // The board shows the correction: that is no guess.
        (self.odds, self.corrected) = (first.odds, true);
        self.said.clone_from(&first.said);
        self.charges.splice(0..0, first.charges.iter().copied());
        if let (StepKind::Act { end, .. }, StepKind::Act { end: first, .. }) = (&mut self.kind, &first.kind) {
            *end = *first;
        }
    }

    /// The game after the step; `None` if the step changes nothing in it, or if the rules refuse it.
    pub(super) fn probe_after(&self, before: &Probe) -> Option<Probe> {
        match &self.kind {
            StepKind::Act { action, .. } => {
                let moved = before.after(action)?;
                let say = |then: Probe, said: &Action| then.after(said).unwrap_or(then);
                let mut after = self.said.iter().fold(moved, say);
                after.end_turn();
                Some(after)
            }
            StepKind::Line(action) => before.after_line(action),
            StepKind::Idle | StepKind::Again | StepKind::Mistake | StepKind::Back | StepKind::Pause => None,
        }
    }

    /// The key of the position after the step.
    pub(super) fn key_after(&self, key: PositionKey) -> PositionKey {
        match &self.kind {
            StepKind::Act { .. } => self.said.iter().fold(key.after(&self.pieces), PositionKey::said),
            StepKind::Line(action) => key.after(&self.pieces).said(action),
            StepKind::Idle | StepKind::Again | StepKind::Mistake | StepKind::Back | StepKind::Pause => key,
        }
    }

    /// Whether the step is an action or a line, which the record contains.
    pub(super) fn is_recorded(&self) -> bool {
        matches!(self.kind, StepKind::Act { .. } | StepKind::Line(_))
    }
}

/// A reading: what may have been done since the root.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The occasion on which it was found.
    pub(super) occasion: Occasion,
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

    /// The steps after the first `shared` recorded ones.
    pub(super) fn after(&self, shared: usize) -> &[Step] {
        let recorded = self.steps.iter().enumerate().filter(|(_, step)| step.is_recorded());
        let begin = recorded.take(shared).last().map_or(0, |(nth, _)| nth + 1);
        &self.steps[begin..]
    }

    /// The boards that the recorded steps lead to, the last first. A step that changes no board adds none.
    pub(super) fn boards_from_last(&self) -> impl Iterator<Item = &Grid> {
        let mut last = None;
        let boards = self.recorded().rev().map(|step| &step.pieces);
        boards.filter(move |board| last.replace(*board) != Some(*board))
    }

    /// Whether both readings lead to the same boards.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.boards_from_last().eq(other.boards_from_last())
    }

    /// Whether both readings agree on the last boards: where they differ is past.
    pub(super) fn is_past_like(&self, other: &Self) -> bool {
        let boards = self.boards_from_last().zip(other.boards_from_last());
        boards.take(SETTLED).filter(|(one, other)| one == other).count() == SETTLED
    }

    /// Whether the board shows both readings alike, such as two captures by one piece on a board that only feels.
    pub(super) fn is_shown_like(&self, other: &Self, history: &BoardHistory) -> bool {
        let [one, other] = [self, other].map(Self::boards_from_last);
        one.map(|board| history.shown(*board)).eq(other.map(|board| history.shown(*board)))
    }

    /// Whether the board contradicts what the reading does with the `written` pieces: on one of the squares that it changes, the
    /// board showed something else at the last press, and still does. What was done since then may belong to the next turn.
    pub(super) fn is_contradicted(&self, written: &Grid, pressed: &Grid, history: &BoardHistory) -> bool {
        let Some(end) = self.boards_from_last().next() else { return false };
        let shown = history.shown(*end);
        squares(differences(written, end)).any(|square| {
            let seen = history.grid[square];
            seen != UNKNOWN && seen == pressed[square] && seen != shown[square]
        })
    }

    /// Whether the board shows exactly what the reading ends with.
    pub(super) fn stands_on(&self, history: &BoardHistory) -> bool {
        let end = self.boards_from_last().next();
        end.is_some_and(|end| history.shown(*end) == history.grid)
    }
}
