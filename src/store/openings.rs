//! The list of the times at which sealed cards were shown, in the store of keys. Lines are only ever added, each before the
//! cards are shown. Whoever puts the record back afterwards to what it was has this list against him.
//!
//! Source: `docs/record-chain.md`, "Boxes".

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use crate::disk::read_bounded;
use serde::{Deserialize, Serialize};

use super::notes::MatchName;
use super::sums::sum_of;

/// The longest list that is read, in bytes.
const LONGEST: u64 = 1 << 24;

/// One time at which sealed cards were shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardOpening {
    /// The date, by the computer's calendar (RFC 3339, UTC).
    pub at: String,
    /// The hash of the match's header.
    pub begins: String,
    /// The match's unique name.
    pub uid: String,
    /// The number of lines after the header that the record had then.
    pub seq: u64,
    /// The hash after the last of them.
    pub head: String,
    /// Why they were shown: the arbiter's reason, or that both players have agreed.
    pub why: String,
    /// The sum of the rest; lines of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sum: Option<String>,
}

/// Adds a line to the list, which is on the disk when this returns.
pub(super) fn add(list: &Path, mut opening: CardOpening) -> io::Result<()> {
    if std::fs::metadata(list).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file"));
    }
    let mut options = File::options();
    options.append(true).create(true);
    crate::platform::owner_only(&mut options);
    let mut file = options.open(list)?;
    opening.sum = Some(sum_of(&opening));
    // A line that a power cut tore ends here, so that it takes no other line with it.
    file.write_all(format!("\n{}\n", serde_json::to_string(&opening).map_err(io::Error::other)?).as_bytes())?;
    file.sync_all()
}

/// The times at which sealed cards of this match were shown, as far as the list can be read.
pub(super) fn of_match(list: &Path, of: &MatchName) -> Vec<CardOpening> {
    let all = read(list).unwrap_or_default().into_iter().flatten();
    all.filter(|opening| opening.begins == of.begins.to_string() && opening.uid == of.uid).collect()
}

/// Whether the list is there and not all of it can be read.
pub(super) fn are_damaged(list: &Path) -> bool {
    read(list).map_or_else(
        |error| error.kind() != io::ErrorKind::NotFound,
        |lines| lines.iter().any(Option::is_none),
    )
}

/// The lines of the list; `None` for one that is damaged.
fn read(list: &Path) -> io::Result<Vec<Option<CardOpening>>> {
    let bytes = read_bounded(list, LONGEST)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter(|line| !line.is_empty()).map(CardOpening::parse).collect())
}

impl CardOpening {
    fn parse(line: &str) -> Option<Self> {
        let mut read: Self = serde_json::from_str(line).ok()?;
        let sum = read.sum.take();
        sum.is_none_or(|sum| sum == sum_of(&read)).then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_engine::record::chain::Head;

    use super::*;

    #[test]
    fn a_flipped_bit_of_the_list_is_told_and_a_line_without_a_sum_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("openings.jsonl");
        assert!(!are_damaged(&list), "there is none yet");
        let of = MatchName { begins: Head::from_bytes([1; 32]), uid: "a".to_owned() };
        let opening = |seq| CardOpening {
            at: "2026-11-29T12:00:00Z".to_owned(),
            begins: of.begins.to_string(),
            uid: of.uid.clone(),
            seq,
            head: Head::from_bytes([2; 32]).to_string(),
            why: "both players have agreed".to_owned(),
            sum: None,
        };
        let old = serde_json::to_string(&opening(7)).expect("text");
        std::fs::write(&list, format!("\n{old}\n")).expect("written");
        add(&list, opening(9)).expect("added");
        let kept = of_match(&list, &of);
        assert_eq!(kept, [opening(7), opening(9)]);
        assert!(!are_damaged(&list));
        let whole = std::fs::read(&list).expect("read");
        for bit in (old.len() + 2) * 8..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&list, &bytes).expect("written");
            assert!(are_damaged(&list) || of_match(&list, &of) == kept, "bit {bit}");
        }
    }
}
