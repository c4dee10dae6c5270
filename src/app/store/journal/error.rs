//! What can go wrong with a journal, each in one sentence: what, where, what next.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::ErrorCode;
use tabiya_engine::record::chain::SealError;
use tabiya_engine::record::json::JsonError;

use super::vault::KeyError;
use super::{FORM, MatchId};

/// A failure of the file, or a refused line. Cloning is cheap: one failed commit is told to everyone
/// whose lines were in it. After any of these none of the lines it answers are in the file.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// No such file.
    #[error("{} does not exist; check the name", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A new journal would lie over an old file.
    #[error("{} is there already; open it to go on, or choose another name", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another program's file, or no journal at all.
    #[error("{} is not a Tabiya record; choose another file", .path.display())]
    NotARecord {
        /// The file.
        path: PathBuf,
    },
    /// Written by a version that knows more.
    #[error("{} was written by a newer Tabiya (form {form}, this one knows {FORM}); update the program to open it", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its form.
        form: i64,
    },
    /// The file, its folder or the whole disk may not be written.
    #[error("{} may not be written; ask for permission there, or choose another folder", .path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// It was left in mid-evening, and its folder may not be written.
    #[error("{} was not closed, and its folder may not be written; copy it with the -wal file beside it to another folder and open it there", .path.display())]
    Unclosed {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("the disk of {} is full and nothing was added; make room, then try again", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// There was no room to close it into one file.
    #[error("the disk of {} is full; every line is safe in it and the -wal file beside it: make room, then open and close it once more before you copy it", .path.display())]
    NotFolded {
        /// The file.
        path: PathBuf,
    },
    /// The bytes on the disk are not what was written.
    #[error("{} is damaged; leave it as it is, and save what can be read into a new file with `tabiya salvage`", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else writes it.
    #[error("{} is being written by another program{}, which goes on; close it there, or open the file for reading only", .path.display(), who(*.process))]
    Busy {
        /// The file.
        path: PathBuf,
        /// Who holds it, if they say.
        process: Option<u32>,
    },
    /// The file system cannot do what durability needs.
    #[error("the folder of {} keeps no write-ahead log (it answers {mode}), as network folders do; choose a folder on this computer", .path.display())]
    NoLog {
        /// The file.
        path: PathBuf,
        /// What it keeps instead.
        mode: String,
    },
    /// The file has no such match.
    #[error("{} has no match {id}; list its matches", .path.display())]
    NoMatch {
        /// The file.
        path: PathBuf,
        /// The match asked for.
        id: MatchId,
    },
    /// A line that the journal does not take. Nothing of its batch was taken.
    #[error("line {nth} of what was to be added cannot stand in the record")]
    Refused {
        /// Which line of the batch, counted from 1; 0 for the batch as a whole or a header.
        nth: usize,
        /// Why.
        source: Refusal,
    },
    /// Anything else that the operating system says.
    #[error("{} could not be {doing}; look after the disk, then try again", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was being done: "read", "locked".
        doing: &'static str,
        /// What it said.
        source: Arc<io::Error>,
    },
    /// Anything else that SQLite says.
    #[error("{} could not be read or written; look after the disk, then try again", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: Arc<rusqlite::Error>,
    },
    /// Cards that are known, but no place for the key that seals them.
    #[error("cards that a reader knows are sealed in the record, and no place for their key is known here")]
    NoKeys,
    /// The key that seals cards cannot be had.
    #[error("{source}; without the key dealt cards cannot be sealed")]
    NoKey {
        /// What is wrong with it.
        source: KeyError,
    },
    /// The system has no chance for salts, so a card could not be sealed.
    #[error("this computer gives no random numbers, so cards cannot be sealed")]
    NoChance,
    /// The thread that writes is gone.
    #[error("the journal is closed; open it again")]
    Closed,
}

/// Why a line is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// No JSON.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// JSON, but no object.
    #[error("a line is an object")]
    NotAnObject,
    /// A header without the number of its form.
    #[error("a header begins with \"tabiya\" and a number")]
    NotAHeader,
    /// The moment in the line and the one beside it differ, or it names none.
    #[error("the line's own t is not {t}")]
    OtherMoment {
        /// The moment beside the line.
        t: u64,
    },
    /// A moment that no JSON number holds exactly.
    #[error("{t} ms is later than a record can name")]
    TooLate {
        /// The moment.
        t: u64,
    },
    /// A line that is earlier than the one before it.
    #[error("{t} ms lies before the last line, {last} ms")]
    TimeGoesBack {
        /// The moment.
        t: u64,
        /// The last line's.
        last: u64,
    },
    /// The cards do not fit their seals.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The line brings an `x-hash` from somewhere else.
    #[error("the line's x-hash does not follow from what stands before it")]
    OtherHash,
    /// Written for a record that ended elsewhere: what should stand before is missing.
    #[error("the line belongs after {wanted} lines, but the record has {stand}")]
    OtherPlace {
        /// How many lines should stand before.
        wanted: u64,
        /// How many do.
        stand: u64,
    },
    /// Two matches of one name.
    #[error("a match with the id {uid} is in the file already")]
    SameUid {
        /// The name.
        uid: String,
    },
}

fn who(process: Option<u32>) -> String {
    process.map(|process| format!(" (process {process})")).unwrap_or_default()
}

impl JournalError {
    /// Whether cards could not be sealed, though the file itself can be written.
    pub fn is_about_keys(&self) -> bool {
        matches!(self, Self::NoKeys | Self::NoKey { .. } | Self::NoChance)
    }

    pub(super) fn refused(nth: usize, why: impl Into<Refusal>) -> Self {
        Self::Refused { nth, source: why.into() }
    }

    /// What SQLite said, as a sentence about `path`.
    pub(super) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path, process: None },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path },
            _ => match error {
                // Bytes that are no UTF-8 or no number where the form has one.
                rusqlite::Error::Utf8Error(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..) => Self::Damaged { path },
                other => Self::Sqlite { path, source: Arc::new(other) },
            },
        }
    }

    /// What the operating system said, as a sentence about `path`.
    pub(super) fn io(path: &Path, doing: &'static str, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::AlreadyExists => Self::Exists { path },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            _ => Self::Io { path, doing, source: Arc::new(error) },
        }
    }
}
