//! The journal: one file for an evening, with any number of matches; each line is durable once it is appended.
//!
//! An SQLite database with a write-ahead log and a sync at every commit: when [`Journal::append`] returns, the lines
//! survive a power cut. Recorded lines are never changed: triggers in the file itself refuse that to every program. One
//! program writes the file; any number can read it at the same time.
//!
//! The journal stores lines as text and chains them by hashes (`chain.rs`). It does not interpret them.
//!
//! Sources: `docs/record-chain.md`, "The file"; sqlite.org (`wal.html`, `fileformat2.html`).
//! Checked by: `tests/program/journal_crash.rs`. Not tried: a real power cut, network folders.
#![warn(clippy::indexing_slicing)]
#![expect(clippy::disallowed_methods, reason = "salts and made-up names come from the system")]

mod creating;
mod error;
mod form;
mod held;
mod keeping;
mod leftovers;
mod lock;
mod noting;
pub(crate) mod place;
mod reader;
mod rescue;
mod salvage;
mod settled;
pub mod vault;
mod wal;
mod writer;

#[cfg(test)]
pub(crate) mod pretender;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde_json::Value;
use tabiya_engine::record::chain::{self, Head, SALT_BYTES};
use tabiya_engine::record::json;
use tabiya_engine::record::proof::HeadSignature;
use tabiya_types::LAST_MOMENT;

use self::creating::{clear, draft_of, keep_log, write_empty};
pub use self::error::{JournalError, Refusal};
pub use self::form::{Batch, JournalEntry, MatchId, MatchInfo, NewEntry, Store};
use self::form::{QUICK_CHECK, SQLITE_MAGIC, Tip, Trail, signed};
use self::held::{Held, is_held};
pub(crate) use self::keeping::say_elsewhere;
use self::lock::{Lock, beside};
use self::place::FilePlace;
pub use self::reader::JournalReader;
use self::reader::{must_exist, own_schema, schema};
pub use self::rescue::{Rescue, Rescued, rescue};
pub use self::salvage::{OnPages, Salvaged, SalvagedLine, SalvagedMatch, on_pages, salvage, salvage_law};
pub use self::settled::settled;
use self::vault::{KeyError, KeyStore, NONCE_BYTES};
pub use self::writer::{JournalWriter, Ticket};
use super::heads::{self, Signer};
use super::notes::MatchName;
use super::verbs::decides;
use crate::platform::{self, sync_folder};

/// The longest unique name of a match, in bytes.
const LONGEST_UID: usize = 1 << 12;
/// How long a line waits for another program's lock. After that the table is told, and tries again by itself.
const WRITE_PATIENCE: Duration = Duration::from_millis(250);
/// The log is merged into the file at a heartbeat after so many heartbeats without a line, or after so many lines, so that
/// a copy of the file alone misses little.
const QUIET_BEATS: u32 = 3;
const MOST_IN_LOG: u32 = 100;
/// The same without a heartbeat, for lines that come in a flood.
const MOST_LINES: u32 = 1_000;
/// The same for heartbeats without lines, so that a long pause does not let the log grow.
const MOST_COMMITS: u32 = 600;
/// The kind of a record's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// An SQLite database, presumably a journal.
    Journal,
    /// Anything else, presumably lines of text.
    Lines,
}

