//! A table's record from the console's copies, so that another computer carries its match on: journal and signed heads.
//!
//! Source: `docs/hall.md`, §11 (`hand-over`).

use std::path::{Path, PathBuf};

use tabiya_app::seating::TABLE;
use tabiya_engine::record::json;
use tabiya_store::heads;
use tabiya_store::journal::{Journal, JournalError, MatchInfo, NewEntry, Store as _};

/// Why a table cannot be handed over.
#[derive(Debug, thiserror::Error)]
pub enum HandOverFault {
    /// There is no copy.
    #[error("there is no copy of a match of table {0} in this event")]
    NoCopy(u16),
    /// The copies cannot be read, or the record cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandedOver {
    /// The record.
    pub path: PathBuf,
    /// How many lines it has after its header.
    pub lines: u64,
}

/// Writes the newest match of this table into a record of its own in the folder `to`. The copy that was followed last counts: a fork
/// comes after what it parted from.
pub fn hand_over(event: &Path, table: u16, to: &Path) -> Result<HandedOver, HandOverFault> {
    let hall = event.join("hall.tabiya");
    let forks =
        (1..).map(|number| event.join(format!("fork-{number}.tabiya"))).take_while(|path| path.exists());
    let mut newest: Option<(PathBuf, MatchInfo)> = None;
    for path in std::iter::once(hall).chain(forks) {
        for info in Journal::open_read(&path)?.matches()? {
            let known =
                newest.as_ref().is_none_or(|(_, known)| known.uid == info.uid || known.begun <= info.begun);
            if table_of(&info.header) == Some(table) && known {
                newest = Some((path.clone(), info));
            }
        }
    }
    let (from, info) = newest.ok_or(HandOverFault::NoCopy(table))?;
    let entries = Journal::open_read(&from)?.entries(info.id)?;
    let path = to.join(format!("table-{table}.tabiya"));
    let mut record = Journal::create(&path)?;
    let id = record.begin_again(&info.header, &info.uid)?;
    let lines: Vec<NewEntry> =
        entries.into_iter().map(|entry| NewEntry { t: entry.t, line: entry.line }).collect();
    if !lines.is_empty() {
        record.append(id, &lines)?;
    }
    record.moment(id, info.moment.unwrap_or(0).max(info.last_t))?;
    record.close()?;
    let signed = heads::lines_about(&from, &info.uid, info.begins);
    if !signed.is_empty() {
        heads::keep(&path, &signed)?;
    }
    Ok(HandedOver { path, lines: lines.len() as u64 })
}

fn table_of(header: &str) -> Option<u16> {
    json::parse(header).ok()?.get(TABLE)?.as_u64()?.try_into().ok()
}
