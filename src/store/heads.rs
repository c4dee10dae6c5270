//! Signed heads: the file beside a record in which its table signs, once a minute and at each game's end, how far the
//! record had come. A record that was rewritten or shortened after a signed head is found out by anyone who has the
//! file of heads and the table's public key.
//!
//! Source: `docs/record-chain.md`, "Signed heads".
#![warn(clippy::indexing_slicing)]
#![expect(clippy::disallowed_methods, reason = "a signed head names the date of its signature")]

mod travelling;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::disk::read_bounded;
use chrono::{DateTime, SecondsFormat};
use serde_json::{Map, Value};
use tabiya_engine::record::chain::{self, Head};
use tabiya_engine::record::json;
use tabiya_engine::record::proof::HeadSignature;
use tabiya_types::harmless;

pub use self::travelling::{SignedHead, is_signed_by, keep, lines_about, newest_lines, signed_matches};
use super::disk::{open_ordinary, replace_private};
use super::signing::{PublicKey, TableKey};
use crate::platform::sync_folder;

/// The longest file of heads that is read, in bytes: the heads of 60 days, one a minute.
pub const LONGEST: u64 = 1 << 26;
/// The most lines of it that are read. What is beyond counts as not signed.
const MOST_LINES: usize = 1 << 18;
/// The length of the longest line, in bytes. A match's name has at most 4096 bytes, written with at most six signs each.
const LONGEST_LINE: u64 = 1 << 15;
/// The time of the match between two signatures, in ms.
pub const PACE: u64 = 60_000;
/// By how much a saved moment may be later than the newest signed one, in ms: the pace, and two heartbeats.
const SLACK: u64 = PACE + 2_000;

/// The name of the file of heads that belongs to a record or to an export of it: `evening.heads` for `evening.tabiya` and
/// `evening.jsonl`; for a record with another ending, `.heads` is added to the whole name.
///
/// If the record's path is a symbolic link, the heads lie beside the file to which it leads.
pub fn file_of(record: &Path) -> PathBuf {
    let linked = record.is_symlink().then(|| record.canonicalize().ok()).flatten();
    let record = linked.as_deref().unwrap_or(record);
    if let Some("tabiya" | "jsonl") = record.extension().and_then(|ending| ending.to_str()) {
        return record.with_extension("heads");
    }
    let mut name = record.as_os_str().to_owned();
    name.push(".heads");
    PathBuf::from(name)
}

/// How far a match had come when its table signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// The match's unique name.
    pub uid: String,
    /// The hash of the match's header.
    pub begins: Head,
    /// The number of lines after the header.
    pub seq: u64,
    /// The hash after the last of these lines.
    pub head: Head,
}

/// What a table signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Signed {
    Head,
    /// The moment that was saved apart from the lines, in ms since the match began.
    Moment(u64),
}

/// One line of a file of heads.
#[derive(Clone, PartialEq, Eq, Debug)]
struct HeadLine {
    point: Point,
    what: Signed,
    /// The date of the signature, by the table's own calendar (RFC 3339, UTC).
    at: String,
    key: PublicKey,
    signature: String,
}

impl HeadLine {
    fn sign(point: &Point, what: Signed, key: &TableKey) -> Self {
        Self::sign_at(point, what, &now(), key)
    }

    fn sign_at(point: &Point, what: Signed, at: &str, key: &TableKey) -> Self {
        let text = Value::Object(message(point, what, at)).to_string();
        let (point, at) = (point.clone(), at.to_owned());
        Self { signature: key.sign(&text), point, what, at, key: key.public() }
    }

    fn holds(&self) -> bool {
        let text = Value::Object(message(&self.point, self.what, &self.at)).to_string();
        self.key.has_signed(&text, &self.signature)
    }

    fn to_text(&self) -> String {
        let mut line = message(&self.point, self.what, &self.at);
        line.insert("key".to_owned(), self.key.to_string().into());
        line.insert("sig".to_owned(), self.signature.clone().into());
        format!("{}\n", Value::Object(line))
    }

