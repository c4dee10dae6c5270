//! This user's keys, in the folder `keys` beside the records, readable by their owner alone: one file per match for its
//! sealed cards, without which they cannot be opened, and one file for the key with which the table signs.
//!
//! Source: `docs/record.md`, "Secrets"; against whom the keys protect: `docs/record-chain.md`, "Boxes".
#![expect(clippy::disallowed_methods, reason = "keys come from the system's chance")]

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::read_bounded;
use tabiya_engine::record::chain::{self, Head, ShownCards};
use tabiya_engine::record::json;

use super::disk::{private_folder, replace_private, write_private_whole};
use super::folders::{self, NoFolder};
use super::match_key_file::{KeyShares, MatchKeyFile, MatchOpener};
use super::notes::{self, MatchName, OpenNote, RecordProgress, Seen};
use super::openings::{self, CardOpening};
use super::signing::{PublicKey, TableKey, TableKeyFile};
use super::verbs::{opens_cards, place_in, place_of};
use crate::journal::JournalReader;
use crate::journal::vault::{self, BoxError, KEY_BYTES, KeyError, KeyPair, KeyStore, MatchKey, Sealer};
use crate::platform::sync_folder;

/// The folder's name in the data folder.
pub(super) const FOLDER: &str = "keys";
/// The name of the file with the table's own key.
const TABLE_KEY: &str = "table.json";
/// The name of the list of the times at which sealed cards were shown.
const OPENINGS: &str = "openings.jsonl";
/// Whose pages for browsers a key with its certificate is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageKey {
    /// A console's, for its arbiters' telephones.
    Phones,
    /// A table's, for its players' keypads.
    Keypads,
}

impl PageKey {
    /// The name of its file.
    const fn file(self) -> &'static str {
        match self {
            Self::Phones => "page.json",
            Self::Keypads => "keypads.json",
        }
    }
}
/// The longest key file that is read, in bytes.
const LONGEST_FILE: u64 = 1 << 13;

/// The keys in a folder. The folder is created together with its first key.
#[derive(Clone, Debug)]
pub struct Keyring {
    folder: Result<PathBuf, NoFolder>,
    /// The note that was written last.
    note: Arc<Mutex<Option<OpenNote>>>,
}

/// A record whose sealed cards somebody wants to open.
#[derive(Clone, Copy, Debug)]
pub struct SealedRecord<'a> {
    /// The record's file.
    pub path: &'a Path,
    /// The match.
    pub of: &'a MatchName,
    /// The hash after the header, and after each line.
    pub heads: &'a [Head],
    /// Up to how many lines after the header this computer's table has signed the record; `None` if it has not.
    pub signed: Option<u64>,
}

/// The file of the authority of this event.
fn authority_file(folder: &Path, event: &str) -> PathBuf {
    folder.join(format!("authority-{event}.json"))
}

/// The key in this file; `None` without one.
fn find_key(file: &Path) -> Result<Option<TableKey>, KeyError> {
    let bytes = match read_bounded(file, LONGEST_FILE) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(file, "read", error)),
    };
    let read: Option<TableKeyFile> = serde_json::from_slice(&bytes).ok();
    let key = read.and_then(|read| read.key());
    key.map(Some).ok_or_else(|| KeyError::NotATableKey { file: tabiya_types::shown(file) })
}

impl SealedRecord<'_> {
    /// Whether the record has this line with this hash.
    fn has(&self, progress: RecordProgress) -> bool {
        usize::try_from(progress.seq).ok().and_then(|seq| self.heads.get(seq)) == Some(&progress.head)
    }
}

impl Keyring {
    /// The keys in this user's data folder.
    pub fn usual() -> Self {
        Self { folder: folders::data().map(|data| data.join(FOLDER)), note: Arc::default() }
    }

    /// The keys beside the records in this folder.
    pub fn beside_records(records: &Path) -> Self {
        Self::in_folder(&records.join(FOLDER))
    }

