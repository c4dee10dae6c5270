//! Exports a match as a JSON Lines file, a PGN file or a match sheet, with the same contents as `tabiya export`.

use qrcodegen::{QrCode, QrCodeEcc};
use tabiya_engine::record::proof::Proof;
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
    /// The usual ending of a file in this format.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Sheet | Self::Story => "txt",
            Self::JsonLines => "jsonl",
        }
    }

    /// Returns a match as text in this format.
    pub fn text(self, replay: &Replay, lines: &[Line], proof: Proof<'_>, words: &Words) -> String {
        match self {
            Self::Pgn => pgn::text(replay, proof),
            Self::Sheet => match_sheet(replay, proof, words),
            Self::Story => story::text(replay.header(), &logged(replay.header(), lines), words),
            Self::JsonLines => Exported::of(replay, lines).to_text(),
        }
    }
}

/// The match sheet as text. A signed head is there as a QR code too, so that a photograph of the sheet proves the record.
pub fn match_sheet(replay: &Replay, proof: Proof<'_>, words: &Words) -> String {
    let mut text: String = sheet::lines(replay, proof).iter().map(|line| words.said(line) + "\n").collect();
    if let Some(code) = proof.signed.and_then(|signed| qr_code(&signed.code())) {
        text.push('\n');
        text.push_str(&code);
    }
    text
}

/// A QR code of half blocks, two rows in a line of text, for dark text on light paper. `None` if the text is too long.
fn qr_code(text: &str) -> Option<String> {
    const QUIET: i32 = 4;
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let edge = code.size() + QUIET;
    let mut drawn = String::new();
    for y in (-QUIET..edge).step_by(2) {
        let row = (-QUIET..edge).map(|x| match (code.get_module(x, y), code.get_module(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        });
        let row: String = row.collect();
        drawn.push_str(row.trim_end());
        drawn.push('\n');
    }
    Some(drawn)
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
