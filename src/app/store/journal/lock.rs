//! One writer at a time: a lock of the operating system on `FILE.lock`.
//!
//! Not on the file itself: closing any handle on it would drop SQLite's own locks, and on Windows a
//! lock there would shut readers out. The system drops the lock when its holder dies, however it
//! dies, so a lock file that was left behind means nothing.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::error::JournalError;

/// How often to try when the lock file vanishes while it is being locked.
const TRIES: usize = 16;
/// A process id has at most ten digits.
const LONGEST_NAME: u64 = 16;

#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Holds the lock as long as it is open.
    _file: File,
}

impl Lock {
    /// Takes the lock of the journal at `of`, or says who has it.
    pub(super) fn take(of: &Path) -> Result<Self, JournalError> {
        let path = beside(&real(of), ".lock");
        for _ in 0..TRIES {
            let mut file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(|error| JournalError::io(of, "locked", error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(JournalError::Busy { path: of.to_owned(), process: holder(&mut file) });
                }
                Err(TryLockError::Error(error)) => return Err(JournalError::io(of, "locked", error)),
            }
            if is_at(&file, &path) {
                // Only a courtesy to whoever comes second.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Self { path, _file: file });
            }
        }
        Err(JournalError::Busy { path: of.to_owned(), process: None })
    }
}

impl Drop for Lock {
    /// The name goes while the lock is still held: whoever opened it before finds out in `is_at`.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut name = String::new();
    file.take(LONGEST_NAME).read_to_string(&mut name).ok()?;
    name.trim().parse().ok()
}

/// Whether the locked file is still the one of that name, and not one that its last holder removed.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Elsewhere an open file cannot lose its name to another one.
#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// One file has one lock, by whatever name it is opened.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match (folder.canonicalize(), path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    })
}

/// The file beside `path` whose name is longer by `ending`.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
