//! Signed heads that travel: a table's signature that goes to an event's console, which keeps it beside its copy and adds its own.
//!
//! Source: `docs/hall.md`, §4, "`head`".

use std::collections::BTreeMap;
use std::path::Path;

use super::{HeadLine, LONGEST, Point, PublicKey, Signed, TableKey, append, chain, file_of, lines_of, now};
use crate::disk::read_bounded;
use crate::journal::JournalError;

/// A signed head, whose signature holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedHead {
    /// What is signed: a match, a place and the hash there.
    pub point: Point,
    /// The key that has signed it.
    pub key: PublicKey,
}

impl SignedHead {
    /// Reads a line of a file of heads; `None` if it is no signed head, or if its key has not signed it.
    pub fn read(text: &str) -> Option<Self> {
        let line = HeadLine::parse(text)?;
        (line.what == Signed::Head && line.holds()).then_some(Self { point: line.point, key: line.key })
    }

    /// The same head signed by this key now: a line without its end.
    pub fn signed_too(&self, key: &TableKey) -> String {
        HeadLine::sign_at(&self.point, Signed::Head, &now(), key).to_text().trim_end().to_owned()
    }
}

/// The newest head of each match beside a record that this key has signed, each as its line without the end. What cannot be read is
/// passed over.
pub fn newest_lines(record: &Path, by: PublicKey) -> Vec<(String, SignedHead)> {
    let Ok(bytes) = read_bounded(&file_of(record), LONGEST) else { return Vec::new() };
    let mut newest: BTreeMap<(String, [u8; 32]), HeadLine> = BTreeMap::new();
    for line in lines_of(&bytes).into_iter().filter_map(|(_, line)| line) {
        if line.what == Signed::Head && line.key == by {
            newest.insert((line.point.uid.clone(), *line.point.begins.bytes()), line);
        }
    }
    let whole = |line: HeadLine| {
        let text = line.to_text().trim_end().to_owned();
        line.holds().then_some((text, SignedHead { point: line.point, key: line.key }))
    };
    newest.into_values().filter_map(whole).collect()
}

/// The matches that signed heads beside a record are about: each one's unique name, and the hash of its header.
pub fn signed_matches(record: &Path) -> Vec<(String, chain::Head)> {
    let Ok(bytes) = read_bounded(&file_of(record), LONGEST) else { return Vec::new() };
    let lines = lines_of(&bytes).into_iter().filter_map(|(_, line)| line);
    let mut found: Vec<(String, chain::Head)> =
        lines.filter(HeadLine::holds).map(|line| (line.point.uid, line.point.begins)).collect();
    found.sort();
    found.dedup();
    found
}

/// Whether a key for which `knows` holds has signed a match in this record: a head of it stands beside the record, and fits. `head_after`
/// tells the hash of the match at a place.
pub fn is_signed_by(
    record: &Path,
    (uid, begins): (&str, chain::Head),
    knows: impl Fn(&str) -> bool,
    head_after: impl Fn(u64) -> Option<chain::Head>,
) -> bool {
    let about = lines_about(record, uid, begins);
    let signed = about.iter().rev().filter_map(|line| SignedHead::read(line));
    let mut by_known = signed.filter(|signed| knows(&signed.key.to_string()));
    by_known.any(|signed| head_after(signed.point.seq) == Some(signed.point.head))
}

/// The lines of a record's file of heads about the match of this name that begins with this hash, without their ends.
pub fn lines_about(record: &Path, uid: &str, begins: chain::Head) -> Vec<String> {
    let Ok(bytes) = read_bounded(&file_of(record), LONGEST) else { return Vec::new() };
    let lines = lines_of(&bytes).into_iter().filter_map(|(_, line)| line);
    let about = lines.filter(|line| line.point.uid == uid && line.point.begins == begins);
    about.map(|line| line.to_text().trim_end().to_owned()).collect()
}

/// Adds these lines to the heads beside a record, and waits until they are durable.
pub fn keep(record: &Path, lines: &[String]) -> Result<(), JournalError> {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let file = file_of(record);
    append(&file, &text).map_err(|error| JournalError::io(&file, "written", error))
}
