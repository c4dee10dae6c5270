//! Creates an empty journal under a draft's name, so that the file appears only when it is complete.
#![warn(clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::error::JournalError;
use super::form::{APPLICATION, FORM, PATIENCE, TABLES};
use super::lock::beside;

/// The most names that are tried for the draft of a new journal.
const DRAFTS: u32 = 100;
/// The endings of a draft's files: SQLite makes the last three beside the draft.
pub(super) const DRAFT_ENDINGS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Switches on the write-ahead log and a sync at every commit. `Err` if the folder cannot keep such a log: SQLite then
/// answers with another journal mode.
pub(super) fn keep_log(conn: &Connection, path: &Path) -> Result<(), JournalError> {
    let ask = || -> rusqlite::Result<String> {
        conn.busy_timeout(PATIENCE)?;
        let mode = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
        // On macOS only a full fsync reaches the disk. On other systems the last two settings have no effect.
        conn.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;",
        )?;
        Ok(mode)
    };
    match ask().map_err(|error| JournalError::sqlite(path, error))? {
        mode if mode == "wal" => Ok(()),
        mode => Err(JournalError::NoLog { path: path.to_owned(), mode }),
    }
}

/// The name under which a new journal is written until it is complete. `Err` if all such names are taken, by whatever
/// files: an attempt on a disk that was taken away may have left its draft there.
pub(super) fn draft_of(path: &Path) -> Result<PathBuf, JournalError> {
    let name = |number: u32| beside(path, &format!(".{}-{number}.new", std::process::id()));
    let free = (1..=DRAFTS).map(name).find(|draft| draft.symlink_metadata().is_err());
    free.ok_or_else(|| JournalError::Exists { path: name(DRAFTS) })
}

/// Deletes the files that an attempt to create a journal left behind.
pub(super) fn clear(draft: &Path) {
    for ending in DRAFT_ENDINGS {
        let _ = fs::remove_file(beside(draft, ending));
    }
}

/// Writes an empty journal to the file `draft`. `path` is the name that the file gets later; error messages contain
/// this name.
pub(super) fn write_empty(draft: &Path, path: &Path) -> Result<(), JournalError> {
    let failed = |error| JournalError::sqlite(path, error);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(draft, flags).map_err(failed)?;
    keep_log(&conn, path)?;
    let fill = |conn: &mut Connection| {
        let transaction = conn.transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORM)?;
        transaction.commit()?;
        conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    };
    fill(&mut conn).map_err(failed)?;
    conn.close().map_err(|(_, error)| failed(error))
}
