//! What the arbiter of an event admits at a table: the players' keypads, which are electronic devices with which somebody could be told
//! something.
//!
//! Source: Laws of Chess, 11.3.2.1; `docs/keypads.md`, "At an event".

use tabiya_engine::record::Line;
use tabiya_engine::rules::Violation;
use tabiya_engine::table::{Ruling, Voice};
use tabiya_types::{Instant, say};

use super::InputFault;
use super::course::MatchCourse;

/// The member of a ruling that says whether keypads are admitted from then on: `on` or `off`.
const ADMITS: &str = "x-keypads";

/// Rules that keypads are admitted, or not any more.
pub(super) fn admit_keypads(
    course: &mut MatchCourse,
    on: bool,
    reason: &str,
    at: Instant,
) -> Result<(), InputFault> {
    if course.table().terms().voice == Voice::Casual {
        let what = say!("keypads-are-free", "this is no event, so nobody has to admit keypads");
        let next = say!("keypads-are-free-next", "`keypads` shows how a telephone becomes one");
        return Err(InputFault::Refused(Violation::new("keypads-are-free", what, next)));
    }
    let word = if on { "on" } else { "off" };
    course.rule_with(Ruling::because(reason), (ADMITS, word.into()), at.max(course.last_t()))
}

/// Whether the newest of these rulings has admitted them.
pub(super) fn admits_keypads(lines: &[Line]) -> bool {
    let newest = lines.iter().rev().find_map(|line| line.extension(ADMITS));
    newest.is_some_and(|word| word.as_text() == Some("on"))
}