    /// The keys in the given folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: Ok(folder.to_owned()), note: Arc::default() }
    }

    /// The path of a match's key file, which need not exist.
    pub fn file(&self, header: Head) -> Result<PathBuf, NoFolder> {
        self.folder.clone().map(|folder| folder.join(format!("{header}.json")))
    }

    /// The key with which this computer's table signs, if it has been made.
    pub fn find_table_key(&self) -> Result<Option<TableKey>, KeyError> {
        let Ok(file) = self.table_key_file() else { return Ok(None) };
        find_key(&file)
    }

    /// The key of the authority of this event, if this computer keeps it.
    pub fn find_authority(&self, event: &str) -> Result<Option<TableKey>, KeyError> {
        let Ok(folder) = &self.folder else { return Ok(None) };
        find_key(&authority_file(folder, event))
    }

    /// Gives up the authority of this event: another computer keeps it. Its file stays under another name, and counts no more; the
    /// authority can be restored as at any other computer.
    pub fn give_up_authority(&self, event: &str) -> Result<(), KeyError> {
        let Ok(folder) = &self.folder else { return Ok(()) };
        let file = authority_file(folder, event);
        match std::fs::rename(&file, file.with_extension("given-up")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&file, "renamed", error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Makes the authority of a new event. `event` names the event of a key.
    pub fn make_authority(&self, event: impl FnOnce(&PublicKey) -> String) -> Result<TableKey, KeyError> {
        self.prepare()?;
        let made = TableKeyFile::new().ok_or(KeyError::NoRandomNumbers)?;
        self.keep_authority(&made, event)
    }

    /// The file of the authority of this event as text, which has its secret half; `None` if this computer does not keep it.
    pub(super) fn authority_seed(&self, event: &str) -> Result<Option<String>, KeyError> {
        let Ok(folder) = &self.folder else { return Ok(None) };
        let file = authority_file(folder, event);
        match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => Ok(String::from_utf8(bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&file, "read", error)),
        }
    }

    pub(super) fn keep_authority(
        &self,
        made: &TableKeyFile,
        event: impl FnOnce(&PublicKey) -> String,
    ) -> Result<TableKey, KeyError> {
        self.prepare()?;
        let folder = self.folder.as_ref().map_err(|error| KeyError::NoPlace(error.to_string()))?;
        let key = made.key().ok_or(KeyError::NoRandomNumbers)?;
        let file = authority_file(folder, &event(&key.public()));
        let text = serde_json::to_string(made).unwrap_or_default() + "\n";
        write_private_whole(&file, &text).map_err(|error| failed(&file, "written", error))?;
        Ok(key)
    }

    /// The public half of the key with which this computer's table signs; `None` if there is none that can be read.
    pub fn own_key(&self) -> Option<PublicKey> {
        self.find_table_key().ok().flatten().map(|key| key.public())
    }

    /// The key with which this computer's table signs. The first call makes it.
    pub fn table_key(&self) -> Result<TableKey, KeyError> {
        if let Some(key) = self.find_table_key()? {
            return Ok(key);
        }
        self.prepare()?;
        let file = self.table_key_file().map_err(|error| KeyError::NoPlace(error.to_string()))?;
        let made = TableKeyFile::new().ok_or(KeyError::NoRandomNumbers)?;
        let text = serde_json::to_string(&made).unwrap_or_default() + "\n";
        match write_private_whole(&file, &text) {
            // Another program may have written the key in the meantime.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(failed(&file, "written", error))
            }
            _ => self
                .find_table_key()?
                .ok_or_else(|| KeyError::NotATableKey { file: tabiya_types::shown(&file) }),
        }
    }

    /// The path of the table's key, which need not exist.
    fn table_key_file(&self) -> Result<PathBuf, NoFolder> {
        self.folder.clone().map(|folder| folder.join(TABLE_KEY))
    }

    /// What this computer keeps for its pages for browsers, a key with its certificate; `None` if nothing is kept.
    pub fn find_page(&self, of: PageKey) -> Result<Option<String>, KeyError> {
        let Ok(folder) = &self.folder else { return Ok(None) };
        let file = folder.join(of.file());
        match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => Ok(String::from_utf8(bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&file, "read", error)),
        }
    }

    /// Keeps that, readable by its owner alone.
    pub fn keep_page(&self, of: PageKey, text: &str) -> Result<(), KeyError> {
        self.prepare()?;
        let folder = self.folder.as_ref().map_err(|error| KeyError::NoPlace(error.to_string()))?;
        let file = folder.join(of.file());
        replace_private(&file, text).map_err(|error| failed(&file, "written", error))
    }

    /// Whether a note names this file as the record of a match.
    pub fn has_note_in(&self, record: &Path) -> bool {
        self.folder.as_ref().is_ok_and(|folder| notes::has_one_in(folder, record))
    }

    /// Creates the folder for keys. `Err` if no folder for keys is known, or if it cannot be created.
    pub fn prepare(&self) -> Result<(), KeyError> {
        let folder = self.folder.as_ref().map_err(|error| KeyError::NoPlace(error.to_string()))?;
        private_folder(folder).map_err(|source| failed(folder, "written", source))
    }

    /// Opens the sealed cards in the lines after a match's header, if this user has the match's key and this is the
    /// match's own record ([`Self::may_open`]). `opened_unsigned` finds the first line that is not signed, if lines from there
    /// on open all cards; keys of older versions need no signature. Returns the lines, and the first reason why some cards stay
    /// closed.
    pub fn open(
        &self,
        record: SealedRecord<'_>,
        lines: Vec<String>,
        opened_unsigned: impl FnOnce(&[String]) -> Option<u64>,
    ) -> (Vec<String>, Option<KeyError>) {
        let unsigned = || {
            let line = self.is_bound(record.of.begins).then(|| opened_unsigned(&lines)).flatten();
            line.map_or(Ok(()), |line| Err(KeyError::NotSigned { line }))
        };
        let may =
            if has_boxes(&lines) { self.may_open(record, &lines).and_then(|()| unsigned()) } else { Ok(()) };
        self.open_if(&may, record.of.begins, lines)
    }

    /// Checks that each box of a match opens with the match's key and fits its seals. Nothing of it is shown to anybody, so
    /// nothing has to be signed. Returns the first reason why a box is not opened.
    pub fn check_boxes(&self, record: SealedRecord<'_>, lines: Vec<String>) -> Option<KeyError> {
        self.open_if(&self.is_no_copy(record), record.of.begins, lines).1
    }

    /// Opens the boxes in these lines if they may be opened.
    fn open_if(
        &self,
        may: &Result<(), KeyError>,
        begins: Head,
        lines: Vec<String>,
    ) -> (Vec<String>, Option<KeyError>) {
        let (mut key, mut closed) = (None, None);
        let lines = (2..).zip(lines).map(|(number, text)| {
            // Most lines have no seals and need not be parsed.
            let deal = may_be_sealed(&text).then(|| json::parse(&text).ok()).flatten();
            let Some(line) = deal else { return text };
            let opened = if vault::is_closed(&line) {
                may.clone().and_then(|()| self.key_to(begins, &mut key)).and_then(|key| {
                    in_line(number, vault::open(&line, key).map(|line| Some(line.to_string())))
                })
            } else {
                in_line(number, vault::check_open_seals(&line).map(|()| None))
            };
            match opened {
                Ok(opened) => opened.unwrap_or(text),
                Err(error) => {
                    closed.get_or_insert(error);
                    // Cards that are not encrypted and do not fit their seals are hidden.
                    if vault::is_closed(&line) {
                        text
                    } else {
                        chain::redact(&line, &ShownCards::default()).to_string()
                    }
                }
            }
        });
        (lines.collect(), closed)
    }

    /// Whether sealed cards of this record may be opened here: this store itself has noted the match in this file, the record
    /// has the noted line, the table signed that the cards were dealt in this file, and it signed every line that opens
    /// cards. `lines` are the lines after the header. `Err` says what is missing.
    pub fn may_open(&self, record: SealedRecord<'_>, lines: &[String]) -> Result<(), KeyError> {
        match self.opener(record.of.begins)? {
            None => return Err(self.missing(record.of.begins)),
            Some(MatchOpener::Key { bound: false, .. }) => return self.is_no_copy(record),
            Some(MatchOpener::Key { .. } | MatchOpener::Locked(_)) => {}
        }
        let Some(seen) = self.seen(record.of)? else { return Err(KeyError::NeverSeen) };
        if !seen.is_own || seen.taken {
            return Err(KeyError::CopiedStore);
        }
        if !seen.is_in(record.path) {
            return Err(KeyError::Copy { original: seen.record });
        }
        if !record.has(seen.progress) {
            return Err(KeyError::Behind { line: seen.progress.seq + 1, original: seen.record });
        }
        let signed = record.signed.and_then(|seq| usize::try_from(seq).ok()).unwrap_or(0);
        let (below, beyond) = lines.split_at(signed.min(lines.len()));
        let place = below.iter().rev().find_map(|line| place_in(line));
        match place {
            None => return Err(KeyError::NotSigned { line: (signed + 2) as u64 }),
            Some(place) if place != place_of(record.path, record.of.begins) => {
                return Err(KeyError::MovedAway);
            }
            Some(_) => {}
        }
        match beyond.iter().position(|line| opens_cards(line)) {
            Some(nth) => Err(KeyError::NotSigned { line: (signed + nth + 2) as u64 }),
            None => Ok(()),
        }
    }

    /// Whether the key of a match opens cards only where they were dealt, by lines that were signed: keys of older versions open
    /// them as they did.
    pub fn is_bound(&self, begins: Head) -> bool {
        !matches!(self.opener(begins), Ok(Some(MatchOpener::Key { bound: false, .. })))
    }

    /// Whether this computer has the key of a match, locked with the players' codes.
    pub fn is_locked(&self, begins: Head) -> bool {
        matches!(self.opener(begins), Ok(Some(MatchOpener::Locked(_))))
    }

    /// Checks that this record is not a copy of the one in which the match was noted, or behind it. For cards that an older
    /// version has sealed this is all.
    fn is_no_copy(&self, record: SealedRecord<'_>) -> Result<(), KeyError> {
        let Some(seen) = self.seen(record.of)? else { return Ok(()) };
        let is_there = JournalReader::open(&seen.record).and_then(|journal| journal.matches());
        let is_there = is_there.is_ok_and(|all| all.iter().any(|info| info.begins == record.of.begins));
        if !seen.is_in(record.path) && is_there {
            return Err(KeyError::Copy { original: seen.record });
        }
        if record.has(seen.progress) {
            Ok(())
        } else {
            Err(KeyError::Behind { line: seen.progress.seq + 1, original: seen.record })
        }
    }

    /// The key of a match. The first call reads the key's file and keeps the key in `found`; later calls take it from
    /// there.
    fn key_to<'a>(&self, begins: Head, found: &'a mut Option<MatchKey>) -> Result<&'a MatchKey, KeyError> {
        let key = match found.take() {
            Some(key) => key,
            None => self.find(begins)?.ok_or_else(|| self.missing(begins))?,
        };
        Ok(found.insert(key))
    }

    fn key_file(&self, header: Head) -> Result<Option<MatchKeyFile>, KeyError> {
        let Ok(file) = self.file(header) else { return Ok(None) };
        let bytes = match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&file, "read", error)),
        };
        MatchKeyFile::parse(&bytes, header).map(Some).ok_or_else(|| self.damaged(header))
    }

    fn opener(&self, header: Head) -> Result<Option<MatchOpener>, KeyError> {
        let Some(file) = self.key_file(header)? else { return Ok(None) };
        file.opener().map(Some).ok_or_else(|| self.damaged(header))
    }

    fn damaged(&self, header: Head) -> KeyError {
        match self.file(header) {
            Ok(file) => KeyError::NotAKey { file: tabiya_types::shown(&file) },
            Err(error) => KeyError::NoPlace(error.to_string()),
        }
    }

    /// Writes the key of a match that has none. A key that is there stays.
    fn write_new(&self, header: Head, key: &MatchKeyFile) -> Result<(), KeyError> {
        self.prepare()?;
        let file = self.file(header).map_err(|error| KeyError::NoPlace(error.to_string()))?;
        match write_private_whole(&file, &text_of(key)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(failed(&file, "written", error))
            }
            _ => Ok(()),
        }
    }

    /// Locks the key of a match with these shares, and makes it if the match has none. `known` is the key if this program has
    /// made it. `Err` for a key that was locked before this program began, and for one of an older version: they stay as they
    /// are.
    pub fn lock(
        &self,
        header: Head,
        known: &mut Option<KeyPair>,
        shares: &KeyShares,
    ) -> Result<(), KeyError> {
        let pair = match (known.take(), self.opener(header)?) {
            (Some(pair), _) | (None, Some(MatchOpener::Key { key: MatchKey::Pair(pair), .. })) => pair,
            (None, None) => new_pair()?,
            (None, Some(MatchOpener::Locked(_))) => return self.find(header).map(|_| ()),
            (None, Some(MatchOpener::Key { .. })) => return Err(KeyError::OldKey),
        };
        let file = MatchKeyFile::locked(header, &pair, shares).ok_or(KeyError::NoRandomNumbers)?;
        *known = Some(pair);
        self.replace(header, &file)
    }

    /// Opens the key of a match for everybody who may open its cards: writes it into its file, unlocked. `known` is the key if
    /// this program has made it; otherwise it is unlocked with these shares. `Ok(false)` if they do not suffice.
    pub fn release(
        &self,
        header: Head,
        known: Option<&KeyPair>,
        shares: &KeyShares,
    ) -> Result<bool, KeyError> {
        let Some(file) = self.key_file(header)? else { return Ok(true) };
        if !matches!(file.opener(), Some(MatchOpener::Locked(_))) {
            return Ok(true);
        }
        let Some(pair) = known.cloned().or_else(|| file.unlock(shares)) else { return Ok(false) };
        self.replace(header, &MatchKeyFile::open(header, &pair)).map(|()| true)
    }

    fn replace(&self, header: Head, key: &MatchKeyFile) -> Result<(), KeyError> {
        self.prepare()?;
        let file = self.file(header).map_err(|error| KeyError::NoPlace(error.to_string()))?;
        replace_private(&file, text_of(key))
            .and_then(|()| sync_folder(&file))
            .map_err(|error| failed(&file, "written", error))
    }

    /// What this very store remembers of a match; `None` without a note that can be read.
    pub fn noted(&self, of: &MatchName) -> Option<Seen> {
        self.seen(of).ok().flatten().filter(|seen| seen.is_own)
    }

    /// Notes that the sealed cards of this match are going to be shown: `progress` is how far the record has come. `Err` if that
    /// cannot be noted; the cards must not be shown then.
    pub fn note_opening(
        &self,
        of: &MatchName,
        progress: RecordProgress,
        at: &str,
        why: &str,
    ) -> Result<(), KeyError> {
        self.prepare()?;
        let list = self.folder()?.join(OPENINGS);
        let opening = CardOpening {
            at: at.to_owned(),
            begins: of.begins.to_string(),
            uid: of.uid.clone(),
            seq: progress.seq,
            head: progress.head.to_string(),
            why: why.to_owned(),
            sum: None,
        };
        openings::add(&list, opening).map_err(|error| failed(&list, "written", error))
    }

    /// The times at which sealed cards of this match were shown by this store's keys.
    pub fn openings_of(&self, of: &MatchName) -> Vec<CardOpening> {
        self.folder().map(|folder| openings::of_match(&folder.join(OPENINGS), of)).unwrap_or_default()
    }

    /// The list of the times at which sealed cards were shown, if not all of it can be read: what it lacks may be a time at which
    /// cards of this match were shown. `None` also if this store has no key to cards of this match.
    pub fn damaged_openings(&self, of: &MatchName) -> Option<PathBuf> {
        let is_sealed = self.file(of.begins).is_ok_and(|file| file.exists());
        let list = self.folder().ok()?.join(OPENINGS);
        (is_sealed && openings::are_damaged(&list)).then_some(list)
    }

    fn folder(&self) -> Result<&Path, KeyError> {
        self.folder.as_deref().map_err(|error| KeyError::NoPlace(error.to_string()))
    }
}

