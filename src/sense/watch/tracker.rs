//! The live tracker: what comes in becomes events, the search reads them (`looking`), and what is certain is written
//! (`writing`).

use tabiya_types::{Board, Color, Instant, Millis, Observation, Sentence};

use super::super::explain::Explanation;
use super::super::guide::Question;
use super::super::history::{BoardHistory, Grid};
use super::super::position::ReachedPositions;
use super::super::reading::{Happening, Reading, Step, TurnEvent};
use super::super::search::{Root, Tail};
use super::earlier::Earlier;
use super::writer::LineWriter;
use crate::rules::Turn;
use crate::table::{Input, PressMode, Table};

/// A step that counts, and how many inputs counted before it.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) step: Step,
    pub(super) count: usize,
}

/// A table, the history of its board, and what was understood.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    pub(super) writer: LineWriter,
    pub(super) history: BoardHistory,
    pub(super) positions: ReachedPositions,
    pub(super) root: Root,
    /// The events since the root.
    pub(super) events: Vec<TurnEvent>,
    /// The written steps since the root.
    pub(super) path: Vec<Settled>,
    pub(super) earlier: Vec<Earlier>,
    /// Lines that wait because a press waits that may have been made before a flag fell.
    pub(super) held: Vec<(Input, Instant)>,
    pub(super) question: Option<Question>,
    /// The readings that the question offers, and the tail for which they were found.
    pub(super) offered: Vec<Reading>,
    pub(super) tail: Tail,
    /// The press about which people were asked.
    pub(super) asked: Option<Instant>,
    /// Whether it is known from which side the board is read.
    pub(super) oriented: bool,
    /// Whether a board is connected, even if it has reported nothing yet.
    pub(super) has_board: bool,
    pub(super) now: Instant,
    /// The last look that was due, the last change of the rest that was examined, and when readings tied.
    pub(super) looked: Instant,
    pub(super) rested: Option<Instant>,
    pub(super) tied: Option<Instant>,
    /// When the game ended.
    pub(super) ended: Option<Instant>,
    /// When people were last asked about a piece that is missing.
    pub(super) missed: Instant,
    /// Since the last line that cannot be read anew, the board has not shown the table's position: a typed action is
    /// still to be carried out. What the board showed before that belongs to no turn.
    pub(super) behind: bool,
    /// What was understood against the odds, in words, until it is said.
    pub(super) remarks: Vec<Sentence>,
    /// The explanations since they were last taken, if they are wanted.
    pub(super) explanations: Option<Vec<Explanation>>,
}

pub(super) fn root_of(table: &Table, history: &BoardHistory, at: Instant) -> Root {
    let mut probe = table.probe();
    if matches!(table.turn(), Turn::Timed { acted: true, .. }) {
        probe.end_turn();
    }
    Root { key: at.millis(), probe, mark: history.mark(at), shape: None }
}

impl Tracker {
    pub(super) fn new(writer: LineWriter) -> Self {
        let history = BoardHistory::new();
        let root = root_of(writer.table(), &history, Instant::ZERO);
        Self {
            writer,
            history,
            positions: ReachedPositions::default(),
            root,
            events: Vec::new(),
            path: Vec::new(),
            earlier: Vec::new(),
            held: Vec::new(),
            question: None,
            offered: Vec::new(),
            tail: Tail::Open,
            asked: None,
            oriented: false,
            has_board: false,
            now: Instant::ZERO,
            looked: Instant::ZERO,
            rested: None,
            tied: None,
            ended: None,
            missed: Instant::ZERO,
            behind: false,
            remarks: Vec::new(),
            explanations: None,
        }
    }

    /// Takes in what the board shows. Returns whether it shows something else than before.
    pub(super) fn take_in(&mut self, observation: &Observation, at: Instant) -> bool {
        self.has_board = true;
        let before = (self.history.known(), self.history.felt());
        let changed = self.history.observe(observation, at);
        if self.history.known() && before != (true, self.history.felt()) {
            // The readings begin with the first board that is known, or with the first of another kind of board.
            let (waiting, rested) = (self.waiting().to_vec(), self.rested);
            self.reset_with(waiting);
            self.root.mark.changes = self.history.mark(at).changes;
            for event in &mut self.events {
                (event.mark.changes, event.grid) = (self.root.mark.changes, *self.history.grid());
            }
            self.rested = rested;
        }
        changed
    }

    /// Takes in what the board showed before a restart. Turns that ended before it are not read again.
    pub(super) fn recall_board(&mut self, board: &Board, at: Instant) {
        self.take_in(&Observation::Whole(*board), at);
        if !self.differs() && self.events.is_empty() {
            self.root.mark = self.history.mark(at);
        }
    }

    /// The board shows something new.
    pub(super) fn see(&mut self) {
        self.question = None;
        if !self.differs() {
            self.earlier.last_mut().into_iter().for_each(|last| last.shown = true);
            if std::mem::take(&mut self.behind) && self.events.is_empty() {
                self.root.mark = self.history.mark(self.now);
            }
        }
        if self.press_waits() {
            self.look(Tail::Open, false);
        }
    }

    /// The board as shown, with its pieces named; `None` until all squares were seen.
    pub(super) fn seen(&self) -> Option<Board> {
        self.history.known().then(|| self.history.named(&self.table().physical()))
    }

    // ---- what is known ----

    pub(super) fn table(&self) -> &Table {
        self.writer.table()
    }

    pub(super) fn settle(&self) -> Millis {
        self.table().terms().settle
    }

    pub(super) fn auto(&self) -> bool {
        self.table().terms().press == PressMode::Auto
    }

    pub(super) fn is_over(&self) -> bool {
        self.table().game().outcome().is_some()
    }

    /// What the board should show.
    pub(super) fn expected(&self) -> Grid {
        self.history.shown(*self.writer.pieces())
    }

    /// Whether the board is known and shows something else than it should.
    pub(super) fn differs(&self) -> bool {
        self.history.known() && *self.history.grid() != self.expected()
    }

    /// The time from which the board counts as at rest.
    pub(super) fn rests_at(&self) -> Instant {
        self.history.last_change() + self.settle()
    }

    pub(super) fn consumed(&self) -> usize {
        self.path.last().map_or(0, |settled| settled.step.events)
    }

    /// The events that no written step explains.
    pub(super) fn waiting(&self) -> &[TurnEvent] {
        self.events.get(self.consumed()..).unwrap_or_default()
    }

    /// The presses that wait, as side and time.
    pub(super) fn waiting_presses(&self) -> impl DoubleEndedIterator<Item = (Color, Instant)> {
        self.waiting().iter().filter_map(|event| match event.happening {
            Happening::Press(by) => Some((by, event.mark.at)),
            Happening::Line(_) | Happening::Rest => None,
        })
    }

    pub(super) fn press_waits(&self) -> bool {
        self.waiting_presses().next().is_some()
    }

    /// Whether actions were settled since the last line that cannot be read anew.
    pub(super) fn has_path(&self) -> bool {
        !self.path.is_empty()
    }

    pub(super) fn recorded(&self) -> impl DoubleEndedIterator<Item = &Settled> {
        self.path.iter().filter(|settled| settled.step.is_recorded())
    }

    /// Adds an event. `written` means that the record has a line for it.
    pub(super) fn push(&mut self, happening: Happening, at: Instant, written: bool) {
        let (mark, grid) = (self.history.mark(at), *self.history.grid());
        self.events.push(TurnEvent { happening, mark, grid, written });
    }
}
