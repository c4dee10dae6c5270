//! The table and its board side by side: what is there, and what should be.

use tabiya_types::{Board, Color, Instant, Millis};

use super::super::guide::{Question, kings_say};
use super::super::sight::Sight;
use crate::rules::Turn;
use crate::table::{PressMode, Probe, Table};

/// The table and what the board shows.
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

    /// The board that the table expects, as far as the board there is can tell.
    pub(super) fn expected(&self) -> Board {
        self.sight.view(&self.table.physical())
    }

    /// A position, as far as the board there is can tell it from another.
    pub(super) fn as_seen(&self, position: &Probe) -> Board {
        self.sight.view(&position.physical())
    }

    pub(super) fn quiet_at(&self) -> Instant {
        self.sight.last_change() + self.settle()
    }

    /// Whether the board changed before a flag fell, so that an action may stand above it.
    pub(super) fn moves_before(&self, flag: Instant) -> bool {
        self.sight.known()
            && self.table.clock().flag_at() == Some(flag)
            && self.sight.last_change() < flag
            && self.sight.last_change() >= self.table.turn_began()
            && self.sight.board() != self.expected()
    }

    /// Whether this side's clock stands while the other's runs.
    pub(super) fn stands(&self, by: Color) -> bool {
        matches!(self.table.turn(), Turn::Timed { by: mover, .. } if mover != by)
            && self.table.clock().turn().is_some()
    }

    /// Whether a press by this side ends nothing, as far as the board tells.
    pub(super) fn means_nothing(&self, by: Color) -> bool {
        self.stands(by) && self.sight.board() == self.expected()
    }

    /// Whether the player to act has acted already (typed, or understood without a press).
    pub(super) fn turn_is_typed(&self) -> bool {
        matches!(self.table.turn(), Turn::Timed { acted: true, .. })
    }

    /// Whether the game has a result.
    pub(super) fn is_over(&self) -> bool {
        self.table.game().outcome().is_some()
    }

    /// The position from which the board is explained: an action that nobody has pressed for is over
    /// once the other side acts.
    pub(super) fn base(&self) -> Probe {
        let mut probe = self.table.probe();
        if self.turn_is_typed() {
            probe.end_turn();
        }
        probe
    }

    /// What the kings say, while a game runs.
    pub(super) fn kings(&self) -> Option<Question> {
        self.table.mover()?;
        self.sight.tells_pieces().then(|| kings_say(&self.sight.board())).flatten()
    }
}