/// Determines from the first bytes of a file whether the file is a journal or lines of text. A journal that this process
/// has open is known without a look.
pub fn sniff(path: &Path) -> Result<FileKind, JournalError> {
    if is_held(path) {
        return Ok(FileKind::Journal);
    }
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(SQLITE_MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(|error| JournalError::io(path, "read", error))?;
    Ok(if start == SQLITE_MAGIC { FileKind::Journal } else { FileKind::Lines })
}

/// The error of a journal without a match: often only the file was copied, without the log that belongs to it. `None` if a
/// log is beside it.
pub fn without_log(path: &Path) -> Option<JournalError> {
    (!beside(path, "-wal").exists()).then(|| JournalError::Alone { path: path.to_owned() })
}

/// The log, or a part of it, that a journal with this name left behind; `None` if the file is there, or nothing is left.
pub fn left_log(path: &Path) -> Option<PathBuf> {
    let there = |path: &PathBuf| path.symlink_metadata().is_ok();
    let parts = ["-wal", "-journal", "-shm"].map(|ending| beside(path, ending));
    parts.into_iter().find(there).filter(|_| !there(&path.to_owned()))
}

/// A journal opened for writing; no other process can write it.
#[derive(Debug)]
pub struct Journal {
    reader: JournalReader,
    /// The end of each match's hash chain.
    tips: BTreeMap<MatchId, Tip>,
    /// The store of keys for sealed cards; with `None` a deal with known cards is refused.
    keys: Option<Box<dyn KeyStore>>,
    /// Signs the heads; `None` without a key.
    signer: Option<Signer>,
    /// For each match, the moment that was signed last.
    signed_until: BTreeMap<MatchId, u64>,
    place: FilePlace,
    /// The matches that got lines or moments since the file was opened. Closing signs their ends.
    touched: BTreeSet<MatchId>,
    /// The matches that the store of keys was asked for, and whether it follows them.
    followed: BTreeMap<MatchId, Option<Followed>>,
    /// The matches that went on after a pause: the next heartbeat signs them.
    resumed: BTreeSet<MatchId>,
    /// The matches whose earlier lines are in doubt: nothing of them is signed or noted until the arbiter rules.
    doubted: BTreeSet<MatchId>,
    log: LogState,
    /// The lock against other writers. It is dropped last, so that no other program can open the file for writing
    /// before this program has closed the file.
    _lock: Lock,
}

/// What stands in the log and not yet in the file.
#[derive(Clone, Copy, Default, Debug)]
struct LogState {
    lines: u32,
    commits: u32,
    /// How many heartbeats have come since the last line.
    quiet: u32,
}

impl LogState {
    /// Whether the log should be merged into the file now.
    fn is_due(self) -> bool {
        self.lines >= MOST_IN_LOG
            || self.commits >= MOST_COMMITS
            || (self.lines > 0 && self.quiet >= QUIET_BEATS)
    }
}

/// A match whose progress the store of keys notes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Followed {
    of: MatchName,
    /// The hash that was noted last; `None` before this journal's first note.
    noted: Option<Head>,
    /// The newest moment of a line or of a heartbeat, in ms since the match began.
    t: u64,
}

/// A line that has been checked, sealed and hashed, and is ready to be written.
struct Ready {
    id: MatchId,
    tip: Tip,
    line: String,
}

impl Journal {
    /// Creates an empty journal. The file appears only when it is complete. `Err` if a file with this name exists, or a log
    /// that belongs to another file of this name.
    pub fn create(path: &Path) -> Result<Self, JournalError> {
        if let Some(ending) = ["-wal", "-shm", "-journal", ".lock", ".heads"]
            .iter()
            .find(|end| path.to_string_lossy().ends_with(**end))
        {
            return Err(JournalError::Reserved { path: path.to_owned(), ending });
        }
        let lock = Lock::take(path)?;
        if path.symlink_metadata().is_ok() {
            return Err(JournalError::Exists { path: path.to_owned() });
        }
        if let Some(log) = left_log(path) {
            return Err(JournalError::LogLeft { path: path.to_owned(), log });
        }
        leftovers::remove(path);
        let draft = draft_of(path)?;
        let made = write_empty(&draft, path).and_then(|()| {
            let named = fs::rename(&draft, path).and_then(|()| sync_folder(path));
            named.map_err(|error| JournalError::io(path, "made", error))
        });
        clear(&draft);
        made?;
        Self::begin(path, lock)
    }

