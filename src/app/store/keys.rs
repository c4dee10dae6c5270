//! This user's keys, in the folder `keys` beside the records, readable by their owner alone: one file per match for its
//! sealed cards, without which they cannot be opened, and one file for the key with which the table signs.
//!
//! Source: `docs/record.md`, "Secrets"; against whom the keys protect: `docs/record-chain.md`, "Boxes".
#![expect(clippy::disallowed_methods, reason = "keys come from the system's chance")]

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabiya_boards::capture::read_bounded;
use tabiya_engine::record::chain::{self, Head, ShownCards};
use tabiya_engine::record::json;

use super::files::{private_folder, write_private_whole};
use super::folders::{self, NoFolder};
use super::signing::{TableKey, TableKeyFile};
use crate::store::journal::Journal;
use crate::store::journal::vault::{self, BoxError, KEY_BYTES, KeyError, KeyStore, MatchKey, Seen};

/// The folder's name in the data folder.
const FOLDER: &str = "keys";
/// The name of the file with the table's own key.
const TABLE_KEY: &str = "table.json";
/// The longest key file that is read, in bytes.
const LONGEST_FILE: u64 = 1 << 13;
/// The length of a file that says how far a record has come, in bytes. A path has at most 4096 bytes.
const NOTE_BYTES: usize = 1 << 13;

/// The keys in a folder. The folder is created together with its first key.
#[derive(Clone, Debug)]
pub struct Keyring {
    folder: Result<PathBuf, NoFolder>,
}

/// A record whose sealed cards somebody wants to open.
#[derive(Clone, Copy, Debug)]
pub struct SealedRecord<'a> {
    /// The record's file.
    pub path: &'a Path,
    /// The hash after the header, and after each line.
    pub heads: &'a [Head],
}

impl SealedRecord<'_> {
    /// The hash of the match's header.
    fn begins(&self) -> Head {
        self.heads.first().copied().unwrap_or(Head::from_bytes([0; 32]))
    }
}

/// The content of a key file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    /// The hash of the match's header.
    header: String,
    key: String,
}

/// The content of the file beside a key that says how far the match's record has come.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenFile {
    /// The hash after the newest line.
    head: String,
    /// The number of lines after the header.
    seq: u64,
    /// The record's file.
    record: PathBuf,
}

impl Keyring {
    /// The keys in this user's data folder.
    pub fn usual() -> Self {
        Self { folder: folders::data().map(|data| data.join(FOLDER)) }
    }

    /// The keys beside the records in this folder.
    pub fn beside_records(records: &Path) -> Self {
        Self::in_folder(&records.join(FOLDER))
    }

