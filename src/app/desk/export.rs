//! Exports a match as a JSON Lines file, a PGN file or a match sheet, with the same contents as `tabiya export`.

use tabiya_engine::record::secrets::Exported;
use tabiya_engine::record::{Header, Line, MatchLog, Replay, pgn, sheet};
use tabiya_engine::table::LogLine;
use tabiya_text::Words;

use crate::story;

/// The file formats of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The record itself as JSON Lines, without sealed cards.
    JsonLines,
    /// Portable game notation.
    Pgn,
    /// The match sheet: the terms in plain words.
    Sheet,
    /// The story of the match, in the language of the screens.
    Story,
}

impl Format {
    /// The file extension of this format.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Sheet | Self::Story => "txt",
            Self::JsonLines => "jsonl",
        }
    }

    /// Returns a match as text in this format.
    pub fn text(self, replay: &Replay, lines: &[Line], head: Option<&str>, words: &Words) -> String {
        match self {
            Self::Pgn => pgn::text(replay, head),
            Self::Sheet => sheet::lines(replay, head).iter().map(|line| words.said(line) + "\n").collect(),
            Self::Story => story::text(replay.header(), &logged(replay.header(), lines), words),
            Self::JsonLines => Exported::of(replay, lines).to_text(),
        }
    }
}

/// The events of a match. Lines that the rules refuse are passed over, as in the match itself.
fn logged(header: &Header, lines: &[Line]) -> Vec<LogLine> {
    let mut replay = Replay::new(header.clone());
    let mut log = MatchLog::new(replay.table());
    for (line, number) in lines.iter().zip(2..) {
        let _ = replay.take_before(number, line, &mut log);
    }
    story::public(log.into_entries(), replay.table())
}