    /// The signature as it stands on a sheet.
    fn to_signature(&self) -> HeadSignature {
        HeadSignature {
            seq: self.point.seq,
            head: self.point.head.to_string(),
            at: self.at.clone(),
            key: self.key.to_string(),
            signature: self.signature.clone(),
        }
    }

    fn parse(written: &str) -> Option<Self> {
        let line = json::parse(written).ok()?;
        let text = |name| line.get(name).and_then(Value::as_str);
        let what = match text("m")? {
            "head" => Signed::Head,
            "moment" => Signed::Moment(line.get("t")?.as_u64()?),
            _ => return None,
        };
        let point = Point {
            uid: text("match")?.to_owned(),
            begins: head_of(text("begins")?)?,
            seq: line.get("seq")?.as_u64()?,
            head: head_of(text("head")?)?,
        };
        let (at, signature) = (text("at")?.to_owned(), text("sig")?.to_owned());
        let read = Self { point, what, at, key: PublicKey::from_digits(text("key")?)?, signature };
        // There is one way to write a line, so that no change of a file goes unnoticed.
        (read.to_text() == format!("{written}\n")).then_some(read)
    }
}

/// The object whose canonical text is signed, its members in canonical order. A table that belongs to no event signs
/// with `null` for event and table.
fn message(point: &Point, what: Signed, at: &str) -> Map<String, Value> {
    let (m, t) = match what {
        Signed::Head => ("head", None),
        Signed::Moment(t) => ("moment", Some(t)),
    };
    let members = [
        ("at", Some(at.into())),
        ("begins", Some(point.begins.to_string().into())),
        ("event", Some(Value::Null)),
        ("head", Some(point.head.to_string().into())),
        ("m", Some(m.into())),
        ("match", Some(point.uid.as_str().into())),
        ("seq", Some(point.seq.into())),
        ("t", t.map(Value::from)),
        ("table", Some(Value::Null)),
    ];
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn head_of(digits: &str) -> Option<Head> {
    chain::unhex(digits)?.try_into().ok().map(Head::from_bytes)
}

fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let date = i64::try_from(since.as_secs()).ok().and_then(|secs| DateTime::from_timestamp(secs, 0));
    date.unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}

// --- Signing ---

/// Signs the heads of an open journal.
#[derive(Debug)]
pub struct Signer {
    key: Arc<TableKey>,
    signed: BTreeMap<String, LastSigned>,
    /// Whether the last signature could not be kept.
    failed: bool,
}

/// What was signed last of a match: its head, and the moment.
#[derive(Clone, Debug)]
struct LastSigned {
    line: HeadLine,
    t: u64,
}

impl Signer {
    /// A signer with this key.
    pub fn new(key: TableKey) -> Self {
        Self::of(Arc::new(key))
    }

    fn of(key: Arc<TableKey>) -> Self {
        Self { key, signed: BTreeMap::new(), failed: false }
    }

    /// The same signer for another file of heads, in which it has signed nothing yet.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self::of(Arc::clone(&self.key))
    }

    /// Whether the last signature could not be kept.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Whether the pace asks for a signature at the moment `t`, in ms since the match began, or the last one could not
    /// be kept.
    pub fn is_due(&self, point: &Point, t: u64) -> bool {
        self.failed || self.signed.get(&point.uid).is_none_or(|last| t.saturating_sub(last.t) >= PACE)
    }

    /// Signs the head of a match, unless it is signed already, and the moment `t` if that is later than the one signed
    /// before. Returns the signature of the head, which is durable then.
    pub fn sign(&mut self, record: &Path, point: &Point, t: u64) -> io::Result<HeadSignature> {
        let last = self.signed.get(&point.uid);
        let mut text = String::new();
        let line = if let Some(last) = last.filter(|last| last.line.point == *point) {
            last.line.clone()
        } else {
            let line = HeadLine::sign(point, Signed::Head, &self.key);
            text.push_str(&line.to_text());
            line
        };
        if last.map_or(0, |last| last.t) < t {
            text.push_str(&HeadLine::sign(point, Signed::Moment(t), &self.key).to_text());
        }
        if !text.is_empty() {
            self.failed = true;
            append(&file_of(record), &text)?;
        }
        self.failed = false;
        let signature = line.to_signature();
        self.signed.insert(point.uid.clone(), LastSigned { line, t });
        Ok(signature)
    }
}