    /// The keys in the given folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: Ok(folder.to_owned()) }
    }

    /// The path of a match's key file, which need not exist.
    pub fn file(&self, header: Head) -> Result<PathBuf, NoFolder> {
        self.folder.clone().map(|folder| folder.join(format!("{header}.json")))
    }

    /// The key with which this computer's table signs, if it has been made.
    pub fn find_table_key(&self) -> Result<Option<TableKey>, KeyError> {
        let Ok(file) = self.table_key_file() else { return Ok(None) };
        let bytes = match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&file, "read", error)),
        };
        let read: Option<TableKeyFile> = serde_json::from_slice(&bytes).ok();
        let key = read.and_then(|read| read.key());
        key.map(Some).ok_or_else(|| KeyError::NotATableKey { file: tabiya_types::shown(&file) })
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

    /// Creates the folder for keys. `Err` if no folder for keys is known, or if it cannot be created.
    pub fn prepare(&self) -> Result<(), KeyError> {
        let folder = self.folder.as_ref().map_err(|error| KeyError::NoPlace(error.to_string()))?;
        private_folder(folder).map_err(|source| failed(folder, "written", source))
    }

    /// Opens the sealed cards in the lines after a match's header, if this user has the match's key and this is the
    /// match's own record with all its lines. Returns the lines, and the first reason why some cards stay closed.
    pub fn open(&self, record: SealedRecord<'_>, lines: Vec<String>) -> (Vec<String>, Option<KeyError>) {
        let (mut key, mut closed) = (None, None);
        let lines = (2..).zip(lines).map(|(number, text)| {
            // Most lines have no seals and need not be parsed.
            let deal = text.contains("x-seal").then(|| json::parse(&text).ok()).flatten();
            let Some(line) = deal else { return text };
            let opened = if vault::is_closed(&line) {
                self.key_to(record, &mut key).and_then(|key| {
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

    /// The file in which the table wrote this match last, if that is another one than `path`. Rulings belong there.
    pub fn written_elsewhere(&self, header: Head, path: &Path) -> Option<PathBuf> {
        let place = |path: &Path| std::fs::canonicalize(path).ok();
        let seen = self.seen(header).ok().flatten()?;
        (place(&seen.record) != place(path)).then_some(seen.record)
    }

    fn seen_file(&self, header: Head) -> Result<PathBuf, KeyError> {
        let file = self.file(header).map_err(|error| KeyError::NoPlace(error.to_string()))?;
        Ok(file.with_extension("seen"))
    }

    /// The key of a match. The first call reads the key's file and keeps the key in `found`; later calls take it from
    /// there.
    fn key_to<'a>(
        &self,
        record: SealedRecord<'_>,
        found: &'a mut Option<MatchKey>,
    ) -> Result<&'a MatchKey, KeyError> {
        let key = if let Some(key) = found.take() {
            key
        } else {
            let key = self.find(record.begins())?.ok_or_else(|| self.missing(record.begins()))?;
            let heads = |seq| usize::try_from(seq).ok().and_then(|seq| record.heads.get(seq).copied());
            is_own(self.seen(record.begins())?, record.begins(), record.path, heads)?;
            key
        };
        Ok(found.insert(key))
    }
}

/// Checks that a record is the match's own: that it has every line which the store has seen, and that no other file has the
/// name of the record in which they were written. `head_after` gives its hash after so many lines. A match of which the store
/// has seen nothing, because its key came from another computer, passes.
pub(super) fn is_own(
    seen: Option<Seen>,
    begins: Head,
    record: &Path,
    head_after: impl FnOnce(u64) -> Option<Head>,
) -> Result<(), KeyError> {
    let Some(seen) = seen else { return Ok(()) };
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    let is_elsewhere = || match Journal::open_read(&seen.record).and_then(|journal| journal.matches()) {
        Ok(matches) => matches.iter().any(|info| info.begins == begins),
        Err(_) => false,
    };
    if place(&seen.record) != place(record) && is_elsewhere() {
        return Err(KeyError::Copy { original: seen.record });
    }
    if head_after(seen.seq) == Some(seen.head) {
        Ok(())
    } else {
        Err(KeyError::Behind { line: seen.seq + 1, original: seen.record })
    }
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
        let Ok(file) = self.file(header) else { return Ok(None) };
        let bytes = match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&file, "read", error)),
        };
        let read: Option<KeyFile> = serde_json::from_slice(&bytes).ok();
        let key = read
            .filter(|read| read.header == header.to_string())
            .and_then(|read| MatchKey::from_digits(&read.key));
        key.map(Some).ok_or_else(|| KeyError::NotAKey { file: tabiya_types::shown(&file) })
    }

    fn find_or_make(&self, header: Head) -> Result<MatchKey, KeyError> {
        if let Some(key) = self.find(header)? {
            return Ok(key);
        }
        self.prepare()?;
        let file = self.file(header).map_err(|error| KeyError::NoPlace(error.to_string()))?;
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(|_| KeyError::NoRandomNumbers)?;
        let key = MatchKey::from_bytes(bytes);
        let text = KeyFile { header: header.to_string(), key: key.digits() };
        let text = serde_json::to_string(&text).unwrap_or_default() + "\n";
        match write_private_whole(&file, &text) {
            Ok(()) => Ok(key),
            // Another program has written the key of this match in the meantime.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.find(header)?.ok_or_else(|| self.missing(header))
            }
            Err(error) => Err(failed(&file, "written", error)),
        }
    }

    fn seen(&self, header: Head) -> Result<Option<Seen>, KeyError> {
        let Ok(file) = self.seen_file(header) else { return Ok(None) };
        let text = match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => String::from_utf8(bytes).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&file, "read", error)),
        };
        let read: Option<SeenFile> = serde_json::from_str(&text).ok();
        let head = read.as_ref().and_then(|read| chain::unhex(&read.head)?.try_into().ok());
        match (read, head) {
            (Some(SeenFile { seq, record, .. }), Some(head)) => {
                Ok(Some(Seen { record, seq, head: Head::from_bytes(head) }))
            }
            _ => Err(KeyError::NotSeen { file: tabiya_types::shown(&file) }),
        }
    }

    fn note(&self, header: Head, seen: &Seen) -> Result<(), KeyError> {
        let file = self.seen_file(header)?;
        let Seen { record, seq, head } = seen;
        let record = std::fs::canonicalize(record).unwrap_or_else(|_| record.clone());
        let note = SeenFile { head: head.to_string(), seq: *seq, record };
        let text = padded(&note).map_err(|error| failed(&file, "written", error))?;
        // A file of one length is written in place, so that it holds one note or the other after a crash. Not synced: after
        // a power cut the store may have seen less than the record has, which closes nothing.
        let written = match File::options().write(true).open(&file) {
            Ok(mut open) => open.write_all(text.as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => write_private_whole(&file, &text),
            Err(error) => Err(error),
        };
        written.map_err(|error| failed(&file, "written", error))
    }
}

