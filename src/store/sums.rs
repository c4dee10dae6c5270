//! The sum in files of the store that people cannot check by reading them: settings, keys, notes and the list of openings. It
//! finds accidents, and protects against nobody who changes it too. Decks have the same sum (`src/cards/deck.rs`).

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroize as _;

/// The sum of a file's content, written as JSON without white space and without the sum itself: the first 16 digits of its
/// SHA-256.
pub(super) fn sum_of(content: &impl Serialize) -> String {
    // Cannot fail: the files have only texts and numbers.
    let mut text = serde_json::to_string(content).unwrap_or_default();
    let sum = sum_of_text(&text);
    // A key's secret may be among it.
    text.zeroize();
    sum
}

/// The same of content that is written already.
pub(super) fn sum_of_text(text: &str) -> String {
    let start =
        Sha256::digest(text.as_bytes()).iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{start:016x}")
}
