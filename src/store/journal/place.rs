//! Whether the journal's name still leads to the open file and its lines. Somebody may delete, replace, rename or overwrite
//! the file while it is open; lines that are then added would be lost when the program ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::Connection;

use super::creating::{clear, draft_of};
use super::error::JournalError;
use super::lock::{Lock, beside, real};
use crate::platform::{identity, sync_folder};

/// How many names are tried for a journal whose file is gone.
const NAMES: u32 = 1_000;

/// The file and its write-ahead log as this journal last left them. Both are looked at by their names alone: this process
/// must not open the file beside SQLite (`held.rs`).
#[derive(Debug)]
pub(super) struct FilePlace {
    file: PathBuf,
    log: PathBuf,
    known: [Option<Trace>; 2],
}

/// What somebody has done to a journal's files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlaceChange {
    /// Nothing.
    None,
    /// One of the two was written: another program has merged the log, or has overwritten something.
    Written,
    /// One of the two was removed, replaced or renamed.
    Gone,
}

impl FilePlace {
    /// The place of a journal that has just been opened, so that its log exists.
    pub(super) fn of(path: &Path) -> Self {
        let mut place = Self { file: path.to_owned(), log: beside(&real(path), "-wal"), known: [None; 2] };
        place.note_both();
        place
    }

    fn traces(&self) -> [Option<Trace>; 2] {
        [trace(&self.file), trace(&self.log)]
    }

    /// Notes that the journal itself has written its log, or has merged it, or that both are known to be in order.
    pub(super) fn note_both(&mut self) {
        self.known = self.traces();
    }

    /// Notes that the journal itself has written its log. It has not touched the file, so a change of the file since the
    /// last look is somebody else's and stays to be noticed.
    pub(super) fn note_log(&mut self) {
        let [file, _] = self.known;
        self.known = [file, trace(&self.log)];
    }

    /// What has happened to the files since the journal last wrote them.
    pub(super) fn change(&self) -> PlaceChange {
        let now = self.traces();
        let identity = |traces: [Option<Trace>; 2]| traces.map(|trace| trace.map(|trace| trace.identity));
        if now == self.known {
            PlaceChange::None
        } else if identity(now) != identity(self.known) {
            PlaceChange::Gone
        } else {
            PlaceChange::Written
        }
    }
}

/// A file as the system describes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Trace {
    identity: Option<(u64, u64)>,
    /// The file's length, and when it was last written.
    content: (u64, Option<SystemTime>),
}

pub(super) fn trace(path: &Path) -> Option<Trace> {
    let found = fs::metadata(path).ok()?;
    Some(Trace { identity: identity(&found), content: (found.len(), found.modified().ok()) })
}

/// Writes everything that an open journal holds into a new file beside the old name: `evening-2.tabiya`. Returns the
/// name. The file gets it only when it is complete and on the disk.
pub(super) fn save_under_new_name(conn: &Connection, path: &Path) -> Result<PathBuf, JournalError> {
    let new = free_name(path).ok_or_else(|| JournalError::Exists { path: path.to_owned() })?;
    // The lock tells other programs that a draft of this name is being written.
    let _lock = Lock::take(&new)?;
    let draft = draft_of(&new)?;
    let name = draft.to_string_lossy();
    let saved = conn.execute("VACUUM INTO ?1", [&name]).map_err(|error| JournalError::sqlite(&new, error));
    let saved = saved.and_then(|_| {
        let named = fs::File::open(&draft)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&draft, &new))
            .and_then(|()| sync_folder(&new));
        named.map_err(|error| JournalError::io(&new, "made", error))
    });
    clear(&draft);
    saved.map(|()| new)
}

pub(crate) fn free_name(path: &Path) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let is_free = |name: &PathBuf| {
        ["", "-wal", "-shm", ".lock"].iter().all(|end| beside(name, end).symlink_metadata().is_err())
    };
    (2..NAMES).map(|nth| path.with_file_name(format!("{stem}-{nth}{ending}"))).find(is_free)
}

/// Removes the log that was left under this name, if nothing is in it: it was merged into its file, wherever that is now.
pub(super) fn clear_empty_log(path: &Path) {
    if fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() == 0) {
        clear_log(path);
    }
}

/// Removes the log of a journal whose file was overwritten, so that nobody reads it into the other file.
pub(super) fn clear_log(path: &Path) {
    for ending in ["-wal", "-shm"] {
        let _ = fs::remove_file(beside(path, ending));
    }
}