    /// Opens a journal for writing. Lines that were not completely written before a crash are dropped; they were never
    /// acknowledged. Damage is reported, not repaired.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        must_exist(path)?;
        if platform::has_two_names(path) {
            return Err(JournalError::TwoNames { path: path.to_owned() });
        }
        let lock = Lock::take(path)?;
        leftovers::remove(path);
        Self::begin(path, lock)
    }

    /// Opens a journal for reading; another program may be writing it.
    pub fn open_read(path: &Path) -> Result<JournalReader, JournalError> {
        JournalReader::open(path)
    }

    fn begin(path: &Path, lock: Lock) -> Result<Self, JournalError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let held = Held::note(path);
        let conn =
            Connection::open_with_flags(path, flags).map_err(|error| JournalError::sqlite(path, error))?;
        let reader = JournalReader { conn, path: path.to_owned(), held };
        if reader.run(|conn| conn.is_readonly("main"))? {
            return Err(JournalError::ReadOnly { path: path.to_owned() });
        }
        reader.prepare()?;
        if reader.run(schema)? != *own_schema() {
            return Err(JournalError::OtherTables { path: path.to_owned() });
        }
        keep_log(&reader.conn, path)?;
        reader.run(|conn| conn.busy_timeout(WRITE_PATIENCE))?;
        if !reader.passes(QUICK_CHECK)? {
            return Err(JournalError::Damaged { path: path.to_owned() });
        }
        let (tips, place) = (reader.tips()?, FilePlace::of(path));
        Ok(Self {
            tips,
            keys: None,
            followed: BTreeMap::new(),
            resumed: BTreeSet::new(),
            doubted: BTreeSet::new(),
            signer: None,
            signed_until: BTreeMap::new(),
            reader,
            place,
            touched: BTreeSet::new(),
            log: LogState::default(),
            _lock: lock,
        })
    }

    /// Merges the log into the file, as far as no reader needs it. A failure loses nothing: the log stays, and the next
    /// heartbeat tries again.
    fn fold_log(&mut self) {
        let folded =
            self.reader.conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, i64>(0));
        if folded.is_ok_and(|busy| busy == 0) {
            self.log = LogState::default();
        }
        self.place.note_both();
    }

    /// Begins a match with this unique name, which it already has elsewhere.
    pub fn begin_again(&mut self, header: &str, uid: &str) -> Result<MatchId, JournalError> {
        self.insert_match(header, Some(uid))
    }

    /// Sets the keys with which the known cards of a deal are encrypted.
    #[must_use]
    pub fn with_keys(mut self, keys: impl KeyStore + 'static) -> Self {
        self.keys = Some(Box::new(keys));
        self
    }

    /// Signs the heads of this journal's matches with this signer from now on.
    #[must_use]
    pub fn with_signer(mut self, signer: Signer) -> Self {
        self.signer = Some(signer);
        self
    }

    fn insert_match(&mut self, header: &str, uid: Option<&str>) -> Result<MatchId, JournalError> {
        let line = object(header, 0)?;
        if !line.get("tabiya").is_some_and(Value::is_number) {
            return Err(JournalError::refused(0, Refusal::NotAHeader));
        }
        let text = |key| line.get(key).and_then(Value::as_str);
        let uid = uid.or(text("id")).map_or_else(made_up, |id| Ok(id.to_owned()))?;
        let head = Head::of_header(&line);
        unmarked(&line, head, 0)?;
        if uid.len() > LONGEST_UID {
            return Err(JournalError::refused(0, Refusal::LongUid));
        }
        let taken = self.reader.run(|conn| {
            conn.query_row(r#"SELECT id FROM "match" WHERE uid = ?1"#, [&uid], |_| Ok(())).optional()
        })?;
        if taken.is_some() {
            return Err(JournalError::refused(0, Refusal::SameUid { uid }));
        }
        let id = MatchId(self.tips.keys().next_back().map_or(0, |last| last.0) + 1);
        let stored = without_hash(line.clone()).to_string();
        self.keep_place()?;
        self.reader.run(|conn| {
            conn.execute(
                r#"INSERT INTO "match" (id, uid, header, begun, hash) VALUES (?1, ?2, ?3, ?4, ?5)"#,
                params![id.0, uid, stored, text("start"), head.bytes()],
            )
        })?;
        self.tips.insert(id, Tip { entries: 0, t: 0, head, trail: Trail::of(head) });
        self.place.note_log();
        self.touched.insert(id);
        self.note_here(id, false);
        // If the signature cannot be kept, the next moment tries again and reports it.
        let _ = self.sign_head(id, false);
        Ok(id)
    }

    /// Adds lines to a match in one transaction; the known cards of a deal are sealed and encrypted first. After `Ok`
    /// the lines are durable; after `Err` none of them is in the file, and the caller may try again.
    pub fn append(&mut self, id: MatchId, entries: &[NewEntry]) -> Result<Head, JournalError> {
        let batch = Batch { id, after: None, entries: entries.to_vec() };
        self.append_all(&[batch]).pop().unwrap_or(Err(JournalError::Closed))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.reader.path
    }

    /// All matches, in the order in which they began.
    pub fn matches(&self) -> Result<Vec<MatchInfo>, JournalError> {
        self.reader.matches()
    }

    /// A match's lines with their moments, in ms since the match began.
    pub fn lines(&self, id: MatchId) -> Result<Vec<(u64, String)>, JournalError> {
        self.reader.lines(id)
    }

    /// The reader of this journal.
    pub fn reader(&self) -> &JournalReader {
        &self.reader
    }

    /// Merges the write-ahead log into the file and closes the file. The file alone can then be copied. Without this
    /// call nothing is lost: the file and the `-wal` file beside it are complete together.
    ///
    /// If the file was removed or replaced, all lines are saved in a new file first, and the result is
    /// [`JournalError::Moved`].
    pub fn close(mut self) -> Result<(), JournalError> {
        let old = self.reader.path.clone();
        let kept = self.keep_place();
        if matches!(kept, Err(JournalError::Moved { .. })) {
            self.say_continues(&old);
        }
        let touched: Vec<MatchId> =
            self.signer.as_ref().map_or(Vec::new(), |_| self.touched.iter().copied().collect());
        let signed = touched.into_iter().try_for_each(|id| self.sign_head(id, false).map(|_| ()));
        let Self { reader: JournalReader { conn, path, held }, _lock: lock, .. } = self;
        // If another process is reading the log, the log stays. That is not an error.
        let folded = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let closed = conn.close().map_err(|(_, error)| error);
        drop((held, lock));
        folded.and(closed).map_err(|error| match JournalError::sqlite(&path, error) {
            JournalError::Full { path } => JournalError::NotFolded { path },
            other => other,
        })?;
        kept.and(signed)
    }

    /// Checks whether the lines of a batch may follow the last line of their match, and prepares them for writing. Then
    /// sets the match's entry in `tips` to the end of its hash chain after the batch.
    fn ready(&self, batch: &Batch, tips: &mut BTreeMap<MatchId, Tip>) -> Result<Vec<Ready>, JournalError> {
        let id = batch.id;
        let known = tips.get(&id).or_else(|| self.tips.get(&id));
        let Some(mut tip) = known.copied() else {
            return Err(JournalError::NoMatch { path: self.reader.path.clone(), id });
        };
        if let Some(wanted) = batch.after.filter(|wanted| *wanted != tip.entries) {
            return Err(JournalError::refused(0, Refusal::OtherPlace { wanted, stand: tip.entries }));
        }
        let mut ready = Vec::with_capacity(batch.entries.len());
        for (nth, entry) in batch.entries.iter().enumerate() {
            let (next, line) = follow(tip, entry, nth + 1)?;
            tip = next;
            let line = if vault::is_open(&line) { self.closed(id, line)? } else { line };
            ready.push(Ready { id, tip, line: line.to_string() });
        }
        tips.insert(id, tip);
        Ok(ready)
    }

    /// Encrypts the cards of a sealed line with the match's key.
    fn closed(&self, id: MatchId, line: Value) -> Result<Value, JournalError> {
        let keys = self.keys.as_ref().ok_or(JournalError::NoKeys)?;
        let (_, header) = self.reader.header(id)?;
        let no_key = |source| JournalError::NoKey { source };
        let sealer = match keys.sealer(header).map_err(no_key)? {
            Some(sealer) => sealer,
            // A match has only one key. If the match has sealed cards already, their key must be found, and no new key
            // is made.
            None if self.reader.lines(id)?.iter().any(|(_, line)| json::may_have(line, vault::BOX)) => {
                return Err(no_key(keys.missing(header)));
            }
            None => keys.make(header).map_err(no_key)?,
        };
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|_| JournalError::NoRandomNumbers)?;
        vault::close(line, &sealer, nonce).map_err(|source| no_key(KeyError::Box { line: 0, source }))
    }

    fn write(&mut self, lines: &[Ready]) -> rusqlite::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let transaction =
            self.reader.conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        {
            let mut insert = transaction.prepare_cached(
                r#"INSERT INTO entry (id, "match", seq, t, line, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"#,
            )?;
            for Ready { id, tip, line } in lines {
                let (seq, t) = (signed(tip.entries), signed(tip.t));
                insert.execute(params![id.key(seq), id.0, seq, t, line, tip.head.bytes()])?;
            }
        }
        transaction.commit()
    }
}

