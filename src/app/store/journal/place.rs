//! Whether the journal's name still leads to the open file. Somebody may delete, replace or rename the file while it is
//! open; lines that are then added would be in a file without a name, and lost when the program ends.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::super::files::sync_folder;
use super::lock::{beside, real};
use super::{JournalError, clear, draft_of};

/// How many names are tried for a journal whose file is gone.
const NAMES: u32 = 1_000;

/// The file and its write-ahead log as they were when the journal was opened.
#[derive(Debug)]
pub(super) struct FilePlace {
    file: PathBuf,
    log: PathBuf,
    known: (Option<Identity>, Option<Identity>),
}

impl FilePlace {
    /// The place of a journal that has just been opened, so that its log exists.
    pub(super) fn of(path: &Path) -> Self {
        let log = beside(&real(path), "-wal");
        Self { known: (identity(path), identity(&log)), file: path.to_owned(), log }
    }

    /// Whether both names still lead to the open files.
    pub(super) fn holds(&self) -> bool {
        self.known == (identity(&self.file), identity(&self.log))
    }
}

/// What distinguishes a file from all others on this computer: its device and its inode.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

/// On this system nobody can delete or replace an open file.
#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.exists().then_some(())
}

/// Whether the file has a second name: a program that opens it there would not see this journal's lock and log.
#[cfg(unix)]
pub(super) fn has_two_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).is_ok_and(|found| found.nlink() > 1)
}

#[cfg(not(unix))]
pub(super) fn has_two_names(_: &Path) -> bool {
    false
}

/// Writes everything that an open journal holds into a new file beside the old name: `evening-2.tabiya`. Returns the
/// name. The file gets it only when it is complete and on the disk.
pub(super) fn save_under_new_name(conn: &Connection, path: &Path) -> Result<PathBuf, JournalError> {
    let new = free_name(path).ok_or_else(|| JournalError::Exists { path: path.to_owned() })?;
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

fn free_name(path: &Path) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let is_free =
        |name: &PathBuf| ["", "-wal", "-shm"].iter().all(|end| beside(name, end).symlink_metadata().is_err());
    (2..NAMES).map(|nth| path.with_file_name(format!("{stem}-{nth}{ending}"))).find(is_free)
}
