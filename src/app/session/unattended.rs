//! A table at which nobody types: when the program was interrupted, the match goes on as soon as somebody touches a piece, or
//! presses the clock; when the match is over, its table ends once the pieces are set up again. A pause that people make with the
//! clock's own button stays until they press it again.

use tabiya_engine::table::{Author, Common, Input, Table};
use tabiya_types::{Board, Instant, Observation, say};

use super::Session;

/// Whether somebody types at this table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Attended {
    /// Somebody does, and decides when an interrupted match goes on.
    #[default]
    Yes,
    /// Nobody does.
    No,
    /// Nobody does, and the match waits for a touch.
    Waits,
    /// Nobody does; the match is over, and the pieces are set up for the next one.
    Done,
}

impl Session {
    /// Nobody types at this table. A match that was carried on goes on at the first touch.
    pub fn leave_unattended(&mut self) {
        self.attended = Attended::No;
        self.interrupted();
    }

    /// The match was paused by the program, not by people.
    pub(super) fn interrupted(&mut self) {
        if self.attended != Attended::Yes && self.table().clock().paused() {
            self.attended = Attended::Waits;
            self.speech.say(say!("touch-goes-on", "touch a piece to go on"));
        }
    }

    /// Lets a match that waits for a touch go on. What was touched counts as in any match.
    pub(super) fn touched(&mut self, at: Instant) {
        if self.attended == Attended::Waits {
            self.attended = Attended::No;
            if self.table().clock().paused() {
                self.enter_or_tell(&Input::Common(Common::Resume(Author::Arbiter)), at);
            }
        }
        // Without pieces, a press of the clock is all that can say so.
        if self.shows_result() && !self.table().game().has_board() {
            self.attended = Attended::Done;
        }
    }

    /// Notices, after a report of the board, that the pieces are set up for the next match. Until then the result is shown.
    pub(super) fn notice_set_up(&mut self) {
        if self.shows_result() && self.is_set_up() {
            self.attended = Attended::Done;
        }
    }

    /// Whether nobody types, and the result of the match is still shown.
    fn shows_result(&self) -> bool {
        self.attended == Attended::No && self.past().match_over()
    }

    /// Whether pieces stand on the squares on which the match began, and on no others.
    fn is_set_up(&self) -> bool {
        let start = Table::new(self.replay().header().agreement.clone()).physical().occupied();
        self.watch().seen().is_some_and(|seen| seen.occupied() == start)
    }

    /// Whether nobody types at this table, the match is over, and people set the pieces up for the next one.
    pub fn is_done(&self) -> bool {
        self.attended == Attended::Done
    }

    /// Notices in a report that somebody has touched a piece. Where somebody types, nothing is looked at.
    pub(super) fn notice_touch(&mut self, report: &Observation, at: Instant) {
        if self.attended != Attended::Yes && self.shows_touch(report) {
            self.touched(at);
        }
    }

    /// Whether a report shows that somebody has touched a piece: the squares are not as they were seen before.
    fn shows_touch(&self, report: &Observation) -> bool {
        let changes = |seen: Board| match report {
            Observation::Whole(board) => *board != seen,
            Observation::Occupied(squares) => *squares != seen.occupied(),
            Observation::Square(square, piece) => seen[*square] != *piece,
            Observation::Press(_) => true,
        };
        self.watch().seen().is_some_and(changes)
    }
}