/// Adds whole lines to the file and syncs it. What a power cut tore at its end was never acknowledged and is removed.
/// `Err` for a link, a device or a pipe, for somebody's own file, and for a file that would be longer than what is read of it.
fn append(path: &Path, text: &str) -> io::Result<()> {
    // Not opened for appending alone: on some systems such a file cannot be cut.
    let mut file = open_ordinary(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    if length.saturating_add(text.len() as u64) > LONGEST {
        let full = format!(
            "this file has {length} bytes, and at most {LONGEST} are read; move it to another folder"
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, full));
    }
    if length == 0 {
        sync_folder(path)?;
    }
    let mut read = |from| -> io::Result<Vec<u8>> {
        let mut part = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        (&mut file).take(LONGEST_LINE).read_to_end(&mut part)?;
        Ok(part)
    };
    let (start, tail) = (read(0)?, read(length.saturating_sub(LONGEST_LINE))?);
    if !are_heads(&start, &tail) {
        return Err(no_heads());
    }
    file.seek(SeekFrom::End(0))?;
    if let Some(at) = torn_from(&tail) {
        let torn = tail.get(at..).unwrap_or_default();
        if !begins_a_line(torn) {
            return Err(no_heads());
        }
        file.set_len(length - torn.len() as u64)?;
        // Without this a power cut could mix the torn lines with the new ones.
        file.sync_data()?;
        file.seek(SeekFrom::End(0))?;
    } else if tail.last().is_some_and(|last| *last != b'\n') {
        file.write_all(b"\n")?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Checks that heads may be written to this path: there is nothing yet, or a file of heads, but no link, device or file of
/// somebody's own.
pub(super) fn may_be_written(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(no_heads()),
    }
    let text = read_bounded(path, LONGEST)?;
    if are_heads(&text, &text) { Ok(()) } else { Err(no_heads()) }
}

fn no_heads() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "this file has something else than signed heads")
}

/// Whether a file with this start and this end is a file of heads. One of the two may be damaged.
fn are_heads(start: &[u8], end: &[u8]) -> bool {
    let last = end.strip_suffix(b"\n").unwrap_or(end).rsplit(|byte| *byte == b'\n').next();
    begins_a_line(start) || last.is_some_and(|last| last.starts_with(BEGINNING))
}

/// Whether this text begins as a line of a file of heads, as much of it as a power cut has left.
fn begins_a_line(text: &[u8]) -> bool {
    let begun = text.split(|byte| *byte == 0).next().unwrap_or_default();
    begun.starts_with(BEGINNING) || BEGINNING.starts_with(begun)
}

/// The place from which on a power cut tore the end of the text: the lines that were written last, at most [`AT_ONCE`]. A
/// line that was cut is torn, and one with a NUL, which file systems and disks leave where a block was not written.
fn torn_from(text: &[u8]) -> Option<usize> {
    let begin = |end: usize| text.get(..end)?.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
    let last = begin(text.len() - usize::from(text.ends_with(b"\n"))).unwrap_or(0);
    let first = (1..AT_ONCE).fold(last, |at, _| at.checked_sub(1).map_or(0, |end| begin(end).unwrap_or(0)));
    let lines = text.get(first..)?.split_inclusive(|byte| *byte == b'\n');
    let starts = lines.scan(first, |at, line| Some((std::mem::replace(at, *at + line.len()), line)));
    let unwritten = starts.filter(|(_, line)| line.contains(&0)).map(|(at, _)| at).next();
    unwritten.or_else(|| is_torn(text).then_some(last))
}

/// The most lines that are written together: a head and a moment.
const AT_ONCE: usize = 2;

/// Whether the text ends with the beginning of a line: its signature, the last member, is not complete.
fn is_torn(text: &[u8]) -> bool {
    const SIGNATURE: &[u8] = b",\"sig\":\"";
    let last = text.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let signed = last.windows(SIGNATURE.len()).rposition(|part| part == SIGNATURE);
    let complete = signed.is_some_and(|at| last.len() >= at + SIGNATURE.len() + SIGNATURE_DIGITS + 2);
    !last.is_empty() && !complete
}