/// Whether this line may have sealed cards, in a box or not: the names of the fields begin alike.
pub(super) fn may_be_sealed(line: &str) -> bool {
    json::may_have(line, "x-seal")
}

/// Whether one of these lines may have a box.
pub(super) fn has_boxes(lines: &[String]) -> bool {
    lines.iter().any(|line| json::may_have(line, vault::BOX))
}

fn in_line<T>(line: u32, looked: Result<T, BoxError>) -> Result<T, KeyError> {
    looked.map_err(|source| KeyError::Box { line, source })
}

impl KeyStore for Keyring {
    fn missing(&self, header: Head) -> KeyError {
        match self.file(header) {
            Ok(file) => KeyError::Missing { file: tabiya_types::shown(&file) },
            Err(error) => KeyError::NoPlace(error.to_string()),
        }
    }

    fn find(&self, header: Head) -> Result<Option<MatchKey>, KeyError> {
        match self.opener(header)? {
            None => Ok(None),
            Some(MatchOpener::Key { key, .. }) => Ok(Some(key)),
            Some(MatchOpener::Locked(seats)) => {
                let by: Vec<&str> = seats.iter().map(|seat| seat.word()).collect();
                Err(KeyError::Locked { by: by.join(" and ") })
            }
        }
    }

    fn sealer(&self, header: Head) -> Result<Option<Sealer>, KeyError> {
        let Some(file) = self.key_file(header)? else { return Ok(None) };
        file.sealer().map(Some).ok_or_else(|| self.damaged(header))
    }

