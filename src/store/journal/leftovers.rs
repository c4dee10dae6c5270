//! Drafts of a journal that a program left beside it, because it was ended while it made the journal.
//!
//! A draft is called `NAME.PROCESS-NUMBER.new` (`draft_of` in `journal.rs`). Who holds the lock of `NAME` knows that nobody
//! is writing a draft of it. A draft that has lines is kept, because it may be the only copy of them: a journal whose file
//! was removed is saved through a draft, too.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use super::creating::{DRAFT_ENDINGS, clear};
use super::error::JournalError;
use super::form::SQLITE_MAGIC;
use super::lock::{beside, real};
use super::salvage::salvage;

/// Removes the drafts of this journal that have no lines. The caller holds the journal's lock.
pub(super) fn remove(journal: &Path) {
    let journal = real(journal);
    let (Some(folder), Some(name)) = (journal.parent(), journal.file_name()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    let drafts = entries.flatten().filter_map(|entry| draft_number(&entry.file_name(), name));
    for number in drafts.collect::<BTreeSet<String>>() {
        let draft = beside(&journal, &number);
        if is_empty(&draft) {
            clear(&draft);
        }
    }
}

/// What a draft's name adds to that of its journal: `.PROCESS-NUMBER.new`. `None` for any other file.
fn draft_number(file: &OsStr, journal: &OsStr) -> Option<String> {
    let added = file.as_encoded_bytes().strip_prefix(journal.as_encoded_bytes())?;
    let added = std::str::from_utf8(added).ok()?;
    let (numbers, ending) = added.strip_prefix('.')?.split_once(".new")?;
    let (process, number) = numbers.split_once('-')?;
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|parsed| parsed.to_string() == text);
    let is_draft = DRAFT_ENDINGS.contains(&ending) && is_number(process) && is_number(number);
    is_draft.then(|| format!(".{numbers}.new"))
}

/// Whether a draft has no lines: it is gone already, has no byte yet, or is a journal in which nothing can be found.
fn is_empty(draft: &Path) -> bool {
    let Ok(found) = draft.symlink_metadata() else { return true };
    if !found.is_file() {
        return false;
    }
    let mut start = Vec::new();
    let read =
        File::open(draft).and_then(|file| file.take(SQLITE_MAGIC.len() as u64).read_to_end(&mut start));
    // SQLite writes these bytes first. Other files that happen to have such a name are somebody's own.
    if read.is_err() || !(start.is_empty() || start == SQLITE_MAGIC) {
        return false;
    }
    match salvage(draft) {
        Ok(found) => found.matches.is_empty(),
        Err(JournalError::Alone { .. } | JournalError::Damaged { .. } | JournalError::NotARecord { .. }) => {
            true
        }
        Err(_) => false,
    }
}