/// How each line begins.
const BEGINNING: &[u8] = b"{\"at\":\"";
/// The digits of a signature.
const SIGNATURE_DIGITS: usize = 128;

// --- Files of heads of several copies ---

/// Adds to this text of heads the whole lines of another one that it lacks, in their order.
pub(super) fn merged(mut text: String, other: &str) -> String {
    text.truncate(torn_from(text.as_bytes()).unwrap_or(text.len()));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let known: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let whole = other.get(..torn_from(other.as_bytes()).unwrap_or(other.len())).unwrap_or_default();
    for line in whole.lines().filter(|line| !known.contains(*line)) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The heads beside these copies of a record, without those that several have.
pub(super) fn all_of(copies: &[impl AsRef<Path>]) -> String {
    let mut all = String::new();
    for copy in copies {
        let read = read_bounded(&file_of(copy.as_ref()), LONGEST).ok();
        if let Some(text) = read.and_then(|bytes| String::from_utf8(bytes).ok()) {
            all = merged(all, &text);
        }
    }
    all
}

/// Writes these heads beside a record, if there are any.
pub(super) fn write_beside(record: &Path, heads: &str) -> io::Result<()> {
    if heads.is_empty() { Ok(()) } else { replace_private(&file_of(record), heads) }
}

/// The newest moment of each match, by its unique name, that is signed in this text of heads.
pub(super) fn signed_moments(heads: &str) -> BTreeMap<String, u64> {
    let mut newest = BTreeMap::new();
    for line in lines_of(heads.as_bytes()).into_iter().filter_map(|(_, line)| line) {
        if let Signed::Moment(t) = line.what
            && line.holds()
        {
            let known: &mut u64 = newest.entry(line.point.uid).or_default();
            *known = t.max(*known);
        }
    }
    newest
}

// --- Checking ---

/// A record as the signatures are compared with it.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The match's unique name; `None` if the record does not say it.
    pub uid: Option<String>,
    /// The names of the matches in the file; empty if this is an export.
    pub names: Arc<BTreeSet<String>>,
    /// The hash after the header, and after each line.
    pub heads: Vec<Head>,
    /// The last line's moment, in ms since the match began.
    pub last_t: u64,
    /// The moment that was saved apart from the lines; `None` if none was saved, or if this is an export.
    pub moment: Option<u64>,
}

impl Compared {
    /// The hash after so many lines after the header; `None` if the record is shorter.
    pub fn head_after(&self, seq: u64) -> Option<&Head> {
        usize::try_from(seq).ok().and_then(|seq| self.heads.get(seq))
    }
}

/// The newest head that a key has signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The key that signed.
    pub key: PublicKey,
    /// The number of lines after the header that the signature covers.
    pub seq: u64,
    /// The date of the signature, as the table's computer had it.
    pub at: String,
}

