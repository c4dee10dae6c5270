//! The live tracker: what the board has shown, what people have pressed and typed since the root, and which steps are
//! written. It says what is to be believed ([`Verdict`]). It writes nothing: that is the work of the watch.

mod asked;
mod difference;
mod path;
mod queue;
mod since;
mod verbs;
mod verdict;

use tabiya_types::{Color, Instant, Millis};

pub(super) use self::asked::{OfferedAnswer, OpenQuestion};
pub(super) use self::difference::Difference;
use self::queue::Queue;
use self::since::Since;
pub(super) use self::verdict::Verdict;
use super::history::{BoardHistory, Grid, grid_of};
use super::reading::{Happening, Step, TurnEvent};
use crate::rules::Action;
use crate::table::{Input, PressMode, Table};

/// The tracker of one board.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    history: BoardHistory,
    since: Since,
    /// Looks are a matter of time: they do not begin anew with a root.
    looks: Looks,
    /// The pieces that should stand on the board.
    pieces: Grid,
    /// The settling time, and whether the game is played without presses.
    settle: Millis,
    auto: bool,
    /// Whether moves use up cards: a wrong move would take cards with it.
    costs_cards: bool,
}

/// A step that counts, and how many inputs counted before it.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) step: Step,
    pub(super) count: usize,
}

/// What was looked at, and when.
#[derive(Clone, Debug, Default)]
struct Looks {
    /// The last look that was due.
    last: Instant,
    /// The last change of the rest that was examined.
    rested: Option<Instant>,
    /// The press about which people were asked, and when they were asked about a piece that is missing.
    asked: Option<Instant>,
    missed: Instant,
}

impl Tracker {
    /// The tracker of a board that has shown nothing yet.
    pub(super) fn new(table: &Table) -> Self {
        let history = BoardHistory::new();
        let terms = table.terms();
        Self {
            since: Since::begin(table, history.mark(Instant::ZERO), Queue::default()),
            history,
            looks: Looks::default(),
            pieces: grid_of(&table.physical()),
            settle: terms.settle,
            auto: terms.press == PressMode::Auto,
            costs_cards: table.game().laying().is_some(),
        }
    }

    /// Whether the board is known and shows something else than it should.
    pub(super) fn differs(&self) -> bool {
        self.history.known && self.history.grid != self.history.shown(self.pieces)
    }

    /// The time from which the board counts as at rest.
    pub(super) fn rests_at(&self) -> Instant {
        self.history.last_change + self.settle
    }

    /// The events that no written step explains.
    pub(super) fn waiting(&self) -> &[TurnEvent] {
        self.since.waiting()
    }

    /// The presses that wait, as side and time.
    pub(super) fn waiting_presses(&self) -> impl DoubleEndedIterator<Item = (Color, Instant)> {
        self.waiting().iter().filter_map(TurnEvent::press)
    }

    /// The press by this player that has waited longest.
    pub(super) fn waiting_press_of(&self, by: Option<Color>) -> Option<(Color, Instant)> {
        self.waiting_presses().find(|(pressed, _)| Some(*pressed) == by)
    }

    pub(super) fn press_waits(&self) -> bool {
        self.waiting_presses().next().is_some()
    }

    pub(super) fn recorded(&self) -> impl DoubleEndedIterator<Item = &Settled> {
        self.since.path.iter().filter(|settled| settled.step.is_recorded())
    }

    /// The lines that belong after moves that are not understood yet, and when they were typed.
    pub(super) fn said(&self) -> impl Iterator<Item = (&Action, Instant)> {
        self.since.queue.said()
    }

    /// What has no explanation yet, as inputs.
    pub(super) fn unexplained(&self) -> impl Iterator<Item = (Input, Instant)> {
        self.since.queue.inputs(self.since.consumed())
    }

    /// The pieces that should stand on the board.
    pub(super) fn pieces(&self) -> Grid {
        self.pieces
    }

    /// The pieces at the root.
    pub(super) fn first_pieces(&self) -> Grid {
        grid_of(&self.since.root.probe.physical())
    }

    /// Whether no step is written since the root.
    pub(super) fn path_is_empty(&self) -> bool {
        self.since.path.is_empty()
    }

    /// The event with this number since the root.
    pub(super) fn event(&self, nth: usize) -> Option<&TurnEvent> {
        self.since.queue.events().get(nth)
    }

    /// How many events have come since the root.
    pub(super) fn events(&self) -> usize {
        self.since.queue.events().len()
    }

    pub(super) fn settling_time(&self) -> Millis {
        self.settle
    }

    /// Whether the game is played without presses.
    pub(super) fn is_auto(&self) -> bool {
        self.auto
    }

    /// Adds an event. `written` means that the record has a line for it.
    fn push(&mut self, happening: Happening, at: Instant, written: bool) {
        let (mark, grid) = (self.history.mark(at), self.history.grid);
        self.since.queue.push(TurnEvent { happening, mark, grid, written, said: Vec::new() });
    }
}
