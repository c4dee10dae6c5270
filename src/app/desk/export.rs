//! The match as a file: JSON Lines, PGN or match sheet, as `tabiya export` writes them.

use std::path::{Path, PathBuf};

use super::Desk;
use super::book::Book;
use crate::store::files::{may_write, write_whole};

use tabiya_engine::record::secrets::Exported;
use tabiya_engine::record::{json, pgn, sheet};
use tabiya_types::{Sentence, say};

/// The forms of a match as a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The record itself, sealed cards left out.
    JsonLines,
    /// Portable game notation.
    Pgn,
    /// The terms in plain words.
    Sheet,
}

/// A name without an ending gets the usual one.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    if path.extension().is_some() { path.to_owned() } else { path.with_extension(ending) }
}

impl Desk {
    /// Writes a text into a file that may be written. What is there already is replaced only if the same
    /// is asked for twice.
    pub(super) fn write(&mut self, path: &Path, text: &str) -> Result<Sentence, String> {
        let path = self.place(path)?;
        let evening = self.book.as_ref().map(Book::record);
        let played = self.sitting.as_ref().and_then(|sitting| sitting.record.as_deref());
        let used: Vec<&Path> = evening.into_iter().chain(self.preferences.file()).chain(played).collect();
        may_write(&path, &used)?;
        let name = path.display().to_string();
        // A pipe that nobody reads would hold the clocks up.
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(format!("{name}: this is no file; name one"));
        }
        if path.is_file() && self.replacing.as_ref() != Some(&path) {
            self.replacing = Some(path);
            return Err(format!("{name}: there is such a file; ask once more to replace it"));
        }
        self.replacing = None;
        write_whole(&path, text).map_err(|error| format!("{name}: cannot be written: {error}"))?;
        Ok(say!("written", "written: {path}", path = name))
    }

    /// A file as people name it: `~` is their home, and a bare name lies beside the evening's records.
    pub(super) fn place(&self, path: &Path) -> Result<PathBuf, String> {
        let beside = self.around.evenings.join(path);
        let home = self.around.home.as_ref().filter(|_| path.starts_with("~"));
        let path = match (home, path.strip_prefix("~")) {
            (Some(home), Ok(rest)) => home.join(rest),
            _ => beside,
        };
        std::path::absolute(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the match; returns a sentence that says where.
    pub(super) fn export(&mut self, format: Format, path: &Path) -> Result<Sentence, String> {
        let session = || self.sitting.as_ref().map(|sitting| &sitting.session);
        let (replay, lines, head) = match (&self.shelf, session()) {
            (Some(taken), _) => (&taken.replay, &*taken.lines, Some(taken.head.clone())),
            (None, Some(session)) => (session.replay(), session.lines(), session.head()),
            (None, None) => return Err("there is no match to write".to_owned()),
        };
        let text = match format {
            Format::Pgn => pgn::text(replay, head.as_deref()),
            Format::Sheet => sheet::text(replay.header(), head.as_deref()),
            Format::JsonLines => {
                let header = replay.header().line();
                let lines = std::iter::once(header).chain(lines.iter().map(ToString::to_string));
                let values = (1..).zip(lines).map(|(number, line)| Ok((number, json::parse(&line)?)));
                let values: Result<Vec<_>, json::JsonError> = values.collect();
                Exported::new(replay, values.map_err(|error| error.to_string())?).to_text()
            }
        };
        let ending = match format {
            Format::Pgn => "pgn",
            Format::Sheet => "txt",
            Format::JsonLines => "jsonl",
        };
        self.write(&with_ending(path, ending), &text)
    }
}