impl Store for Journal {
    fn begin_match(&mut self, header: &str) -> Result<MatchId, JournalError> {
        self.insert_match(header, None)
    }

    fn append_all(&mut self, batches: &[Batch]) -> Vec<Result<Head, JournalError>> {
        let mut tips = BTreeMap::new();
        let mut lines = Vec::new();
        let mut answers: Vec<Result<Head, JournalError>> = Vec::with_capacity(batches.len());
        for batch in batches {
            let ready = self.ready(batch, &mut tips);
            answers.push(ready.map(|ready| {
                lines.extend(ready);
                tips.get(&batch.id).map_or(Head::from_bytes([0; 32]), |tip| tip.head)
            }));
        }
        let deciding: BTreeSet<MatchId> =
            lines.iter().filter(|ready| decides(&ready.line)).map(|ready| ready.id).collect();
        let written = self.keep_place().and_then(|()| {
            // Noted before they are written, so that a kill in between leaves no doubt about them.
            for id in &deciding {
                self.note_progress(*id, 0, tips.get(id).map(|tip| tip.head), true);
            }
            self.write(&lines).map_err(|error| JournalError::sqlite(&self.reader.path, error))
        });
        match written {
            Ok(()) => {
                for (id, tip) in tips {
                    self.tips.insert(id, tip);
                    self.touched.insert(id);
                    self.note_head(id, tip.t, deciding.contains(&id));
                }
                self.place.note_log();
                self.log.lines = self.log.lines.saturating_add(count(&lines));
                self.resumed
                    .extend(lines.iter().filter(|ready| is_resume(&ready.line)).map(|ready| ready.id));
                (self.log.commits, self.log.quiet) = (self.log.commits.saturating_add(1), 0);
                if self.log.lines >= MOST_LINES {
                    self.fold_log();
                }
            }
            Err(error) => {
                for answer in answers.iter_mut().filter(|answer| answer.is_ok()) {
                    *answer = Err(error.clone());
                }
            }
        }
        answers
    }

