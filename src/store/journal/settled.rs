//! Looking at a record that a table may be writing. File, log and heads are read one after the other, and a page while it is
//! written, so what they say together may be wrong although each of them is right. What is wrong with the record itself stays.
#![warn(clippy::indexing_slicing)]

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::lock::{beside, real};
use super::place::{Trace, trace};
use crate::heads;

/// How often a record that is written all the time is looked at. Beside a table that writes without a pause one look in eight
/// is wrong.
const MOST_LOOKS: u32 = 50;
/// How long nothing must be written before a look that counts: longer than the steps in which systems date files.
const PAUSE: Duration = Duration::from_millis(30);

/// The record's file, its log and its heads, as the system describes them.
type Traces = [Option<Trace>; 3];

fn traces(record: &Path) -> Traces {
    let record = real(record);
    [trace(&record), trace(&beside(&record, "-wal")), trace(&heads::file_of(&record))]
}

/// Returns what this look at a record finds. What it finds wrong counts only if nothing was written from a moment before the
/// look until its end; otherwise it looks again.
pub fn settled<T, E>(record: &Path, mut look: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    let mut before = traces(record);
    // A record without a log is written by nobody.
    let mut is_still = before.get(1) == Some(&None);
    for _ in 1..MOST_LOOKS {
        let found = look();
        let after = traces(record);
        if found.is_ok() || is_still && after == before {
            return found;
        }
        pause();
        before = traces(record);
        is_still = before == after;
    }
    look()
}

#[expect(clippy::disallowed_methods, reason = "a writer tells nobody when it pauses")]
fn pause() {
    thread::sleep(PAUSE);
}