/// A note as text, filled with blanks to [`NOTE_BYTES`]. `Err` for a path that is no text, or too long.
fn padded(note: &SeenFile) -> io::Result<String> {
    let mut text = serde_json::to_string(note).map_err(io::Error::other)?;
    let blanks = (NOTE_BYTES - 1).checked_sub(text.len()).ok_or(io::ErrorKind::InvalidFilename)?;
    text.extend(std::iter::repeat_n(' ', blanks));
    text.push('\n');
    Ok(text)
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
        let key = keys.find_or_make(head(1)).expect("made");
        assert_eq!(keys.find_or_make(head(1)).expect("found"), key);
        assert_eq!(keys.find(head(1)).expect("no trouble"), Some(key.clone()));
        assert_ne!(keys.find_or_make(head(2)).expect("made"), key);
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
            let error = keys.find_or_make(head(1)).expect_err("no key");
            assert!(matches!(error, KeyError::NotAKey { .. }), "{error}");
            assert_eq!(std::fs::read_to_string(&file).expect("still there"), text);
        }
    }

    #[test]
    fn a_note_has_one_length_whatever_letters_its_path_has() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = Keyring::in_folder(folder.path());
        for (nth, name) in (1..).zip(["e.tabiya", "Jörg spielt.tabiya", "Люба.tabiya"]) {
            let seen = Seen { record: folder.path().join(name), seq: nth, head: head(2) };
            keys.note(head(1), &seen).expect("noted");
            assert_eq!(keys.seen(head(1)).expect("read"), Some(seen));
            let file = keys.seen_file(head(1)).expect("a folder");
            assert_eq!(std::fs::metadata(file).expect("there").len(), NOTE_BYTES as u64, "{name}");
        }
        let long = Seen { record: folder.path().join("x".repeat(NOTE_BYTES)), seq: 9, head: head(3) };
        keys.note(head(1), &long).expect_err("a path that no system has");
        assert_eq!(keys.seen(head(1)).expect("read").map(|seen| seen.seq), Some(3), "the older note stays");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let error = Keyring::in_folder(&file.join("keys")).find_or_make(head(1)).expect_err("no folder");
        assert!(matches!(error, KeyError::Io { .. }), "{error}");
    }
}
