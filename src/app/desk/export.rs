//! The match as a file: JSON Lines, PGN or match sheet, as `tabiya export` writes them.

use std::path::Path;

use super::Desk;
use crate::app::session::write_whole;
use crate::record::secrets::Exported;
use crate::record::{json, pgn, sheet};
use crate::rules::{Sentence, say};

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

impl Desk {
    /// Writes the match; returns a sentence that says where.
    pub(super) fn export(&self, format: Format, path: &Path) -> Result<Sentence, String> {
        let sitting = self.sitting.as_ref().ok_or("there is no match to write")?;
        let session = &sitting.session;
        let replay = session.replay();
        let head = session.head();
        let text = match format {
            Format::Pgn => pgn::text(replay, head.as_deref()),
            Format::Sheet => sheet::text(replay.header(), head.as_deref()),
            Format::JsonLines => {
                let header = replay.header().line();
                let lines = std::iter::once(header).chain(session.lines().iter().map(ToString::to_string));
                let values = (1..).zip(lines).map(|(number, line)| Ok((number, json::parse(&line)?)));
                let values: Result<Vec<_>, json::JsonError> = values.collect();
                Exported::new(replay, values.map_err(|error| error.to_string())?).to_text()
            }
        };
        write_new(path, &text)
    }
}

/// Writes a file that is not a record.
pub(super) fn write_new(path: &Path, text: &str) -> Result<Sentence, String> {
    if path.extension().is_some_and(|ending| ending == "tabiya") {
        return Err(format!("{}: this is the name of a record; choose another ending", path.display()));
    }
    write_whole(path, text).map_err(|error| format!("{}: cannot be written: {error}", path.display()))?;
    Ok(say!("written", "written: {path}", path = path.display().to_string()))
}
