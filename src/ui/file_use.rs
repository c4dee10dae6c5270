//! What the files that people choose are for, and what is done with them.

use std::path::PathBuf;

use tabiya_app::desk::{BoardWish, Format, Wish};

/// What a chosen file is for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum FileUse {
    /// The match on the screen is written to it in this format.
    Export(Format),
    /// The evening's results are written to it.
    Results,
    /// This text is written to it.
    Text(String),
    /// A report of a fault is written to it.
    Report,
    /// The board's raw bytes are saved in it.
    Capture,
    /// The record in it is shown.
    OpenRecord,
    /// The cards of Chess Joker in it are used.
    Cards,
    /// The tables in it are opened: that is for the window, not for a desk.
    Tables,
}

impl FileUse {
    /// The usual ending of the file's name, and the text that names such files.
    pub(super) fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Self::Export(format) => match format {
                Format::Pgn => (format.ending(), "write-pgn"),
                Format::JsonLines => (format.ending(), "write-jsonl"),
                Format::Sheet => (format.ending(), "write-sheet"),
                Format::Story => (format.ending(), "write-story"),
            },
            Self::Results => ("csv", "write-csv"),
            Self::Text(_) => ("txt", "save-as"),
            Self::Report => ("jsonl", "fault-write"),
            Self::Capture => ("jsonl", "capture-file"),
            Self::OpenRecord => ("tabiya", "open-record"),
            Self::Cards => ("toml", "choose-card-file"),
            Self::Tables => ("toml", "several-open"),
        }
    }

    /// What a desk is to do with a file of this name, if it is for a desk.
    pub(super) fn wish(self, path: PathBuf) -> Option<Wish> {
        Some(match self {
            Self::Export(format) => Wish::Export(format, path),
            Self::Results => Wish::Results(path),
            Self::Text(text) => Wish::SaveText(text, path),
            Self::Report => Wish::Report(path),
            Self::Capture => Wish::Board(BoardWish::Capture(Some(path))),
            Self::OpenRecord => Wish::OpenRecord(path),
            Self::Cards => Wish::UseCards(Some(path)),
            Self::Tables => return None,
        })
    }

    /// What is to be done with the file that people chose. The dialog has already asked whether it may be replaced.
    pub(super) fn chosen(self, path: PathBuf) -> Vec<Wish> {
        let replace = matches!(self, Self::Export(_) | Self::Results | Self::Text(_) | Self::Report);
        // Without an ending the desk adds one, and the file with that ending was not asked about.
        let agreed = (replace && path.extension().is_some()).then(|| Wish::Replace(path.clone()));
        agreed.into_iter().chain(self.wish(path)).collect()
    }
}