    fn make(&self, header: Head) -> Result<Sealer, KeyError> {
        let pair = new_pair()?;
        self.write_new(header, &MatchKeyFile::open(header, &pair))?;
        // Another program may have written the key of this match in the meantime.
        self.sealer(header)?.ok_or_else(|| self.missing(header))
    }

    fn seen(&self, of: &MatchName) -> Result<Option<Seen>, KeyError> {
        let Ok(folder) = self.folder() else { return Ok(None) };
        notes::read(folder, of).map_err(|error| {
            let file = notes::file_in(folder, of);
            match error.kind() {
                io::ErrorKind::InvalidData => KeyError::NotSeen { file: tabiya_types::shown(&file) },
                _ => failed(&file, "read", error),
            }
        })
    }

    fn note(
        &self,
        of: &MatchName,
        record: &Path,
        progress: RecordProgress,
        carried_on: bool,
    ) -> Result<(), KeyError> {
        self.prepare()?;
        let folder = self.folder()?;
        notes::write(folder, of, record, progress, carried_on)
            .map_err(|error| failed(&notes::file_in(folder, of), "written", error))
    }

    fn go_on(
        &self,
        of: &MatchName,
        before: Head,
        progress: RecordProgress,
        durable: bool,
    ) -> Result<bool, KeyError> {
        let folder = self.folder()?;
        let mut last = self.note.lock().unwrap_or_else(PoisonError::into_inner);
        notes::go_on(&mut last, folder, of, before, progress, durable)
            .map_err(|error| failed(&notes::file_in(folder, of), "written", error))
    }
}

