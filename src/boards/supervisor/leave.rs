//! Waiting at a line, and taking leave of its board, over a line that others may use too.

use std::time::Duration;

use tabiya_types::{Instant, Millis, Timeline};

use super::session::ConnectionLife;
use crate::link::Link;

/// How long the thread waits for bytes before it looks whether it was told something.
const LONGEST_READ: Duration = Duration::from_millis(50);
/// How long a line that others use is waited for at the end: whoever lets a board go waits too.
const LAST_TURN: Millis = Millis(300);

/// A pause that ends when the line does. What is heard meanwhile is not listened to.
pub(crate) fn pause(link: &mut dyn Link, length: Millis, timeline: &dyn Timeline) {
    let until = timeline.now() + length;
    while timeline.now() < until && link.read(LONGEST_READ).is_ok() {}
}

/// Writes to a board that is let go, if the line is free soon; whether it was.
pub(crate) fn last_write(link: &mut dyn Link, bytes: &[u8], timeline: &dyn Timeline) -> bool {
    let until = timeline.now() + LAST_TURN;
    link.write_unless(bytes, &|| timeline.now() >= until).is_ok_and(|written| written)
}

/// How long to wait for bytes: until the session has something to do, and never long.
pub(crate) fn patience(session: &ConnectionLife, now: Instant) -> Duration {
    let due = session.deadline().map_or(LONGEST_READ, |due| Duration::from_millis(due.since(now).0));
    due.clamp(Duration::from_millis(1), LONGEST_READ)
}