    fn moment(&mut self, id: MatchId, t: u64) -> Result<(), JournalError> {
        if t > LAST_MOMENT {
            return Err(JournalError::refused(0, Refusal::TooLate { t }));
        }
        if !self.tips.contains_key(&id) {
            return Err(JournalError::NoMatch { path: self.reader.path.clone(), id });
        }
        self.keep_place()?;
        let again = self.sign_again(id);
        if again.is_err() && t > self.signed_until.get(&id).copied().unwrap_or(0) + heads::PACE {
            // A moment so long after the last signed one could not be told from a changed one.
            return again;
        }
        self.reader.run(|conn| {
            conn.prepare_cached(
                r#"INSERT INTO moment ("match", t) VALUES (?1, ?2)
                   ON CONFLICT ("match") DO UPDATE SET t = max(t, excluded.t)"#,
            )?
            .execute(params![id.0, signed(t)])
        })?;
        self.place.note_log();
        self.log.commits = self.log.commits.saturating_add(1);
        self.log.quiet = self.log.quiet.saturating_add(1);
        if self.log.is_due() {
            self.fold_log();
        }
        self.touched.insert(id);
        self.note_head(id, t, false);
        let at_pace = !self.resumed.remove(&id);
        again.and(self.sign_head(id, at_pace).map(|_| ()))
    }

