//! Finds out whether the board is turned by 180 degrees.

use super::super::history::grid_of;
use super::tracker::Tracker;
use crate::rules::Turn;

/// Whether the orientation of the board is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Orientation {
    known: bool,
}

impl Orientation {
    /// Turns the board by 180 degrees, because an earlier watch over this board found it turned.
    pub(super) fn turn(&mut self, tracker: &mut Tracker) {
        tracker.turn_board();
        self.known = true;
    }

    /// Turns the board if the pieces are set up from its other side. This is checked while no clock runs, and as long as
    /// the orientation is not known, because a watch may begin during a game.
    pub(super) fn find(&mut self, tracker: &mut Tracker) {
        let table = tracker.table();
        let untimed = !matches!(table.turn(), Turn::Timed { .. }) || table.clock().turn().is_none();
        if !tracker.history.known() {
            return;
        }
        if untimed || !self.known {
            let (mut seen, expected) = (*tracker.history.grid(), tracker.expected());
            let as_it_is = seen == expected;
            seen.reverse();
            let turned = seen == expected;
            if !as_it_is && turned {
                tracker.turn_board();
            }
            self.known |= as_it_is || turned;
        }
        if !tracker.has_path() {
            find_by_the_first_move(tracker);
        }
    }
}

/// The start position of chess occupies the same squares from both sides. So a board that only feels is turned if the
/// occupied squares fit a first move only when they are read from the other side.
fn find_by_the_first_move(tracker: &mut Tracker) {
    if !tracker.history.felt() {
        return;
    }
    let (seen, expected) = (*tracker.history.grid(), tracker.expected());
    let mut turned = expected;
    turned.reverse();
    if turned != expected || seen == expected {
        return;
    }
    let mut other = seen;
    other.reverse();
    let candidates = tracker.table().probe().candidates();
    let fits =
        |grid| candidates.iter().any(|candidate| tracker.history.shown(grid_of(&candidate.after)) == grid);
    if !fits(seen) && fits(other) {
        tracker.turn_board();
    }
}
