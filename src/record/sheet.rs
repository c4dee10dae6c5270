//! The match sheet: the terms that both players read and sign.
//!
//! The terms are those in force, so they include what `next` has changed. The lines before and after the terms identify
//! the record.
#![warn(clippy::indexing_slicing)]

use tabiya_types::{Sentence, say};

use super::replay::Replay;

/// Returns the lines of the match sheet. `head` is the hash after the record's last line, if known.
pub fn lines(replay: &Replay, head: Option<&str>) -> Vec<Sentence> {
    let header = replay.header();
    let mut lines = Vec::new();
    lines.extend(header.id.clone().map(|id| say!("sheet-match", "match: {id}", id)));
    lines.extend(header.start.clone().map(|start| say!("sheet-begun", "begun: {start}", start)));
    lines.extend(replay.table().agreement().sheet());
    lines.extend(head.map(|head| say!("sheet-head", "head of the record: {head}", head = head.to_owned())));
    lines.into_iter().map(Sentence::harmless).collect()
}