/// Why signed heads contradict a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction {
    /// A line of the file of heads cannot be read, or its signature does not belong to it.
    #[error("line {line} of {file} is not a head that its key has signed; the file was changed")]
    NotSigned {
        /// The file of heads.
        file: String,
        /// The number of the line, from 1.
        line: usize,
    },
    /// The signature on a sheet was not made for this record.
    #[error("is not the record of this sheet: the signature in the sheet's code does not belong to it")]
    OtherCode,
    /// A signed head is not the hash of the record at that place.
    #[error("was changed: on {at} the key {key} signed another head for its line {line}")]
    Changed {
        /// The number of the line, from 1; the header is line 1.
        line: u64,
        /// The date of the signature.
        at: String,
        /// The key.
        key: PublicKey,
    },
    /// The record had more lines when its head was signed.
    #[error("was shortened: on {at} the key {key} signed {line} lines, and {there} are there")]
    Shortened {
        /// How many lines, the header included, were signed.
        line: u64,
        /// How many lines, the header included, the record has.
        there: usize,
        /// The date of the signature.
        at: String,
        /// The key.
        key: PublicKey,
    },
    /// The moment that is saved apart from the lines is not one that the table can have saved.
    #[error(
        "has a saved moment that was changed: it is {there} ms, and on {at} the key {key} signed {signed} ms"
    )]
    Moment {
        /// The saved moment, in ms since the match began.
        there: u64,
        /// The signed moment, in ms since the match began.
        signed: u64,
        /// The date of the signature.
        at: String,
        /// The key.
        key: PublicKey,
    },
    /// A match that was signed is not in the file any more.
    #[error(
        "lacks a match that was in it: on {at} the key {key} signed the match {uid} up to line {line}; the match was taken out, or these heads belong to another record"
    )]
    Removed {
        /// The match's unique name.
        uid: String,
        /// How many lines of it, the header included, were signed.
        line: u64,
        /// The date of the signature.
        at: String,
        /// The key.
        key: PublicKey,
    },
    /// The key that was asked for has signed nothing of this record.
    #[error("is not signed by {key}{}", .file.as_ref().map_or(String::new(), |file| format!(": there is no {file}")))]
    Unsigned {
        /// The key that was asked for.
        key: PublicKey,
        /// The file of heads, if it is missing.
        file: Option<String>,
    },
}

/// Two heads of a match whose dates are in another order than its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatesBack {
    /// The key that signed both.
    pub key: PublicKey,
    /// The number of the line up to which the first one signs, and its date. The header is line 1.
    pub first: (u64, String),
    /// The same of the later line with the earlier date.
    pub then: (u64, String),
}

/// The signed heads beside a record. Each signature is verified once, when it is asked for.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    file: String,
    missing: bool,
    lines: Vec<ReadLine>,
    /// The first line that its key has not signed.
    unsigned: OnceLock<Option<usize>>,
    /// The places in `lines` of each match, by its unique name.
    of_match: BTreeMap<String, Vec<usize>>,
    /// The names under which the match with this header was signed.
    names: BTreeMap<[u8; 32], BTreeSet<String>>,
}

/// A line of a file of heads.
#[derive(Clone, Debug)]
struct ReadLine {
    number: usize,
    /// `None` if it cannot be read.
    line: Option<HeadLine>,
    holds: OnceLock<bool>,
}

impl ReadLine {
    /// The line, if its key has signed it.
    fn signed(&self) -> Option<&HeadLine> {
        self.line.as_ref().filter(|line| *self.holds.get_or_init(|| line.holds()))
    }
}

impl Heads {
    /// Reads the heads beside a record. A missing file is no error.
    pub fn beside(record: &Path) -> io::Result<Self> {
        let path = file_of(record);
        let file = tabiya_types::shown(&path);
        match read_bounded(&path, LONGEST) {
            Ok(bytes) => Ok(Self::of_bytes(file, &bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self { file, missing: true, ..Self::default() })
            }
            Err(error) => Err(error),
        }
    }

    /// Whether there are heads of any match.
    pub fn know_a_match(&self) -> bool {
        !self.of_match.is_empty()
    }

    fn of_bytes(file: String, bytes: &[u8]) -> Self {
        let lines = lines_of(bytes).into_iter();
        let read = lines.map(|(number, line)| ReadLine { number, line, holds: OnceLock::new() });
        Self::of_lines(file, read.collect())
    }

    fn of_lines(file: String, lines: Vec<ReadLine>) -> Self {
        let mut heads = Self { file, ..Self::default() };
        for (nth, read) in lines.iter().enumerate() {
            if let Some(HeadLine { point, .. }) = &read.line {
                heads.of_match.entry(point.uid.clone()).or_default().push(nth);
                heads.names.entry(*point.begins.bytes()).or_default().insert(point.uid.clone());
            }
        }
        Self { lines, ..heads }
    }

