//! Which way round the board stands.

use tabiya_types::Board;

use super::super::sight::Sight;
use super::scene::Scene;
use crate::rules::Turn;
use crate::table::Table;

/// Whether that is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Orientation {
    known: bool,
}

impl Orientation {
    /// The board stands the other way round, as was found before.
    pub(super) fn turn(&mut self, sight: &mut Sight) {
        sight.turn();
        self.known = true;
    }

    /// A board that is set up the other way round is read from the other side; only before a game
    /// has begun, never in mid-game. `fresh`: nothing was settled yet.
    pub(super) fn find(&mut self, table: &Table, sight: &mut Sight, fresh: bool) {
        let untimed = !matches!(table.turn(), Turn::Timed { .. }) || table.clock().turn().is_none();
        // A table that was worked out again looks once.
        if (untimed || !self.known) && sight.known() {
            let (seen, expected) = (sight.board(), Scene { table, sight }.expected());
            if seen != expected && seen.turned() == expected {
                sight.turn();
            }
            self.known |= sight.board() == expected;
        }
        if fresh {
            find_by_the_first_move(table, sight);
        }
    }
}

/// A position that feels the same from both sides, as chess begins with one, tells nothing; the first move does.
fn find_by_the_first_move(table: &Table, sight: &mut Sight) {
    let scene = Scene { table, sight };
    let (seen, expected) = (sight.board(), scene.expected());
    let alike = !sight.tells_pieces() && expected.turned() == expected;
    if !alike || seen == expected {
        return;
    }
    let candidates = scene.base().candidates();
    let fits = |board: Board| candidates.iter().any(|candidate| sight.view(&candidate.after) == board);
    if !fits(seen) && fits(seen.turned()) {
        sight.turn_with_its_way();
    }
}