fn new_pair() -> Result<KeyPair, KeyError> {
    let mut secret = [0; KEY_BYTES];
    getrandom::fill(&mut secret).map_err(|_| KeyError::NoRandomNumbers)?;
    KeyPair::from_secret(secret).ok_or(KeyError::NoRandomNumbers)
}

fn text_of(key: &MatchKeyFile) -> String {
    serde_json::to_string(key).unwrap_or_default() + "\n"
}

fn failed(file: &Path, doing: &'static str, source: io::Error) -> KeyError {
    KeyError::Io { file: tabiya_types::shown(file), doing, source: Arc::new(source) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(nth: u8) -> Head {
        Head::from_bytes([nth; 32])
    }

    #[test]
    fn a_key_is_made_once_and_found_again_by_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = Keyring::in_folder(&folder.path().join("keys"));
        assert!(keys.find(head(1)).expect("no trouble").is_none());
        let sealer = keys.make(head(1)).expect("made");
        assert_eq!(keys.make(head(1)).expect("found"), sealer);
        assert_eq!(keys.sealer(head(1)).expect("no trouble"), Some(sealer.clone()));
        assert!(keys.find(head(1)).expect("no trouble").is_some());
        assert_ne!(keys.make(head(2)).expect("made"), sealer);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode =
                |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
            assert_eq!(mode(&folder.path().join("keys")), 0o700);
            for entry in std::fs::read_dir(folder.path().join("keys")).expect("a folder").flatten() {
                assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
            }
        }
    }

    #[test]
    fn a_file_that_is_no_key_is_told_and_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = Keyring::in_folder(folder.path());
        let file = keys.file(head(1)).expect("a folder");
        for text in ["", "{}", r#"{"header":"","key":"00"}"#] {
            std::fs::write(&file, text).expect("written");
            let error = keys.make(head(1)).expect_err("no key");
            assert!(matches!(error, KeyError::NotAKey { .. }), "{error}");
            assert_eq!(std::fs::read_to_string(&file).expect("still there"), text);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let error = Keyring::in_folder(&file.join("keys")).make(head(1)).expect_err("no folder");
        assert!(matches!(error, KeyError::Io { .. }), "{error}");
    }
}