    /// Compares the heads with a record. With `by`, only heads of this key count, and there must be one. Returns the
    /// newest signature of each key.
    pub fn check(&self, record: &Compared, by: Option<PublicKey>) -> Result<Vec<Signature>, Contradiction> {
        let mut newest: BTreeMap<PublicKey, Signature> = BTreeMap::new();
        let signers = self.signers(record);
        if let Some(line) = self.first_unsigned() {
            return Err(Contradiction::NotSigned { file: self.file.clone(), line });
        }
        for line in self.about(record).filter(|line| by.is_none_or(|by| by == line.key)) {
            let begins = record.heads.first() == Some(&line.point.begins);
            let named = record.uid.as_ref().map_or(begins, |uid| *uid == line.point.uid);
            // A match with this very header, but another name, has been given that name later.
            let renamed = begins && !named && !is_twin(line, record, &signers);
            if !(named || renamed) {
                continue;
            }
            if !begins || renamed {
                let (at, key) = (line.at.clone(), line.key);
                return Err(Contradiction::Changed { line: 1, at, key });
            }
            fits(line, record)?;
            let HeadLine { point: Point { seq, .. }, at, key, .. } = line.clone();
            let known = newest.entry(key).or_insert_with(|| Signature { key, seq, at: at.clone() });
            if known.seq <= seq {
                *known = Signature { key, seq, at };
            }
        }
        self.moment_check(record, by)?;
        match by.filter(|by| !newest.contains_key(by)) {
            Some(key) => Err(Contradiction::Unsigned { key, file: self.missing.then(|| self.file.clone()) }),
            None => Ok(newest.into_values().collect()),
        }
    }

    /// The heads from the first one on that this key has signed for this record as it is, with at least `seq` lines after the
    /// header: an arbiter has vouched for the record there, and what was signed before contradicts it perhaps.
    #[must_use]
    pub fn since(&self, record: &Compared, own: Option<PublicKey>, seq: u64) -> Self {
        let is_first = |read: &ReadLine| {
            read.signed().is_some_and(|line| {
                Some(line.key) == own
                    && line.point.seq >= seq
                    && record.heads.first() == Some(&line.point.begins)
                    && fits(line, record).is_ok()
            })
        };
        match self.lines.iter().position(is_first).filter(|_| seq > 0) {
            Some(first) => {
                let lines = self.lines.iter().skip(first).cloned().collect();
                Self { missing: self.missing, ..Self::of_lines(self.file.clone(), lines) }
            }
            None => self.clone(),
        }
    }

    /// Up to how many lines after the header this key has signed the record as it is; `None` if it has not.
    pub fn signed_until(&self, record: &Compared, by: PublicKey) -> Option<u64> {
        let begins = record.heads.first();
        let own = |line: &&HeadLine| {
            line.key == by && begins == Some(&line.point.begins) && fits(line, record).is_ok()
        };
        self.about(record).filter(own).map(|line| line.point.seq).max()
    }

    /// The newest moment that anybody has signed for this record, in ms since the match began.
    pub fn signed_moment(&self, record: &Compared) -> Option<u64> {
        let own = self.about(record).filter(|line| record.heads.first() == Some(&line.point.begins));
        own.filter_map(|line| match line.what {
            Signed::Moment(t) => Some(t),
            Signed::Head => None,
        })
        .max()
    }

    /// The number of the first line that its key has not signed.
    fn first_unsigned(&self) -> Option<usize> {
        let find = || self.lines.iter().find(|line| line.signed().is_none()).map(|line| line.number);
        *self.unsigned.get_or_init(find)
    }

