//! The story of a match as text: what happened, line by line, in the language of its readers.

use tabiya_engine::record::Header;
use tabiya_engine::table::{LogLine, Table};
use tabiya_text::Words;
use tabiya_types::{Millis, harmless};

/// The story as lines of text: who plays what, then each event with its moment.
pub fn text(header: &Header, entries: &[LogLine], words: &Words) -> String {
    let agreement = &header.agreement;
    let mut lines = vec![format!("{}: {} – {}", agreement.game, agreement.players.a, agreement.players.b)];
    lines.extend(header.start.iter().cloned());
    lines.extend(
        entries.iter().map(|entry| {
            format!("{:>8}  {}", Millis(entry.at.millis()).to_string(), words.said(&entry.text))
        }),
    );
    lines.iter().map(|line| harmless(line) + "\n").collect()
}

/// The entries that may be given away.
pub fn public(mut entries: Vec<LogLine>, table: &Table) -> Vec<LogLine> {
    entries.retain(|entry| entry.to.open_to_players(table.match_over()));
    entries
}
