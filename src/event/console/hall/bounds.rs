//! What is kept of a table at most. Whoever sends more is told of as a flood and not read on; the others go on.
//!
//! Source: `docs/hall.md`, §9.

use tabiya_types::say;

use super::Hall;
use crate::console::alerts::ConsoleAlertKind;
use crate::socket::{EndCode, LinkEnd};

/// The most lines of a match.
const MOST_LINES: u64 = 200_000;
/// The most bytes of a match, and of a table in a day.
const MOST_OF_MATCH: u64 = 64 << 20;
const MOST_OF_TABLE: u64 = 256 << 20;
/// A day, in ms.
const DAY: u64 = 86_400_000;
/// The most matches of a table that are known at once.
const MOST_MATCHES: usize = 4_096;
/// The most files beside the hall's journal for the copies of one table, and of all tables: each stays open.
const MOST_FILES_OF_TABLE: usize = 32;
const MOST_FILES: usize = 256;

impl Hall {
    pub(super) fn must_have_room(
        &mut self,
        number: u16,
        uid: &str,
        (seq, size): (u64, u64),
        now: u64,
    ) -> Result<(), LinkEnd> {
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        if now.saturating_sub(table.bytes.0) >= DAY {
            table.bytes = (now, 0);
        }
        table.bytes.1 += size;
        let of_match = table.matches.get(uid).map_or(0, |of_match| of_match.bytes);
        let many = !table.matches.contains_key(uid) && table.matches.len() >= MOST_MATCHES;
        if seq < MOST_LINES && of_match + size <= MOST_OF_MATCH && table.bytes.1 <= MOST_OF_TABLE && !many {
            return Ok(());
        }
        self.flooded(number, now);
        Err(LinkEnd::new(EndCode::Wrong, "this is more than is kept of a table"))
    }

    /// Whether a match of another table has this name, too.
    pub(super) fn is_named_elsewhere(&self, number: u16, uid: &str) -> bool {
        self.tables.iter().any(|(other, table)| *other != number && table.matches.contains_key(uid))
    }

    /// One more file for a copy of this table. `Err` if it has as many as are kept open.
    pub(super) fn take_file(&mut self, number: u16, now: u64) -> Result<(), LinkEnd> {
        let all: usize = self.files.values().sum();
        let of_table = self.files.entry(number).or_default();
        if *of_table < MOST_FILES_OF_TABLE && all < MOST_FILES {
            *of_table += 1;
            return Ok(());
        }
        self.flooded(number, now);
        Err(LinkEnd::new(EndCode::Wrong, "there are too many further copies of matches of this table"))
    }

    /// The copy for which a file was taken does not begin.
    pub(super) fn give_back_file(&mut self, number: u16, taken: bool) {
        if let Some(files) = self.files.get_mut(&number) {
            *files = files.saturating_sub(usize::from(taken));
        }
    }

    pub(super) fn flooded(&mut self, number: u16, now: u64) {
        let says =
            say!("own-flood", "table {table} sends more than is kept; it is not read on", table = number);
        self.raise(ConsoleAlertKind::Flood, Some(number), says, now);
    }
}