    /// The signed lines that may be about this record, in their order: those with its name, and those with its header whose
    /// name no match of the file has.
    fn about(&self, record: &Compared) -> impl Iterator<Item = &HeadLine> {
        let begins = record.heads.first().and_then(|begins| self.names.get(begins.bytes()));
        let of_header = begins.into_iter().flatten().filter(|name| !record.names.contains(*name));
        let names: BTreeSet<&String> = of_header.chain(&record.uid).collect();
        let mut places: Vec<usize> =
            names.into_iter().filter_map(|name| self.of_match.get(name)).flatten().copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|place| self.lines.get(place)?.signed())
    }

    /// The keys that signed this very header under the match's own name.
    fn signers(&self, record: &Compared) -> BTreeSet<PublicKey> {
        let is_own = |line: &&HeadLine| {
            record.uid.as_ref() == Some(&line.point.uid) && record.heads.first() == Some(&line.point.begins)
        };
        self.about(record).filter(is_own).map(|line| line.key).collect()
    }

    /// Whether there are signed heads here, but all of them of matches that are not in this record's file.
    pub fn are_foreign(&self, record: &Compared) -> bool {
        let header = record.heads.first().is_some_and(|begins| self.names.contains_key(begins.bytes()));
        let named = record.uid.iter().chain(record.names.iter()).any(|name| self.of_match.contains_key(name));
        !self.lines.is_empty() && !header && !named
    }

    /// Whether one of these matches is signed here.
    pub fn sign_one_of<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> bool {
        names.into_iter().any(|name| self.of_match.contains_key(name))
    }

    /// Looks for a match that is signed here, but is not in the journal whose matches have these names. If none of them is
    /// signed here, the heads are another record's, and say nothing. With `by`, only heads of this key count.
    pub fn removed(&self, names: &BTreeSet<String>, by: Option<PublicKey>) -> Result<(), Contradiction> {
        if !names.iter().any(|name| self.of_match.contains_key(name)) {
            return Ok(());
        }
        let gone = self.of_match.iter().filter(|(name, _)| !names.contains(*name));
        let lines = gone.filter_map(|(_, places)| {
            let lines = places.iter().filter_map(|place| self.lines.get(*place)?.signed());
            lines.filter(|line| by.is_none_or(|by| by == line.key)).max_by_key(|line| line.point.seq)
        });
        match lines.into_iter().next() {
            Some(HeadLine { point, at, key, .. }) => Err(Contradiction::Removed {
                uid: harmless(&point.uid),
                line: point.seq.saturating_add(1),
                at: at.clone(),
                key: *key,
            }),
            None => Ok(()),
        }
    }

    /// Two heads of this record, if there are any, of which the one for the later line has the earlier date. With `by`, only
    /// heads of this key count.
    pub fn dates_back(&self, record: &Compared, by: Option<PublicKey>) -> Option<DatesBack> {
        let mut lines: Vec<&HeadLine> = self.about(record).collect();
        lines.sort_by_key(|line| line.point.seq);
        let mut latest: BTreeMap<PublicKey, (u64, &str)> = BTreeMap::new();
        for HeadLine { point, at, key, .. } in lines {
            if by.is_some_and(|by| by != *key) {
                continue;
            }
            let (seq, before) = latest.entry(*key).or_insert((point.seq, at));
            if *seq < point.seq && at.as_str() < *before {
                let line = |seq: u64, at: &str| (seq.saturating_add(1), at.to_owned());
                return Some(DatesBack { key: *key, first: line(*seq, before), then: line(point.seq, at) });
            }
            if at.as_str() > *before {
                (*seq, *before) = (point.seq, at);
            }
        }
        None
    }

    /// The newest signature of the record's last line, if there is one.
    pub fn newest(&self, record: &Compared) -> Option<HeadSignature> {
        let last = record.heads.last()?;
        let ends = |read: &&ReadLine| {
            read.line.as_ref().is_some_and(|line| {
                line.what == Signed::Head
                    && record.heads.first() == Some(&line.point.begins)
                    && line.point.head == *last
            }) && read.signed().is_some()
        };
        self.lines.iter().rev().find(ends).and_then(ReadLine::signed).map(HeadLine::to_signature)
    }

    /// Compares the newest signed moment with the one that is saved in the file.
    pub fn moment_check(&self, record: &Compared, by: Option<PublicKey>) -> Result<(), Contradiction> {
        let signers = self.signers(record);
        let own = |line: &&HeadLine| {
            let begins = record.heads.first() == Some(&line.point.begins);
            begins && by.is_none_or(|by| by == line.key) && !is_twin(line, record, &signers)
        };
        let moments = self.about(record).filter(own).filter_map(|line| match line.what {
            Signed::Moment(t) => Some((t, line)),
            Signed::Head => None,
        });
        let (Some((signed, line)), Some(there)) = (moments.max_by_key(|(t, _)| *t), record.moment) else {
            return Ok(());
        };
        let latest = signed.max(record.last_t).saturating_add(SLACK);
        if (signed..=latest).contains(&there.max(record.last_t)) {
            return Ok(());
        }
        Err(Contradiction::Moment { there, signed, at: line.at.clone(), key: line.key })
    }
}

