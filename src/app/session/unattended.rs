//! A table at which nobody types: when the program was interrupted, the match goes on as soon as somebody touches a piece, or
//! presses the clock; when the match is over, its table ends once the pieces are set up again. A pause that people make with the
//! clock's own button stays until they press it again.

use tabiya_engine::table::{Author, Common, Input, Table};
use tabiya_types::{Board, Instant, Observation, say};

use super::course::MatchCourse;

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

impl Attended {
    /// Nobody types at this table. A match that was carried on goes on at the first touch.
    pub(super) fn leave(&mut self, course: &mut MatchCourse) {
        *self = Self::No;
        self.interrupted(course);
    }

    /// The match was paused by the program, not by people.
    pub(super) fn interrupted(&mut self, course: &mut MatchCourse) {
        if *self != Self::Yes && course.table().clock().paused() {
            *self = Self::Waits;
            course.speech.say(say!("touch-goes-on", "touch a piece to go on"));
        }
    }

    /// Lets a match that waits for a touch go on. What was touched counts as in any match.
    pub(super) fn touched(&mut self, course: &mut MatchCourse, at: Instant) {
        if *self == Self::Waits {
            *self = Self::No;
            if course.table().clock().paused() {
                course.enter_or_tell(&Input::Common(Common::Resume(Author::Arbiter)), at);
            }
        }
        // Without pieces, a press of the clock is all that can say so.
        if self.shows_result(course) && !course.table().game().has_board() {
            *self = Self::Done;
        }
    }

    /// Notices, after a report of the board, that the pieces are set up for the next match. Until then the result is shown.
    pub(super) fn notice_set_up(&mut self, course: &MatchCourse) {
        if self.shows_result(course) && is_set_up(course) {
            *self = Self::Done;
        }
    }

    /// Whether nobody types, and the result of the match is still shown.
    fn shows_result(self, course: &MatchCourse) -> bool {
        self == Self::No && course.past().match_over()
    }

    /// Whether nobody types at this table, the match is over, and people set the pieces up for the next one.
    pub(super) fn is_done(self) -> bool {
        self == Self::Done
    }

    /// Notices in a report that somebody has touched a piece. Where somebody types, nothing is looked at.
    pub(super) fn notice_touch(&mut self, course: &mut MatchCourse, report: &Observation, at: Instant) {
        if *self != Self::Yes && shows_touch(course, report) {
            self.touched(course, at);
        }
    }
}

/// Whether pieces stand on the squares on which the match began, and on no others.
fn is_set_up(course: &MatchCourse) -> bool {
    let start = Table::new(course.replay().header().agreement.clone()).physical().occupied();
    course.watch().seen().is_some_and(|seen| seen.occupied() == start)
}

/// Whether a report shows that somebody has touched a piece: the squares are not as they were seen before.
fn shows_touch(course: &MatchCourse, report: &Observation) -> bool {
    let changes = |seen: Board| match report {
        Observation::Whole(board) => *board != seen,
        Observation::Occupied(squares) => *squares != seen.occupied(),
        Observation::Square(square, piece) => seen[*square] != *piece,
        Observation::Press(_) => true,
    };
    course.watch().seen().is_some_and(changes)
}
