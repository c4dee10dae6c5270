//! The keys to the cards that this user's records keep sealed: one file for each match, in the folder `keys`
//! among the records, for nobody else to read. Who takes a file away takes the cards of that match with it.
//!
//! Source: record, "Secrets"; against whom it protects: `docs/record-chain.md`, "Boxes".
#![expect(clippy::disallowed_methods, reason = "keys come from the system's chance")]

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::files::{private_folder, write_private_whole};
use super::folders::{self, NoFolder};
use crate::devices::capture::read_bounded;
use crate::record::chain::Head;
use crate::record::journal::vault::{self, KEY_BYTES, Key, KeyError, Keys};
use crate::record::json;

/// The folder below that for records.
const FOLDER: &str = "keys";
/// No key's file is longer, in bytes.
const LONGEST_FILE: u64 = 1 << 12;

/// The keys in a folder, made when the first key is.
#[derive(Clone, Debug)]
pub struct Keyring {
    folder: Result<PathBuf, NoFolder>,
}

/// What a key's file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    /// The hash of the match's header.
    header: String,
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
    pub fn file(&self, header: Head) -> Result<PathBuf, NoFolder> {
        self.folder.clone().map(|folder| folder.join(format!("{header}.json")))
    }

    /// A line of a journal with its sealed cards open. `Err` says why they cannot be.
    pub fn open(&self, header: Head, line: &Value) -> Result<Value, KeyError> {
        if !vault::is_closed(line) {
            return Ok(line.clone());
        }
        let key = self.find(header)?.ok_or_else(|| {
            let file =
                self.file(header).map_or_else(|error| error.to_string(), |file| file.display().to_string());
            KeyError(format!("the key to this match's sealed cards is not on this computer ({file})"))
        })?;
        vault::open(line, &key).map_err(|error| KeyError(error.to_string()))
    }

    /// The same with a line's text; what does not open stays as it is.
    pub fn open_text(&self, header: Head, text: String) -> String {
        let line = text.contains(vault::BOX).then(|| json::parse(&text).ok()).flatten();
        let opened = line.and_then(|line| self.open(header, &line).ok());
        opened.map_or(text, |line| line.to_string())
    }
}

impl Keys for Keyring {
    fn find(&self, header: Head) -> Result<Option<Key>, KeyError> {
        let Ok(file) = self.file(header) else { return Ok(None) };
        let name = file.display();
        let bytes = match read_bounded(&file, LONGEST_FILE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(KeyError(format!("the key {name} cannot be read: {error}"))),
        };
        let read: Option<KeyFile> = serde_json::from_slice(&bytes).ok();
        let key = read
            .filter(|read| read.header == header.to_string())
            .and_then(|read| Key::from_digits(&read.key));
        key.map(Some).ok_or_else(|| KeyError(format!("{name} is no key of this match; look after the file")))
    }

    fn make(&self, header: Head) -> Result<Key, KeyError> {
        if let Some(key) = self.find(header)? {
            return Ok(key);
        }
        let file = self.file(header).map_err(|error| KeyError(error.to_string()))?;
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|_| KeyError("this computer gives no random numbers for a key".to_owned()))?;
        let key = Key::from_bytes(bytes);
        let text = KeyFile { header: header.to_string(), key: key.digits() };
        let text = serde_json::to_string(&text).unwrap_or_default() + "\n";
        let folder = file.parent().unwrap_or(Path::new("."));
        let written = private_folder(folder).and_then(|()| write_private_whole(&file, &text));
        match written {
            Ok(()) => Ok(key),
            // Another table of this match's name was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self
                .find(header)?
                .ok_or_else(|| KeyError(format!("the key {} cannot be read", file.display()))),
            Err(error) => Err(KeyError(format!("the key {} cannot be written: {error}", file.display()))),
        }
    }
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
        assert_eq!(keys.find(head(1)), Ok(None));
        let key = keys.make(head(1)).expect("made");
        assert_eq!(keys.make(head(1)), Ok(key.clone()));
        assert_eq!(keys.find(head(1)), Ok(Some(key.clone())));
        assert_ne!(keys.make(head(2)), Ok(key));
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
        let file = keys.file(head(1)).expect("a folder");
        for text in ["", "{}", r#"{"header":"","key":"00"}"#] {
            std::fs::write(&file, text).expect("written");
            let told = keys.make(head(1)).expect_err("no key");
            assert!(told.to_string().contains("is no key of this match"), "{told}");
            assert_eq!(std::fs::read_to_string(&file).expect("still there"), text);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let told = Keyring::in_folder(&file.join("keys")).make(head(1)).expect_err("no folder");
        assert!(told.to_string().contains("cannot be"), "{told}");
    }
}
