//! The list of the times at which sealed cards were shown, in the store of keys. Lines are only ever added, each before the
//! cards are shown. Whoever puts the record back afterwards to what it was has this list against him.
//!
//! Source: `docs/record-chain.md`, "Boxes".

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabiya_boards::capture::read_bounded;

use super::notes::MatchName;

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
}

/// Adds a line to the list, which is on the disk when this returns.
pub(super) fn add(list: &Path, opening: &CardOpening) -> io::Result<()> {
    if std::fs::metadata(list).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file"));
    }
    let mut options = File::options();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(list)?;
    // A line that a power cut tore ends here, so that it takes no other line with it.
    file.write_all(format!("\n{}\n", serde_json::to_string(opening).map_err(io::Error::other)?).as_bytes())?;
    file.sync_all()
}

/// The times at which sealed cards of this match were shown.
pub(super) fn of_match(list: &Path, of: &MatchName) -> Vec<CardOpening> {
    let text = read_bounded(list, LONGEST).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let all = text.lines().filter_map(|line| serde_json::from_str::<CardOpening>(line).ok());
    all.filter(|opening| opening.begins == of.begins.to_string() && opening.uid == of.uid).collect()
}
