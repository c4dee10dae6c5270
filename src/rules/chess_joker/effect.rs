//! The effect of a card: a small language, what it means on a board, and its uses.
//!
//! `words.rs` and `parse.rs` read the text, `tree.rs` is what it says, `fits.rs` which pieces and squares are meant,
//! `uses.rs` walks through the uses, `search.rs` finds those that leave a board, `effort.rs` bounds both. Check is left to `position.rs`.
//!
//! Source: `docs/effects-chess-joker.md`.

mod effort;
mod fits;
mod mask;
mod parse;
mod search;
#[cfg(test)]
mod tests;
mod tree;
mod uses;
mod words;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

pub(super) use effort::{Effort, KingCapture};
pub use mask::Masquerade;
pub(super) use search::FoundUse;
pub(super) use uses::{UseRun, Uses, Visit, beside_of, en_passant};

use self::tree::Way;
use super::men::Men;
use tabiya_types::{Color, Role, Sentence};

/// The error for a text that is no effect, in one sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct EffectError {
    /// What is wrong.
    pub what: Sentence,
    /// The bytes of the text that are wrong; empty at the end if something is missing.
    pub at: Range<usize>,
}

/// An effect that could be read.
#[derive(Clone, PartialEq, Eq)]
pub struct CardEffect {
    text: String,
    words: String,
    ways: Vec<Way>,
    /// The bold kinds, as bits.
    bold: u8,
}

impl FromStr for CardEffect {
    type Err = EffectError;

    fn from_str(text: &str) -> Result<Self, EffectError> {
        let words = words::words_of(text)?;
        let ways = parse::ways(&words, text.len())?;
        let bold = words.iter().filter_map(|word| bold_name(&word.text)).fold(0, |all, bit| all | bit);
        let words: Vec<String> = words.into_iter().map(|word| word.text).collect();
        Ok(Self { text: text.to_owned(), words: joined(&words), ways, bold })
    }
}

/// The words joined by single spaces. If a record could not carry that, the marks stand without spaces, as they may in
/// a text; so it is no longer than the text.
fn joined(words: &[String]) -> String {
    let joined = words.join(" ");
    if joined.len() <= words::MOST_CHARACTERS {
        return joined;
    }
    ["(", ")", "/"]
        .into_iter()
        .fold(joined, |text, mark| text.replace(&format!(" {mark}"), mark).replace(&format!("{mark} "), mark))
}

/// The kind, as a bit, that a word prints in bold.
fn bold_name(word: &str) -> Option<u8> {
    let (_, name) = word.split_once('*')?;
    words::NAMES.iter().position(|known| *known == name).map(|nth| 1 << nth)
}

impl CardEffect {
    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words that count, joined by single spaces; at most 200 characters: what a table writes into a record.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Whether this kind of piece is printed bold.
    pub fn is_bold(&self, role: Role) -> bool {
        self.bold >> role as u8 & 1 == 1
    }

    /// Whether a step of the effect can capture. Otherwise it never threatens a king.
    pub(super) fn may_capture(&self) -> bool {
        self.ways.iter().any(|way| way.steps.iter().any(tree::EffectStep::may_capture))
    }

    /// The bold kinds of which a player has no piece, for which he may put others.
    pub(super) fn maskable(&self, men: &Men, you: Color) -> u8 {
        let missing = |role: &Role| men.of_role(*role) & men.of_color(you) == 0;
        tree::roles(self.bold).filter(missing).fold(0, |all, role| all | 1 << role as u8)
    }
}

impl fmt::Display for CardEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl fmt::Debug for CardEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.words)
    }
}