/// Whether a head that names this very header is of another match: one in the same file, or one that began within the
/// same second, because its key signed this match under the name that it has.
fn is_twin(line: &HeadLine, record: &Compared, signers: &BTreeSet<PublicKey>) -> bool {
    let named = record.uid.as_ref() == Some(&line.point.uid);
    !named && (record.names.contains(&line.point.uid) || signers.contains(&line.key))
}

/// Whether a signature from a match sheet was made for the record's head at that place. `uid` is the match's unique
/// name.
pub fn is_of(signed: &HeadSignature, record: &Compared, uid: &str) -> Result<(), Contradiction> {
    let not_signed = || Contradiction::OtherCode;
    let (head, key) =
        head_of(&signed.head).zip(PublicKey::from_digits(&signed.key)).ok_or_else(not_signed)?;
    let begins = *record.heads.first().ok_or_else(not_signed)?;
    let point = Point { uid: uid.to_owned(), begins, seq: signed.seq, head };
    let line = HeadLine {
        point,
        what: Signed::Head,
        at: signed.at.clone(),
        key,
        signature: signed.signature.clone(),
    };
    fits(&line, record)?;
    if line.holds() { Ok(()) } else { Err(not_signed()) }
}

fn fits(line: &HeadLine, record: &Compared) -> Result<(), Contradiction> {
    let (at, key, number) = (line.at.clone(), line.key, line.point.seq.saturating_add(1));
    match record.head_after(line.point.seq) {
        None => Err(Contradiction::Shortened { line: number, there: record.heads.len(), at, key }),
        Some(head) if *head != line.point.head => Err(Contradiction::Changed { line: number, at, key }),
        Some(_) => Ok(()),
    }
}

/// The lines of a file of heads with their numbers; `None` for a line that cannot be read. What a crash tore at the end
/// was never acknowledged and does not count.
fn lines_of(bytes: &[u8]) -> Vec<(usize, Option<HeadLine>)> {
    let bytes = bytes.get(..torn_from(bytes).unwrap_or(bytes.len())).unwrap_or_default();
    // One line more shows that there are too many.
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').take(MOST_LINES + 2).collect();
    let is_all = lines.len() < MOST_LINES + 2;
    if !is_all || lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    // Some programs end the lines of a text that they pass on with a carriage return, too. It says nothing.
    let read = |line: &[u8]| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        std::str::from_utf8(line).ok().and_then(HeadLine::parse)
    };
    let lines = (1..).zip(lines);
    lines.map(|(number, line)| (number, if number > MOST_LINES { None } else { read(line) })).collect()
}

/// A property of any bytes as a file of heads and as the code of a sheet, which the fuzz target `heads` tries: a line that is
/// read is written in the same way, no line signs what its key has not signed, and a code that is read is written and read
/// again.
#[expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]
pub fn heads_law(bytes: &[u8]) {
    let lines = lines_of(bytes);
    let mut record =
        Compared { uid: None, names: Arc::default(), heads: Vec::new(), last_t: 0, moment: Some(0) };
    for line in lines.iter().filter_map(|(_, line)| line.as_ref()) {
        assert_eq!(HeadLine::parse(line.to_text().trim_end()).as_ref(), Some(line), "written and read again");
        record.heads = vec![line.point.begins];
    }
    let all_hold = lines.iter().all(|(_, line)| line.as_ref().is_some_and(HeadLine::holds));
    let heads = Heads::of_bytes("x.heads".to_owned(), bytes);
    let believed = heads.check(&record, None).is_ok();
    assert!(all_hold || !believed, "a line that its key has not signed is not believed");
    let text = String::from_utf8_lossy(bytes);
    if let Some(code) = HeadSignature::from_code(&text) {
        assert_eq!(HeadSignature::from_code(&code.code()), Some(code), "written and read again");
    }
}

#[cfg(test)]
mod tests;
