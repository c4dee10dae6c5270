//! Which files this process holds open as journals.
//!
//! POSIX gives the locks of a file to the process, not to a descriptor: when a process closes any descriptor of a file, it
//! loses all its locks on it. SQLite knows that and closes its own descriptors only when no lock is left. A program that
//! opens the file beside SQLite, even to read, would take the table's lock away; another program then believes that nobody
//! uses the record, merges its log and deletes it. So whoever opens a file by its path asks here first.
//!
//! Source: sqlite.org, `howtocorrupt.html`, section 2.2.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::platform;

/// A file's device and inode. It is the same for all names of a file.
type Identity = (u64, u64);

/// The files that are held, each as often as it is held.
static HELD: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<Identity>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The note that this process has a journal open. Dropping it takes the note away.
#[derive(Debug)]
pub(super) struct Held(Option<Identity>);

impl Held {
    /// Notes that the file at this path is going to be opened.
    pub(super) fn note(path: &Path) -> Self {
        let identity = identity(path);
        held().extend(identity);
        Self(identity)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = held();
        if let Some(at) = held.iter().position(|one| Some(*one) == self.0) {
            held.swap_remove(at);
        }
    }
}

/// Whether this process has the file at this path open as a journal, under whatever name.
pub(super) fn is_held(path: &Path) -> bool {
    identity(path).is_some_and(|identity| held().contains(&identity))
}

/// Nothing where a lock belongs to its descriptor.
fn identity(path: &Path) -> Option<Identity> {
    std::fs::metadata(path).ok().and_then(|found| platform::identity(&found))
}
