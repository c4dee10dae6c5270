//! Finds out whether the board is turned by 180 degrees.

use super::super::history::{Grid, grid_of};
use super::Watch;
use crate::rules::Turn;

impl Watch {
    /// Turns the board by 180 degrees, together with what it has shown. Call this for a watch that replaces an earlier
    /// watch, if the earlier watch had found the board turned.
    pub fn turn_board(&mut self) {
        self.scribe.tracker.turn_board();
        self.oriented = true;
    }

    /// Turns the board if the pieces are set up from its other side. This is checked while no clock runs, and as long as
    /// the orientation is not known, because a watch may begin during a game.
    ///
    /// The start position of chess occupies the same squares from both sides. So a board that only feels is turned, too,
    /// if the occupied squares fit a first move only when they are read from the other side.
    pub(super) fn find_orientation(&mut self) {
        if !self.scribe.tracker.history().known {
            return;
        }
        let (seen, expected) = (
            self.scribe.tracker.history().grid,
            self.scribe.tracker.history().shown(self.scribe.tracker.pieces()),
        );
        let untimed =
            !matches!(self.table().turn(), Turn::Timed { .. }) || self.table().clock().turn().is_none();
        if seen == expected || reversed(seen) == expected {
            if seen != expected && (untimed || !self.oriented) {
                self.turn_board();
            }
            self.oriented = true;
        } else if !self.scribe.tracker.history().kind.names_pieces()
            && self.scribe.tracker.path_is_empty()
            && reversed(expected) == expected
        {
            let candidates = self.table().probe().candidates();
            let after: Vec<Grid> = candidates
                .iter()
                .map(|candidate| self.scribe.tracker.history().shown(grid_of(&candidate.after)))
                .collect();
            if !after.contains(&seen) && after.contains(&reversed(seen)) {
                self.turn_board();
            }
        }
    }
}

fn reversed(mut grid: Grid) -> Grid {
    grid.reverse();
    grid
}
