//! The errors of a journal. Each message says what is wrong, with which file, and what to do next.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::ErrorCode;
use tabiya_engine::record::chain::SealError;
use tabiya_engine::record::json::JsonError;
use tabiya_types::shown;

use super::form::{FORM, MatchId};
use super::vault::KeyError;
use crate::platform;

/// A failure of the file, or a refused line. After any of these errors no line of the failed call is in the file.
/// Cloning is cheap, because the error of one failed commit is sent to everybody whose lines were in that commit.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// The file does not exist.
    #[error("{} does not exist; check the name", shown(.path))]
    Missing {
        /// The path of the file.
        path: PathBuf,
    },
    /// The name of a folder leads to something else.
    #[error("{} is a file and no folder; name a folder", shown(.path))]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// A file with the name of the new journal exists already.
    #[error("{} already exists; open this record to continue it, or choose another name", shown(.path))]
    Exists {
        /// The path of the file.
        path: PathBuf,
    },
    /// There is no such file, but a log of one that had this name. SQLite would read it into a new file.
    #[error("there is no {}, but {}, the log of a record that had this name, which may hold lines that are nowhere else; put that record back beside it, move the log to another folder, or choose another name", shown(.path), shown(.log))]
    LogLeft {
        /// The path of the file.
        path: PathBuf,
        /// The log.
        log: PathBuf,
    },
    /// The name belongs to a part of another record.
    #[error("{} ends with `{ending}`, as parts of other records do; choose another name", shown(.path))]
    Reserved {
        /// The path of the file.
        path: PathBuf,
        /// The reserved ending.
        ending: &'static str,
    },
    /// The file is not a journal.
    #[error("{} is not a Tabiya record; choose another file", shown(.path))]
    NotARecord {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file was written by a newer version of Tabiya.
    #[error("{} was written by a newer version of Tabiya (the file has format {form}, this version reads format {FORM}); update the program to open it", shown(.path))]
    Newer {
        /// The path of the file.
        path: PathBuf,
        /// The version of the file's format.
        form: i64,
    },
    /// The file, its folder or the whole disk is not writable.
    #[error("{} is not writable; get permission to write there, or choose another folder", shown(.path))]
    ReadOnly {
        /// The path of the file.
        path: PathBuf,
    },
    /// This user may not read the file.
    #[error("{} may not be read by you; get permission to read it, or ask its owner for a copy", shown(.path))]
    NotReadable {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file was deleted or replaced while it was open, or its write-ahead log was. Nothing is lost: the journal goes
    /// on in a new file, which has all lines. The call that failed can be repeated.
    #[error("{} was removed, replaced or overwritten while it was open; all lines are saved in {}, and the record goes on there", shown(.path), shown(.new))]
    Moved {
        /// The path under which the journal was opened.
        path: PathBuf,
        /// The path of the new file.
        new: PathBuf,
    },
    /// The file was overwritten or cut while it was open, or its write-ahead log was.
    #[error("{} was overwritten or cut while it was open; keep it and the -wal file beside it as they are, and save what can be read with `tabiya salvage`", shown(.path))]
    Overwritten {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file has a second name (a hard link), under which another program could open it at the same time.
    #[error("{} has a second name (a hard link), so another program could write it at the same time; copy it, and open the copy", shown(.path))]
    TwoNames {
        /// The path of the file.
        path: PathBuf,
    },
    /// The journal was not closed, and its folder is not writable.
    #[error("{} was not closed, and its folder is not writable; copy it together with the -wal file beside it to another folder, and open the copy", shown(.path))]
    Unclosed {
        /// The path of the file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("the disk of {} is full and nothing was added; make room, then try again", shown(.path))]
    Full {
        /// The path of the file.
        path: PathBuf,
    },
    /// The disk had no room to merge the write-ahead log into the file.
    #[error("the disk of {} is full, but no line is lost: all lines are in this file and the -wal file beside it; make room, then open and close the record once more before you copy it", shown(.path))]
    NotFolded {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("{} is damaged; leave it as it is, and save what can be read into a new file with `tabiya salvage`", shown(.path))]
    Damaged {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file has no match, and its log is not beside it.
    #[error("{} alone has no match; if it was copied while a table was writing it, its lines are in {}-wal, which belongs to it and is not there: copy both files, or put that one back beside it", tabiya_types::shown(.path), name(.path))]
    Alone {
        /// The path of the file.
        path: PathBuf,
    },
    /// The tables of the file are not those of a journal.
    #[error("{} has other tables than a Tabiya record, so lines could be lost in it; save what can be read into a new file with `tabiya salvage`", shown(.path))]
    OtherTables {
        /// The path of the file.
        path: PathBuf,
    },
    /// Another program is writing the file.
    #[error("{} is being written by another program{}; close the file there, or open it for reading only", shown(.path), who(*.process))]
    Busy {
        /// The path of the file.
        path: PathBuf,
        /// The process id of the other program, if known.
        process: Option<u32>,
    },
    /// The name of the lock belongs to a link, or to a file that is no lock.
    #[error("{} cannot be opened: {} is no lock of Tabiya's but a link or somebody's own file; move it away, or choose another name", shown(.path), shown(.lock))]
    LockTaken {
        /// The path of the journal.
        path: PathBuf,
        /// The path of its lock.
        lock: PathBuf,
    },
    /// The file system cannot keep a write-ahead log, which durability needs.
    #[error("the folder of {} cannot keep a write-ahead log (SQLite answers {mode}), perhaps because it is on a network; choose a folder on this computer", shown(.path))]
    NoLog {
        /// The path of the file.
        path: PathBuf,
        /// The journal mode that SQLite reports instead of a write-ahead log.
        mode: String,
    },
    /// The file has no such match.
    #[error("{} has no match {id}; choose another match", shown(.path))]
    NoMatch {
        /// The path of the file.
        path: PathBuf,
        /// The number of the match that was requested.
        id: MatchId,
    },
    /// The journal refused a line. Nothing of the line's batch was added.
    #[error("line {nth} of the lines to be added was refused")]
    Refused {
        /// The number of the line in the batch, from 1; 0 for the batch as a whole or for a header.
        nth: usize,
        /// Why the line was refused.
        source: Refusal,
    },
    /// The second copy of the record lacks its last lines.
    #[error("the copy of the record in {} lacks the last {behind} lines; carry the match on with this folder when its disk is back, or copy the record there", shown(.folder))]
    CopyBehind {
        /// The folder of the copy.
        folder: PathBuf,
        /// How many lines are missing.
        behind: u64,
    },
    /// The second copy of the record would be beside the record.
    #[error("the record is in {} already; name another folder for its copy", shown(.folder))]
    CopyBeside {
        /// The folder of both.
        folder: PathBuf,
    },
    /// A line of the record does not have the hash that is written beside it, so its copy does not take it.
    #[error("line {seq} of {} does not follow from the lines before it; check the record with `tabiya verify`", shown(.path))]
    DoesNotFollow {
        /// The record.
        path: PathBuf,
        /// The line's place in its match, from 1.
        seq: u64,
    },
    /// A head of the record could not be signed. The record itself is written.
    #[error("the signed heads of the record cannot be written to {}: {source}", shown(.file))]
    NotSigned {
        /// The file of heads.
        file: PathBuf,
        /// The operating system's error.
        source: Arc<io::Error>,
    },
    /// Any other error of the operating system.
    #[error("{} could not be {doing}; check the disk, then try again", shown(.path))]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// What could not be done with the file, as a participle: "read", "locked".
        doing: &'static str,
        /// The operating system's error.
        source: Arc<io::Error>,
    },
    /// Any other error of SQLite.
    #[error("{} could not be read or written; check the disk, then try again", shown(.path))]
    Sqlite {
        /// The path of the file.
        path: PathBuf,
        /// SQLite's error.
        source: Arc<rusqlite::Error>,
    },
    /// A deal has known cards, but the journal has no store for the key that encrypts them.
    #[error(
        "cards that were dealt over a reader must be sealed in the record, but there is no place to keep the key that seals them"
    )]
    NoKeys,
    /// The key that encrypts sealed cards is not available.
    #[error("{source}; without the key, dealt cards cannot be sealed")]
    NoKey {
        /// What is wrong with the key.
        source: KeyError,
    },
    /// The system provides no random numbers, so a card could not be sealed.
    #[error("this computer provides no random numbers, so cards cannot be sealed")]
    NoRandomNumbers,
    /// The thread that writes the journal has ended.
    #[error("the journal is closed; open it again")]
    Closed,
}

/// Why the journal refuses a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The line is not JSON.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The line is JSON, but not an object.
    #[error("a line must be a JSON object")]
    NotAnObject,
    /// The match's unique name is too long.
    #[error("the `id` of a match has at most 4096 bytes")]
    LongUid,
    /// A header has no format number.
    #[error("a header must begin with \"tabiya\" and a number")]
    NotAHeader,
    /// The `t` in the line is missing, or differs from the moment that the sender passed with the line.
    #[error("the `t` in the line is not {t} ms")]
    OtherMoment {
        /// The moment that the sender passed with the line, in ms.
        t: u64,
    },
    /// The moment is too large to be an exact JSON number.
    #[error("{t} ms is later than a record allows")]
    TooLate {
        /// The moment, in ms.
        t: u64,
    },
    /// The line's moment is before the moment of the preceding line.
    #[error("{t} ms is before the last line, which is at {last} ms")]
    TimeGoesBack {
        /// The line's moment, in ms.
        t: u64,
        /// The moment of the last line in the match, in ms.
        last: u64,
    },
    /// The cards do not fit their seals.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The line has an `x-hash` that differs from the hash computed here.
    #[error("the line's x-hash does not follow from the lines before it")]
    OtherHash,
    /// The sender expects a certain number of lines in the match, but the match has more or fewer.
    #[error("{wanted} lines should come before this line, but the match has {stand}")]
    OtherPlace {
        /// How many lines the sender expects in the match.
        wanted: u64,
        /// How many lines the match has.
        stand: u64,
    },
    /// The file already has a match with this id.
    #[error("the file already has a match with the id {uid}")]
    SameUid {
        /// The id that both matches have.
        uid: String,
    },
}

