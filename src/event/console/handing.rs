//! A table's record from the console's copies, so that another computer carries its match on: journal and signed heads.
//!
//! Source: `docs/hall.md`, §11 (`hand-over`).

use std::path::{Path, PathBuf};

use super::keeper::fork_files;
use tabiya_app::seating::TABLE;
use tabiya_engine::record::json;
use tabiya_store::heads;
use tabiya_store::journal::{Journal, JournalError, MatchInfo, NewEntry, Store as _};

/// Why a table cannot be handed over.
#[derive(Debug, thiserror::Error)]
pub enum HandOverFault {
    /// There is no copy.
    #[error(
        "there is no copy of a match of table {0} in this event; `tables` at the console shows which tables have one"
    )]
    NoCopy(u16),
    /// The folder cannot be made.
    #[error("{0}: this folder cannot be made ({1}); name another one with --to")]
    Folder(String, std::io::Error),
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

/// Writes the newest match of this table into a record of its own in the folder `to`, which is made if it is not there. Of several
/// copies of the match, the one with the most lines counts.
pub fn hand_over(event: &Path, table: u16, to: &Path) -> Result<HandedOver, HandOverFault> {
    let of_table = |path: &Path| -> Result<Vec<MatchInfo>, JournalError> {
        let mut matches = Journal::open_read(path)?.matches()?;
        matches.retain(|info| table_of(&info.header) == Some(table));
        Ok(matches)
    };
    let hall = event.join("hall.tabiya");
    let mut copies: Vec<(PathBuf, MatchInfo)> =
        of_table(&hall)?.into_iter().map(|info| (hall.clone(), info)).collect();
    for (_, path) in fork_files(event) {
        copies.extend(of_table(&path)?.into_iter().map(|info| (path.clone(), info)));
    }
    // Matches stand in the order in which they began; a further copy has the name of the one from which it parted.
    let newest =
        copies.iter().rfind(|(path, _)| *path == hall).or(copies.last()).map(|(_, info)| info.uid.clone());
    let of_newest = copies.into_iter().filter(|(_, info)| Some(&info.uid) == newest.as_ref());
    let (from, info) = of_newest.max_by_key(|(_, info)| info.entries).ok_or(HandOverFault::NoCopy(table))?;
    std::fs::create_dir_all(to).map_err(|error| HandOverFault::Folder(tabiya_types::shown(to), error))?;
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

pub(super) fn table_of(header: &str) -> Option<u16> {
    json::parse(header).ok()?.get(TABLE)?.as_u64()?.try_into().ok()
}
