//! The table together with its board: what the board shows, and what it should show.

use tabiya_types::{Board, Color, Instant, Millis};

use super::super::guide::{Question, king_result};
use super::super::sight::Sight;
use crate::rules::Turn;
use crate::table::{PressMode, Probe, Table};

/// A table and the pictures of its board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) table: &'a Table,
    pub(super) sight: &'a Sight,
}

impl Scene<'_> {
    pub(super) fn settle(&self) -> Millis {
        self.table.terms().settle
    }

    pub(super) fn auto(&self) -> bool {
        self.table.terms().press == PressMode::Auto
    }

    /// The expected board in the form in which the real board would show it. A board that senses only occupancy
    /// shows only which squares have pieces.
    pub(super) fn expected(&self) -> Board {
        self.sight.view(&self.table.physical())
    }

    /// A position in the form in which the real board would show it.
    pub(super) fn as_seen(&self, position: &Probe) -> Board {
        self.sight.view(&position.physical())
    }

    pub(super) fn quiet_at(&self) -> Instant {
        self.sight.last_change() + self.settle()
    }

    /// Whether the board may show an action that was made in this turn before the flag fell. `flag` is the moment at
    /// which it fell.
    pub(super) fn moves_before(&self, flag: Instant) -> bool {
        self.sight.known()
            && self.table.clock().flag_at() == Some(flag)
            && self.sight.last_change() < flag
            && self.sight.last_change() >= self.table.turn_began()
            && self.sight.board() != self.expected()
    }

    /// Whether this side's clock is stopped while the other side's clock runs.
    pub(super) fn clock_stopped(&self, by: Color) -> bool {
        matches!(self.table.turn(), Turn::Timed { by: mover, .. } if mover != by)
            && self.table.clock().turn().is_some()
    }

    /// Whether a press by this side ends no turn: its clock is stopped, and the board shows no new action.
    pub(super) fn means_nothing(&self, by: Color) -> bool {
        self.clock_stopped(by) && self.sight.board() == self.expected()
    }

    /// Whether the player to act has acted already: a person typed the action, or the tracker understood it
    /// without a press.
    pub(super) fn turn_is_typed(&self) -> bool {
        matches!(self.table.turn(), Turn::Timed { acted: true, .. })
    }

    /// Whether the game has a result.
    pub(super) fn is_over(&self) -> bool {
        self.table.game().outcome().is_some()
    }

    /// The position at which an explanation of the board's pictures begins. Usually this is the present position. But
    /// if the player to act has already acted, that player's turn counts as ended, because the next action of the
    /// opponent ends it even without a press.
    pub(super) fn base(&self) -> Probe {
        let mut probe = self.table.probe();
        if self.turn_is_typed() {
            probe.end_turn();
        }
        probe
    }

    /// The question about the result that the kings show on the centre squares; `None` if they show no result
    /// or no game is in progress.
    pub(super) fn kings(&self) -> Option<Question> {
        self.table.mover()?;
        self.sight.identifies_pieces().then(|| king_result(&self.sight.board())).flatten()
    }
}