/// A file's name without its folder.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether SQLite could not enlarge the index of the log (the `-shm` file), which it does where that has no room.
fn is_of_index(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}

fn who(process: Option<u32>) -> String {
    process.map(|process| format!(" (process {process})")).unwrap_or_default()
}

impl JournalError {
    /// Whether the error concerns only the sealing of cards. After such an error, lines without sealed cards can
    /// still be written.
    pub fn is_about_keys(&self) -> bool {
        matches!(self, Self::NoKeys | Self::NoKey { .. } | Self::NoRandomNumbers)
    }

    /// Whether the form of a line was refused: another try would be refused, too.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }

    pub(super) fn refused(nth: usize, why: impl Into<Refusal>) -> Self {
        Self::Refused { nth, source: why.into() }
    }

    /// Converts an error of SQLite to an error about `path`.
    pub(super) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path },
            // SQLite has no word of its own for a full disk where it enlarges the index of the log, and where it syncs.
            Some(ErrorCode::SystemIoFailure) if is_of_index(&error) || platform::is_disk_full(&path) => {
                Self::Full { path }
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path, process: None },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path },
            _ => match error {
                // These errors mean that the file is damaged: it contains a text that is not UTF-8, or a value
                // whose type or range the format does not allow.
                rusqlite::Error::Utf8Error(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..) => Self::Damaged { path },
                other => Self::Sqlite { path, source: Arc::new(other) },
            },
        }
    }

    /// Converts an error of the operating system to an error about `path`.
    pub(crate) fn io(path: &Path, doing: &'static str, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::AlreadyExists => Self::Exists { path },
            io::ErrorKind::PermissionDenied if doing == "read" => Self::NotReadable { path },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            _ => Self::Io { path, doing, source: Arc::new(error) },
        }
    }
}
