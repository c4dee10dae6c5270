//! One writer at a time: a lock of the operating system on `FILE.lock`.
//!
//! The journal's file itself is not locked: closing any handle on it would release SQLite's own locks, and on Windows a
//! lock on it would shut out readers. The system releases a lock when its process ends for whatever reason, so a lock
//! file that was left behind has no effect.
//!
//! Somebody may have a file or a link of his own under the lock's name. A lock is never opened through a link, and no file
//! is written or deleted that has something else than a lock has: nothing, or a process id.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::super::disk::{is_at, open_ordinary};
use super::error::JournalError;

/// How many times to try again if another process deletes the lock file while this process is locking it.
const TRIES: usize = 16;
/// How many bytes of a lock file are read; a process id has at most ten digits.
const LONGEST_NAME: u64 = 16;

#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// The open lock file. The lock is held until this file is closed.
    file: File,
}

impl Lock {
    /// Takes the lock of a journal. If another process has it, the error names that process.
    pub(super) fn take(journal: &Path) -> Result<Self, JournalError> {
        let path = beside(&real(journal), ".lock");
        let in_the_way = || JournalError::LockTaken { path: journal.to_owned(), lock: path.clone() };
        for left in (0..TRIES).rev() {
            let mut file = match open_ordinary(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(in_the_way()),
                Err(error) if error.kind() == io::ErrorKind::NotFound && left > 0 => continue,
                Err(error) => return Err(JournalError::io(journal, "locked", error)),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(JournalError::Busy { path: journal.to_owned(), process: holder(&mut file) });
                }
                Err(TryLockError::Error(error)) => return Err(JournalError::io(journal, "locked", error)),
            }
            if is_at(&file, &path) {
                if !is_a_lock(&mut file) {
                    return Err(in_the_way());
                }
                // A second program reads this process id, to report which process holds the lock.
                let emptied = file.rewind().and_then(|()| file.set_len(0));
                let _ = emptied.and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Self { path, file });
            }
        }
        Err(JournalError::Busy { path: journal.to_owned(), process: None })
    }
}

impl Drop for Lock {
    /// Deletes the lock file while the lock is still held; a process that has opened the file notices it in `is_at`. If
    /// somebody has moved the lock file away, the one at this path is another program's, and stays. So does a file that
    /// somebody has written over it.
    fn drop(&mut self) {
        if is_at(&self.file, &self.path) && is_a_lock(&mut self.file) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether a file has what lock files have: nothing or a process id; after a power cut perhaps NULs instead.
fn is_a_lock(file: &mut File) -> bool {
    let mut start = Vec::new();
    let read = file.rewind().and_then(|()| file.take(LONGEST_NAME + 1).read_to_end(&mut start));
    read.is_ok_and(|length| length as u64 <= LONGEST_NAME)
        && start.trim_ascii_end().iter().all(|byte| byte.is_ascii_digit() || *byte == 0)
}

fn holder(file: &mut File) -> Option<u32> {
    let mut name = String::new();
    file.take(LONGEST_NAME).read_to_string(&mut name).ok()?;
    name.trim().parse().ok()
}

/// Resolves links in a path, so that a file has the same lock under each of its names.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match (folder.canonicalize(), path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    })
}

/// The path with `ending` added to the file's name.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
