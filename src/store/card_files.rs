//! Opens the file with the players' cards (Chess Joker). What stands in it is read by `record::card_file`.

use std::fmt::Write as _;
use std::path::Path;

use crate::disk::read_bounded;
use sha2::{Digest as _, Sha256};
use tabiya_engine::record::card_file::{CardFile, CardFileForm};
use tabiya_engine::rules::Group;
use tabiya_types::{Sentence, say};

/// The largest card file that is read, in bytes. A whole deck with all its texts has some hundred thousand.
pub const LARGEST: u64 = 1 << 20;

/// The sentence that something is wrong with this file.
pub fn wrong(path: &Path, what: Sentence) -> Sentence {
    let file = tabiya_types::shown(path);
    say!("card-file-wrong", "{file}: {what}", file, what)
}

fn no_text() -> Sentence {
    say!("card-file-no-text", "this file is no text in UTF-8")
}

fn unread(error: &std::io::Error) -> Sentence {
    say!("card-file-unread", "the file cannot be read: {error}", error = error.to_string())
}

/// The text of a card file; empty if there is no such file yet. `Err` is a sentence that names the file.
pub fn text(path: &Path) -> Result<String, Sentence> {
    match read_bounded(path, LARGEST) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| wrong(path, no_text())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(wrong(path, unread(&error))),
    }
}

/// Reads a card file, and makes the term `cards` that names it. `Err` is a sentence that names the file.
pub fn read(path: &Path) -> Result<(CardFile, Group), Sentence> {
    let wrong = |what: Sentence| wrong(path, what);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let form = CardFileForm::of_ending(ending)
        .ok_or_else(|| wrong(say!("card-file-ending", "a card file ends in .toml, .json or .csv")))?;
    let bytes = read_bounded(path, LARGEST).map_err(|error| wrong(unread(&error)))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong(no_text()))?;
    let file = CardFile::read(form, text).map_err(|what| wrong(what.harmless()))?;
    let mut hash = String::new();
    for byte in Sha256::digest(&bytes) {
        write!(hash, "{byte:02x}").expect("a text takes more letters");
    }
    let mut term = Group::new().with("sha256", hash);
    if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
        term.set("name", name);
    }
    Ok((file, term))
}
