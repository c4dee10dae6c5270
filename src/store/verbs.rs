//! What the store itself understands of a record's lines: which of them decide or open something, and the members that name the
//! files in which a record is kept. It knows no game.

use std::path::Path;

use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::{self, Head};
use tabiya_engine::record::json;

use super::notes;

/// The member of the last line of a record that goes on in another file: that file's name.
pub const GOES_ON: &str = "x-goes-on";
/// The member of a line of the other file: the name of the file in which the record was kept before.
pub const CONTINUES: &str = "x-continues";

/// The member of a line that says in which file the match is kept from there on.
pub const PLACE: &str = "x-place";

/// What stands for the record's file in its own lines: a hash, because an export tells nobody the paths of this computer.
pub fn place_of(record: &Path, begins: Head) -> String {
    let path = notes::real(record);
    let place = Sha256::new()
        .chain_update(b"tabiya place 1\n")
        .chain_update(begins.bytes())
        .chain_update(path.as_os_str().as_encoded_bytes());
    chain::hex(&place.finalize())
}

/// The file that a line names as the one in which the match is kept from there on, if it names one.
pub(super) fn place_in(line: &str) -> Option<String> {
    let line = json::may_have(line, PLACE).then(|| json::parse(line).ok()).flatten()?;
    Some(line.get(PLACE)?.as_str()?.to_owned())
}

/// The verbs of the lines that have a part in opening sealed cards: the end of the match, a consent, a ruling.
const OPENING_VERBS: [&str; 3] = ["end-match", "consent", "rule"];

/// Whether this line has a part in opening sealed cards.
pub(super) fn opens_cards(line: &str) -> bool {
    does_one_of(line, &OPENING_VERBS)
}

/// Whether this line decides something that is worth forging: it opens cards, rules, ends a game, or takes something back. The
/// table notes such a line before it writes it.
pub(super) fn decides(line: &str) -> bool {
    const VERBS: [&str; 7] = ["resign", "accept-draw", "claim-draw", "claim-flag", "fouled", "undo", "redo"];
    let folds = || {
        json::may_have(line, "fold")
            && json::parse(line).is_ok_and(|line| line.get("action").is_some_and(|action| action == "fold"))
    };
    does_one_of(line, &OPENING_VERBS) || does_one_of(line, &VERBS) || folds()
}

/// Whether a line does one of these.
fn does_one_of(line: &str, verbs: &[&str]) -> bool {
    verbs.iter().any(|verb| json::may_have(line, verb))
        && json::parse(line)
            .is_ok_and(|line| verbs.iter().any(|verb| line.get("do").is_some_and(|word| word == verb)))
}
