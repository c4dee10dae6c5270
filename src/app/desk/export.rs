//! Exports a match as a JSON Lines file, a PGN file or a match sheet, with the same contents as `tabiya export`.

use tabiya_engine::record::secrets::Exported;
use tabiya_engine::record::{Line, Replay, pgn, sheet};

/// The file formats of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The record itself as JSON Lines, without sealed cards.
    JsonLines,
    /// Portable game notation.
    Pgn,
    /// The match sheet: the terms in plain words.
    Sheet,
}

impl Format {
    /// The file extension of this format.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Sheet => "txt",
            Self::JsonLines => "jsonl",
        }
    }

    /// Returns a match as text in this format.
    pub(super) fn text(self, replay: &Replay, lines: &[Line], head: Option<&str>) -> String {
        match self {
            Self::Pgn => pgn::text(replay, head),
            Self::Sheet => sheet::text(replay.header(), head),
            Self::JsonLines => Exported::of(replay, lines).to_text(),
        }
    }
}
