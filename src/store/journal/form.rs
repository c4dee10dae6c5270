//! The form of a journal's file, and what its readers and writers pass to each other: matches, lines, the ends of their chains.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::proof::HeadSignature;

use super::error::JournalError;
use crate::notes::MatchName;

/// SQLite's application id, the letters "Tabi". It distinguishes a journal from other programs' databases.
pub(super) const APPLICATION: i64 = 0x5461_6269;
/// The version of the file format that this program writes. The program does not read newer versions.
pub(crate) const FORM: i64 = 1;
/// The bytes with which every SQLite file begins.
pub(super) const SQLITE_MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// SQLite's check of all pages, without that of indices.
pub(super) const QUICK_CHECK: &str = "PRAGMA quick_check(1)";
/// How long to wait for another program's short lock.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// A factor for computing the keys of entries: the key is the match's number times this factor, plus the entry's place
/// in the match. So one table holds all entries in order and needs no second index.
pub(super) const PER_MATCH: i64 = 1 << 32;
/// The largest number that a match may have, so that keys fit into 63 bits.
pub(super) const LAST_MATCH: i64 = (1 << 30) - 1;

pub(super) const TABLES: &str = r#"
CREATE TABLE "match" (
  id     INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1073741823),
  uid    TEXT NOT NULL UNIQUE,
  header TEXT NOT NULL,
  begun  TEXT,
  hash   BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TABLE entry (
  id    INTEGER PRIMARY KEY CHECK (id = "match" * 4294967296 + seq),
  "match" INTEGER NOT NULL REFERENCES "match" (id),
  seq   INTEGER NOT NULL CHECK (seq BETWEEN 1 AND 4294967295),
  t     INTEGER NOT NULL CHECK (t >= 0),
  line  TEXT NOT NULL,
  hash  BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TABLE moment (
  "match" INTEGER PRIMARY KEY REFERENCES "match" (id),
  t       INTEGER NOT NULL CHECK (t >= 0)
) STRICT;
CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
  BEGIN SELECT raise(ABORT, 'what was recorded stays'); END;
CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry
  BEGIN SELECT raise(ABORT, 'what was recorded stays'); END;
CREATE TRIGGER entry_comes_last BEFORE INSERT ON entry
  WHEN NEW.seq <> 1 + coalesce((SELECT seq FROM entry
    WHERE id BETWEEN NEW."match" * 4294967296 AND NEW."match" * 4294967296 + 4294967295
    ORDER BY id DESC LIMIT 1), 0)
  BEGIN SELECT raise(ABORT, 'a line comes after the last one'); END;
CREATE TRIGGER match_stays BEFORE UPDATE ON "match"
  BEGIN SELECT raise(ABORT, 'what was recorded stays'); END;
CREATE TRIGGER match_is_kept BEFORE DELETE ON "match"
  BEGIN SELECT raise(ABORT, 'what was recorded stays'); END;
CREATE TRIGGER match_comes_last BEFORE INSERT ON "match"
  WHEN NEW.id <= coalesce((SELECT max(id) FROM "match"), 0)
  BEGIN SELECT raise(ABORT, 'a match comes after the last one'); END;
"#;

/// A match's number within its file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MatchId(pub(super) i64);

impl MatchId {
    /// The match with this number, counted from 1; `None` if the number is out of range.
    pub fn new(number: i64) -> Option<Self> {
        (1..=LAST_MATCH).contains(&number).then_some(Self(number))
    }

    /// The match's number.
    pub const fn number(self) -> i64 {
        self.0
    }

    pub(super) const fn key(self, seq: i64) -> i64 {
        self.0 * PER_MATCH + seq
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A line to be added. Its `Debug` output omits the text, which may contain cards that are not sealed yet.
#[derive(Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// The line's moment, in ms since the match began; it must equal the `t` in the line.
    pub t: u64,
    /// The line, a JSON object.
    pub line: String,
}

impl fmt::Debug for NewEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewEntry").field("t", &self.t).finish_non_exhaustive()
    }
}

