//! Exports a match as a JSON Lines file, a PGN file or a match sheet, with the same contents as `tabiya export`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use qrcodegen::{QrCode, QrCodeEcc};
use serde_json::Value;
use tabiya_engine::record::proof::Proof;
use tabiya_engine::record::secrets::Exported;
use tabiya_engine::record::{Header, Line, MatchLog, Replay, json, pgn, sheet};
use tabiya_engine::rules::GAMES;
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
            Self::JsonLines => Exported::of(replay, lines).into_text(),
        }
    }
}

/// How much of a file is read to recognise an export, in bytes.
const LONGEST_START: u64 = 1 << 26;

impl Format {
    /// Whether a file begins as an export in this format, so that it may be replaced by a newer one. A match sheet has no
    /// beginning of its own and is never recognised. `false` if the file cannot be read.
    pub fn is_of(self, path: &Path) -> bool {
        let mut start = Vec::new();
        // Opening a pipe would wait for ever.
        let is_file = path.metadata().is_ok_and(|found| found.is_file());
        let mut read = || File::open(path)?.take(LONGEST_START).read_to_end(&mut start);
        if !is_file || read().is_err() {
            return false;
        }
        let cut = start.len() as u64 == LONGEST_START;
        let text = String::from_utf8_lossy(&start);
        let first = text.lines().next().unwrap_or_default();
        match self {
            Self::JsonLines => {
                json::parse(first).is_ok_and(|line| line.get("tabiya").is_some_and(Value::is_number))
            }
            Self::Pgn => {
                let text = text.replace("\r\n", "\n");
                let parts = text.split("\n\n").map(str::trim_start);
                // Somebody may have collected his own games behind an export, also behind what was read.
                let mut tags = parts.filter(|part| part.starts_with('[')).peekable();
                let has_tag = |tags: &str| tags.lines().any(|tag| tag.starts_with("[TabiyaGame \""));
                !cut && tags.peek().is_some() && tags.all(has_tag)
            }
            Self::Story => GAMES.iter().any(|game| {
                let players = first.strip_prefix(game.name()).and_then(|rest| rest.strip_prefix(": "));
                players.is_some_and(|players| players.contains(" – "))
            }),
            Self::Sheet => false,
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
