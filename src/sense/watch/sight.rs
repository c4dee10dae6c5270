//! What the tracker and the table say together at one moment. It is asked, and changes nothing.

use tabiya_types::{Board, Color, Instant, Millis, say};

use super::super::by_hand::{MISSING, REOPEN};
use super::super::history::{board_of, grid_of};
use super::super::tracker::Tracker;
use crate::clock::Clock;
use crate::rules::{Action, Candidate, Turn, Violation};
use crate::table::{Common, Input, LegalInput, Stamp, Table, Trouble, Voice};

/// The undo that takes back the last action.
pub(super) const UNDO: Input = Input::Common(Common::TAKE_BACK);

/// Tracker and table at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    pub(super) tracker: &'a Tracker,
    pub(super) table: &'a Table,
    pub(super) now: Instant,
}

impl<'a> Sight<'a> {
    /// The board as shown, from White's side; `None` until all squares were seen once. If the board senses only
    /// occupancy, each piece counts as the piece that is expected on its square, or else as an expected piece
    /// that is missing from another square.
    pub(super) fn seen(self) -> Option<Board> {
        let history = self.tracker.history().known.then_some(self.tracker.history())?;
        let (seen, expected) = (board_of(&history.grid), self.table.physical());
        let mut missing = expected.pieces().filter(|(square, _)| seen[*square].is_none());
        let mut named = seen;
        for (square, piece) in seen.pieces().filter(|_| !history.kind.names_pieces()) {
            let name = expected[square].or_else(|| missing.next().map(|(_, piece)| piece));
            named[square] = name.or(Some(piece));
        }
        Some(named)
    }

    /// How the board that is shown differs from the expected board; `None` if the two are equal.
    pub(super) fn trouble(self) -> Option<Trouble> {
        self.seen().and_then(|seen| Trouble::between(&seen, &self.table.physical()))
    }

    /// Whether the board shows just what this action leaves, as far as it can tell pieces apart.
    fn is_shown(self, candidate: &Candidate) -> bool {
        self.tracker.history().shown(grid_of(&candidate.after)) == self.tracker.history().grid
    }