/// Lines that are added together or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The match that the lines belong to.
    pub id: MatchId,
    /// The number of lines that the match must have when this batch is added; `None` if the sender does not count them.
    /// If an earlier batch could not be written, the match does not have that number, and this batch is refused.
    pub after: Option<u64>,
    /// The lines, in order.
    pub entries: Vec<NewEntry>,
}

/// A line that was read from the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalEntry {
    /// The line's place in the match, counted from 1.
    pub seq: u64,
    /// The line's moment, in ms since the match began.
    pub t: u64,
    /// The line, without `x-hash`.
    pub line: String,
    /// The hash of the chain after the line.
    pub head: Head,
}

/// What a journal contains about one match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchInfo {
    /// The match's number in this file.
    pub id: MatchId,
    /// The match's unique name: the header's `id`, or a random one.
    pub uid: String,
    /// The first line of the match.
    pub header: String,
    /// When the match began: the header's `start`, if it has one.
    pub begun: Option<String>,
    /// How many lines follow the header.
    pub entries: u64,
    /// The last line's moment, in ms since the match began.
    pub last_t: u64,
    /// The last moment that was saved separately from the lines, in ms since the match began.
    pub moment: Option<u64>,
    /// The hash of the header, with which the chain begins. It also identifies the match's key.
    pub begins: Head,
    /// The last hash of the match's hash chain: the hash after the last line.
    pub head: Head,
}

impl MatchInfo {
    /// What distinguishes the match from all others, in whatever file.
    pub fn name(&self) -> MatchName {
        MatchName { begins: self.begins, uid: self.uid.clone() }
    }
}

/// A store for records: the journal, or a fake store in tests.
pub trait Store {
    /// Begins a match. The header is durable when this returns `Ok`.
    fn begin_match(&mut self, header: &str) -> Result<MatchId, JournalError>;
    /// Adds all valid batches in one commit, and returns one answer for each batch, in order. `Ok` means that the batch
    /// is durable; `Err` means that nothing of the batch was stored.
    fn append_all(&mut self, batches: &[Batch]) -> Vec<Result<Head, JournalError>>;
    /// Saves `t`, in ms since the match began, as the current moment of the match. `Err` with
    /// [`JournalError::NotSigned`] if a signature was due and could not be kept. Then the moment is saved only if it is at
    /// most a minute after the last signed one.
    fn moment(&mut self, id: MatchId, t: u64) -> Result<(), JournalError>;
    /// Signs the newest head of the match. `None` if the store has no key to sign with. `Err` with
    /// [`JournalError::NotSigned`] if the signature cannot be kept.
    fn sign(&mut self, id: MatchId) -> Result<Option<HeadSignature>, JournalError>;
    /// Signs and notes a match from now on although its earlier lines are in doubt: the arbiter has ruled so.
    fn vouch(&mut self, id: MatchId) -> Result<(), JournalError>;
    /// All lines of a match.
    fn read(&self, id: MatchId) -> Result<Vec<JournalEntry>, JournalError>;
}

/// The end of a match's hash chain: the number of lines, the last moment, the last hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tip {
    pub(super) entries: u64,
    pub(super) t: u64,
    pub(super) head: Head,
    pub(super) trail: Trail,
}

impl Tip {
    /// The end of a match's chain. The trail still has to be walked.
    pub(super) fn of(info: &MatchInfo) -> Self {
        Self { entries: info.entries, t: info.last_t, head: info.head, trail: Trail::of(info.begins) }
    }
}

/// A hash over all hashes of a match as its rows have them. A row in another program's version changes it, even if the
/// last row is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Trail([u8; 32]);

impl Trail {
    pub(super) const fn of(begins: Head) -> Self {
        Self(*begins.bytes())
    }

    pub(super) fn then(self, head: Head) -> Self {
        Self(Sha256::new().chain_update(self.0).chain_update(head.bytes()).finalize().into())
    }
}

/// A file's name without its folder.
pub(super) fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Converts a number to SQLite's signed integer type. A number too large for that type does not occur: moments and
/// places have far lower limits, which were checked before.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
