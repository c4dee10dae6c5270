//! Finds out whether the board is turned by 180 degrees.

use tabiya_types::Board;

use super::super::sight::Sight;
use super::scene::Scene;
use crate::rules::Turn;
use crate::table::Table;

/// Whether the orientation of the board is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Orientation {
    known: bool,
}

impl Orientation {
    /// Turns the board by 180 degrees, because an earlier watch over this board found it turned.
    pub(super) fn turn(&mut self, sight: &mut Sight) {
        sight.turn();
        self.known = true;
    }

    /// Turns the board if the pieces are set up from its other side. The orientation is checked in two cases: while no
    /// clock runs, and as long as this watch does not know the orientation yet. `fresh` is true as long as the watch
    /// has no settled action. Only then can the game's first move show the orientation.
    pub(super) fn find(&mut self, table: &Table, sight: &mut Sight, fresh: bool) {
        let untimed = !matches!(table.turn(), Turn::Timed { .. }) || table.clock().turn().is_none();
        // A watch may be created during a game. It checks the orientation even while a clock runs, until the
        // orientation is known.
        if (untimed || !self.known) && sight.known() {
            let (seen, expected) = (sight.board(), Scene { table, sight }.expected());
            if seen != expected && seen.rotated() == expected {
                sight.turn();
            }
            self.known |= sight.board() == expected;
        }
        if fresh {
            find_by_the_first_move(table, sight);
        }
    }
}

/// For a board that senses only which squares are occupied. Turns the board by 180 degrees if the occupied squares
/// fit a first move only when they are read from the other side. The start position of chess occupies the same
/// squares from both sides, so it cannot show the orientation.
fn find_by_the_first_move(table: &Table, sight: &mut Sight) {
    let scene = Scene { table, sight };
    let (seen, expected) = (sight.board(), scene.expected());
    let alike = !sight.identifies_pieces() && expected.rotated() == expected;
    if !alike || seen == expected {
        return;
    }
    let candidates = scene.base().candidates();
    let fits = |board: Board| candidates.iter().any(|candidate| sight.view(&candidate.after) == board);
    if !fits(seen) && fits(seen.rotated()) {
        sight.turn_with_pictures();
    }
}
