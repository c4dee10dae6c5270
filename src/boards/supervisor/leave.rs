//! Pauses during a connection to a board, and writes the last commands when the board is disconnected. Other boards may
//! share the port.

use std::time::Duration;

use tabiya_types::{Instant, Millis, Timeline};

use super::session::ConnectionLife;
use crate::link::Link;

/// The longest wait for bytes. After it, the thread checks for commands.
const LONGEST_READ: Duration = Duration::from_millis(50);
/// How long to wait at most for a shared port to become free for a last command. The caller that disconnects the board
/// has to wait that long, too.
const LAST_TURN: Millis = Millis(300);

/// Waits for `length`, or until the link breaks. Bytes that arrive meanwhile are discarded.
pub(crate) fn pause(link: &mut dyn Link, length: Millis, timeline: &dyn Timeline) {
    let until = timeline.now() + length;
    while timeline.now() < until && link.read(LONGEST_READ).is_ok() {}
}

/// Writes to a board that is being disconnected, if the port becomes free within `LAST_TURN`. Returns whether the bytes
/// were written.
pub(crate) fn last_write(link: &mut dyn Link, bytes: &[u8], timeline: &dyn Timeline) -> bool {
    let until = timeline.now() + LAST_TURN;
    link.write_unless(bytes, &|| timeline.now() >= until).is_ok_and(|written| written)
}

/// The timeout of the next read: until the deadline of the session, but at least 1 ms and at most `LONGEST_READ`.
pub(crate) fn patience(session: &ConnectionLife, now: Instant) -> Duration {
    let due = session.deadline().map_or(LONGEST_READ, |due| Duration::from_millis(due.since(now).0));
    due.clamp(Duration::from_millis(1), LONGEST_READ)
}