    fn vouch(&mut self, id: MatchId) -> Result<(), JournalError> {
        self.doubted.remove(&id);
        self.note_here(id, true);
        self.sign_head(id, false).map(|_| ())
    }

    fn sign(&mut self, id: MatchId) -> Result<Option<HeadSignature>, JournalError> {
        self.sign_head(id, false)
    }

    fn read(&self, id: MatchId) -> Result<Vec<JournalEntry>, JournalError> {
        self.reader.entries(id)
    }
}

/// Checks one line, adds its seals, and computes its hash. `nth` is the line's place in the batch; errors contain this
/// place.
fn follow(tip: Tip, entry: &NewEntry, nth: usize) -> Result<(Tip, Value), JournalError> {
    let refuse = |why: Refusal| Err(JournalError::refused(nth, why));
    let line = object(&entry.line, nth)?;
    let t = entry.t;
    if t > LAST_MOMENT {
        return refuse(Refusal::TooLate { t });
    }
    if line.get("t").and_then(Value::as_u64) != Some(t) {
        return refuse(Refusal::OtherMoment { t });
    }
    if t < tip.t {
        return refuse(Refusal::TimeGoesBack { t, last: tip.t });
    }
    let line = sealed(line)?;
    chain::check_seals(&line).map_err(|why| JournalError::refused(nth, why))?;
    let head = tip.head.then(&line);
    unmarked(&line, head, nth)?;
    Ok((Tip { entries: tip.entries + 1, t, head, trail: tip.trail.then(head) }, without_hash(line)))
}

/// Whether the clocks go on with this line.
fn is_resume(line: &str) -> bool {
    line.contains(r#""do":"resume""#)
}

fn object(text: &str, nth: usize) -> Result<Value, JournalError> {
    match json::parse(text) {
        Ok(line) if line.is_object() => Ok(line),
        Ok(_) => Err(JournalError::refused(nth, Refusal::NotAnObject)),
        Err(why) => Err(JournalError::refused(nth, why)),
    }
}

/// Checks the `x-hash` of a line that comes from an export: it must equal the hash that is computed here.
fn unmarked(line: &Value, head: Head, nth: usize) -> Result<(), JournalError> {
    match line.get("x-hash") {
        Some(mark) if mark.as_str() != Some(head.to_string().as_str()) => {
            Err(JournalError::refused(nth, Refusal::OtherHash))
        }
        _ => Ok(()),
    }
}

fn without_hash(mut line: Value) -> Value {
    if let Value::Object(members) = &mut line {
        members.shift_remove("x-hash");
    }
    line
}

/// Adds a seal for each known card if this line is a deal without seals. Any other line, and a deal that has seals
/// already, is returned unchanged.
pub fn sealed(line: Value) -> Result<Value, JournalError> {
    let mut filled = true;
    let line = chain::seal(line, &mut || {
        let mut salt = [0; SALT_BYTES];
        filled &= getrandom::fill(&mut salt).is_ok();
        salt
    });
    if filled { Ok(line) } else { Err(JournalError::NoRandomNumbers) }
}

fn made_up() -> Result<String, JournalError> {
    let mut chance = [0; 8];
    getrandom::fill(&mut chance).map_err(|_| JournalError::NoRandomNumbers)?;
    Ok(format!("{:016x}", u64::from_be_bytes(chance)))
}

fn count(lines: &[Ready]) -> u32 {
    u32::try_from(lines.len()).unwrap_or(u32::MAX)
}
