//! A time in which the program did nothing, because the computer slept or the program was stopped.

use tabiya_engine::table::{Author, Common, Ruling};
use tabiya_types::{Instant, Millis};

use super::course::MatchCourse;
use super::tell::tell_absence;
use crate::sleep::Absence;

/// The member of a ruling that says for how many ms the computer slept.
const SLEPT: &str = "x-slept-ms";
/// The member of a ruling that says for how many ms the program was stopped.
const STOPPED: &str = "x-stopped-ms";

/// Enters the ruling about an absence of this length that ended at `now`, pauses the clocks, and tells about it. Returns whether
/// the match was interrupted so; it is not if no clock was running, or if nothing could be entered.
pub(super) fn enter(course: &mut MatchCourse, (absence, span): (Absence, Millis), now: Instant) -> bool {
    if !course.table().time_runs() {
        return false;
    }
    let before = course.table().clone();
    let (reason, mark) = match absence {
        Absence::Slept => (format!("the computer slept for {span}"), SLEPT),
        Absence::Stopped => (format!("Tabiya was stopped for {span}"), STOPPED),
    };
    let ruling = Ruling { reason, ..Ruling::default() };
    let ruled = course.rule_with(ruling, (mark, span.0.into()), now);
    match ruled.and_then(|()| course.accept(&Common::Pause(Author::Arbiter).into(), now)) {
        Ok(()) => {
            tell_absence(absence, &before, span, now, &mut course.speech);
            true
        }
        Err(fault) => {
            course.tell_failure(&fault);
            false
        }
    }
}
