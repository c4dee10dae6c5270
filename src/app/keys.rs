//! The keys to the cards that this user's records keep sealed: one file for each match, in the folder `keys`
//! among the records, for nobody else to read. Who takes a file away takes the cards of that match with it.
//!
//! Source: record, "Secrets"; against whom it protects: `docs/record-chain.md`, "Boxes".
#![expect(clippy::disallowed_methods, reason = "keys come from the system's chance")]

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::files::{private_folder, write_private_whole};
use super::folders::{self, NoFolder};
use crate::devices::capture::read_bounded;
use crate::record::journal::vault::{self, KEY_BYTES, Key, KeyError, Keys};
use crate::record::json;

/// The folder below that for records.
const FOLDER: &str = "keys";
/// No key's file is longer, in bytes: a match's name may be long.
const LONGEST_FILE: u64 = 1 << 16;
/// How many bytes of a name's hash a file is called by.
const NAME_BYTES: usize = 16;

/// The keys in a folder, made when the first key is.
#[derive(Clone, Debug)]
pub struct Keyring {
    folder: Result<PathBuf, NoFolder>,
}

/// What a key's file holds: the match, so that people can tell whose it is, and the key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    #[serde(rename = "match")]
    uid: String,
    key: String,
}

impl Keyring {
    /// This user's.
    pub fn usual() -> Self {
        Self { folder: folders::data().map(|data| data.join(FOLDER)) }
    }

    /// Those in a folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: Ok(folder.to_owned()) }
    }

    /// Where the key of a match lies, or would lie.
    pub fn file(&self, uid: &str) -> Result<PathBuf, NoFolder> {
        let digest = Sha256::digest(uid);
        let half = digest.first_chunk::<NAME_BYTES>().map_or(u128::MAX, |half| u128::from_be_bytes(*half));
        self.folder.clone().map(|folder| folder.join(format!("{half:032x}.json")))
    }

    /// A line of a journal with its sealed cards open. `Err` says why they cannot be.
    pub fn open(&self, uid: &str, line: &Value) -> Result<Value, KeyError> {
        if !vault::is_closed(line) {
            return Ok(line.clone());
        }
        let key = self.find(uid)?.ok_or_else(|| {
            let file =
                self.file(uid).map_or_else(|error| error.to_string(), |file| file.display().to_string());
            KeyError(format!("the key to this match's sealed cards is not on this computer ({file})"))
        })?;
        vault::open(line, &key).map_err(|error| KeyError(error.to_string()))
    }

    /// The same with a line's text; what does not open stays as it is.
    pub fn open_text(&self, uid: &str, text: String) -> String {
        let line = text.contains(vault::BOX).then(|| json::parse(&text).ok()).flatten();
        let opened = line.and_then(|line| self.open(uid, &line).ok());
        opened.map_or(text, |line| line.to_string())
    }
}

impl Keys for Keyring {
    fn find(&self, uid: &str) -> Result<Option<Key>, KeyError> {
        let Ok(file) = self.file(uid) else { return Ok(None) };
        let name = file.display();
        let bytes = match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(KeyError(format!("the key {name} cannot be read: {error}"))),
        };
        let read: Option<KeyFile> = serde_json::from_slice(&bytes).ok();
        let key = read.filter(|read| read.uid == uid).and_then(|read| Key::from_digits(&read.key));
        key.map(Some).ok_or_else(|| KeyError(format!("{name} is no key of this match; look after the file")))
    }

    fn make(&self, uid: &str) -> Result<Key, KeyError> {
        if let Some(key) = self.find(uid)? {
            return Ok(key);
        }
        let file = self.file(uid).map_err(|error| KeyError(error.to_string()))?;
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|_| KeyError("this computer gives no random numbers for a key".to_owned()))?;
        let key = Key::from_bytes(bytes);
        let text = KeyFile { uid: uid.to_owned(), key: key.digits() };
        let text = serde_json::to_string(&text).unwrap_or_default() + "\n";
        let folder = file.parent().unwrap_or(Path::new("."));
        let written = private_folder(folder).and_then(|()| write_private_whole(&file, &text));
        match written {
            Ok(()) => Ok(key),
            // Another table of this match's name was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.find(uid)?.ok_or_else(|| KeyError(format!("the key {} cannot be read", file.display())))
            }
            Err(error) => Err(KeyError(format!("the key {} cannot be written: {error}", file.display()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_found_again_by_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = Keyring::in_folder(&folder.path().join("keys"));
        assert_eq!(keys.find("evening/1"), Ok(None));
        let key = keys.make("evening/1").expect("made");
        assert_eq!(keys.make("evening/1"), Ok(key.clone()));
        assert_eq!(keys.find("evening/1"), Ok(Some(key.clone())));
        assert_ne!(keys.make("evening/2"), Ok(key));
        #[cfg(unix)]
        for entry in std::fs::read_dir(folder.path().join("keys")).expect("a folder").flatten() {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(entry.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_file_that_is_no_key_is_told_and_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = Keyring::in_folder(folder.path());
        let file = keys.file("m").expect("a folder");
        for text in ["", "{}", r#"{"match":"m","key":"00"}"#, r#"{"match":"n","key":""}"#] {
            std::fs::write(&file, text).expect("written");
            let told = keys.make("m").expect_err("no key");
            assert!(told.to_string().contains("is no key of this match"), "{told}");
            assert_eq!(std::fs::read_to_string(&file).expect("still there"), text);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let told = Keyring::in_folder(&file.join("keys")).make("m").expect_err("no folder");
        assert!(told.to_string().contains("cannot be"), "{told}");
    }
}