    /// The actions that lead to exactly the board that is shown.
    pub(super) fn standing(self) -> impl Iterator<Item = Action> + use<'a> {
        let candidates = self.table.probe().candidates().into_iter();
        candidates.filter(move |candidate| self.is_shown(candidate)).map(|candidate| candidate.action)
    }

    /// The actions that are typed, such as a card that is laid, after which the shown board would be a legal move of
    /// this turn: a piece was moved before its card. Empty if the board shows what it should, or a legal move.
    pub(super) fn awaited(self) -> Vec<Action> {
        if !self.tracker.differs() || self.table.mover().is_none() {
            return Vec::new();
        }
        let probe = self.table.probe();
        let shown = |next: &Candidate| self.is_shown(next);
        if probe.candidates().iter().any(shown) {
            return Vec::new();
        }
        let said =
            |action: &Action| matches!(action, Action::Own(own) if own.takes_turn() && !own.changes_board());
        let wakes =
            |action: &Action| probe.after(action).is_some_and(|then| then.candidates().iter().any(shown));
        let legal = self.table.legal();
        legal
            .iter()
            .filter_map(LegalInput::action)
            .filter(|action| said(action) && wakes(action))
            .cloned()
            .collect()
    }

    /// The clock as it is displayed. A press that still waits for an explanation already takes effect on the
    /// displayed clock. With the term `"voice":"casual"`, such a press takes effect only until the settling time has
    /// passed (`docs/record.md`, "What was seen, and what was understood", rule 2).
    pub(super) fn clock_shown(self, now: Instant) -> Clock {
        let mut clock = self.table.clock().clone();
        for (by, at) in self.tracker.waiting_presses() {
            let counts = self.table.terms().voice == Voice::Event || now < at + self.tracker.settling_time();
            if counts && clock.turn() == Some(by) {
                clock.advance(at);
                clock.press(at, false);
            }
        }
        clock
    }

    /// Why a press remains unexplained.
    pub(super) fn not_understood(self, by: Color, at: Instant) -> Violation {
        let what = say!(
            "press-not-understood",
            "{by} pressed the clock at {at} ms of the record, but the board shows no action for this press",
            by,
            at = at.millis()
        );
        let next = match self.trouble() {
            Some(trouble) => trouble.sentence(),
            None => say!("press-not-understood-next", "play first, then press the clock"),
        };
        Violation::new("press-not-understood", what, next)
    }

    /// Whether the game has ended.
    pub(super) fn is_over(self) -> bool {
        self.table.game().outcome().is_some()
    }

    /// Whether the game has ended, but so recently that it may be read anew.
    pub(super) fn may_reopen(self) -> bool {
        let soon = Millis(self.tracker.settling_time().0 * REOPEN);
        self.is_over()
            && !self.tracker.path_is_empty()
            && self.tracker.ended().is_none_or(|ended| self.now <= ended + soon)
    }

    /// Whether the player to move has acted and not pressed.
    pub(super) fn has_acted(self) -> bool {
        matches!(self.table.turn(), Turn::Timed { acted: true, .. })
    }

    /// Whether this line pauses or ends the game, so that an action that stands on the board is written before it.
    pub(super) fn stops(self, input: &Input, at: Instant) -> bool {
        let mut then = self.table.clone();
        let ends = !self.is_over() && then.apply(input, Stamp::new(at, 0)).is_ok();
        matches!(input, Input::Common(Common::Pause(_))) || ends && then.game().outcome().is_some()
    }

    /// How many undos lead back to this number of inputs.
    pub(super) fn undos_to(self, count: usize) -> usize {
        let mut table = self.table.clone();
        let mut undone = || table.count() > count && table.apply(&UNDO, Stamp::new(self.now, 0)).is_ok();
        (0..self.table.count()).take_while(|_| undone()).count()
    }

    /// What this many undos take back before the input with this count: an undo takes back the cards of its turn, too.
    pub(super) fn taken_along(self, undos: usize, count: usize) -> Vec<Input> {
        if undos == 0 {
            return Vec::new();
        }
        let mut table = self.table.clone();
        for _ in 0..undos {
            drop(table.apply(&UNDO, Stamp::new(self.now, 0)));
        }
        let left = table.count();
        let inputs = self.table.counted_inputs().take(count).skip(left);
        inputs.map(|(_, input)| input.clone()).collect()
    }

    // ---- deadlines ----

    /// When the board comes to rest; `None` if this rest was examined already.
    pub(super) fn rest_at(self) -> Option<Instant> {
        let new = self.tracker.history().known && !self.tracker.rest_is_examined();
        new.then(|| self.tracker.rests_at())
    }

    /// When people are asked about a piece that is missing ([`MISSING`]).
    pub(super) fn missing_at(self) -> Option<Instant> {
        let rests = self.tracker.rest_is_examined() && self.tracker.question().is_none();
        let asks = self.tracker.is_auto()
            && self.tracker.history().kind.hides_captures()
            && self.table.mover().is_some()
            && self.tracker.differs();
        let at = self.tracker.history().last_change + MISSING;
        (rests && asks && self.tracker.misses_first_at(at)).then_some(at)
    }

    /// When a flag or another deadline of the table is due. While a press waits, no flag falls, because the press may
    /// have been made before it. An action that the board shows was made before the flag fell if its last change was.
    pub(super) fn flag_at(self) -> Option<Instant> {
        let due = self.table.deadline().filter(|_| !self.tracker.press_waits())?;
        Some(if self.moves_before(due) { due.max(self.tracker.rests_at()) } else { due })
    }

    /// Whether the board may show an action that was made in this turn before the flag fell at `flag`.
    pub(super) fn moves_before(self, flag: Instant) -> bool {
        let last = self.tracker.history().last_change;
        self.table.clock().flag_at() == Some(flag)
            && last < flag
            && last >= self.table.turn_began()
            && self.tracker.differs()
    }
}
