//! What stands on a sheet or in a PGN to prove a record: its head, and the table's signature of it.
//!
//! Source: `docs/record-chain.md`, "Signed heads".
#![warn(clippy::indexing_slicing)]

use tabiya_types::Sentence;

use super::text::Line;
use crate::rules::Datum;

/// The first word of the text in a match sheet's QR code.
const CODE: &str = "TABIYA1";

/// The member of a ruling with which the arbiter vouches for earlier lines that are in doubt: the ruling's own number in the
/// record, where the header is line 1. The table's signatures say nothing about the lines before it.
pub const SIGNED_FROM: &str = "x-signed-from";

/// The member of a header which says that the table had no key to sign with when the match began.
pub const UNSIGNED: &str = "x-unsigned";

/// The line from which on the signatures of a record with these lines count; `None` if they count for all lines.
pub fn signed_from<'a>(lines: impl DoubleEndedIterator<Item = &'a Line>) -> Option<u64> {
    lines.rev().find_map(|line| match line.extension(SIGNED_FROM) {
        Some(Datum::Number(from)) => Some(from),
        _ => None,
    })
}

/// A record's head, and the signature of it if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proof<'a> {
    /// The hash after the record's last line, 64 hexadecimal digits; `None` if no record is kept.
    pub head: Option<&'a str>,
    /// The table's signature of this head.
    pub signed: Option<&'a HeadSignature>,
    /// The line from which on the signature counts, because an arbiter vouched for what stands before it; `None` if it counts
    /// for all lines.
    pub from: Option<u64>,
    /// What people who get the sheet must know besides: who opened sealed cards, and when.
    pub told: &'a [Sentence],
}

impl<'a> From<Option<&'a str>> for Proof<'a> {
    fn from(head: Option<&'a str>) -> Self {
        Self { head, ..Self::default() }
    }
}

/// A table's signature of a head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadSignature {
    /// The number of lines after the header that the head covers.
    pub seq: u64,
    /// The signed head, 64 lowercase hexadecimal digits.
    pub head: String,
    /// The date of the signature, by the table's own calendar (RFC 3339, UTC).
    pub at: String,
    /// The table's public key, 64 lowercase hexadecimal digits.
    pub key: String,
    /// The signature, 128 lowercase hexadecimal digits.
    pub signature: String,
}

impl HeadSignature {
    /// The text in the QR code of a match sheet: `TABIYA1`, lines, date, head, key and signature, in capitals, with
    /// spaces between. All its signs belong to the code's compact alphabet.
    pub fn code(&self) -> String {
        let Self { seq, head, at, key, signature } = self;
        format!("{CODE} {seq} {at} {head} {key} {signature}").to_ascii_uppercase()
    }

    /// Reads the text of a QR code; `None` for any other text.
    pub fn from_code(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        if !words.next()?.eq_ignore_ascii_case(CODE) {
            return None;
        }
        let seq = words.next()?.parse().ok()?;
        let at = words.next()?.to_ascii_uppercase();
        let mut digits = |length: usize| {
            let word = words.next()?.to_ascii_lowercase();
            (word.len() == length && word.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(word)
        };
        let read = Self { seq, at, head: digits(64)?, key: digits(64)?, signature: digits(128)? };
        words.next().is_none().then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_was_written_and_nothing_else_is() {
        let signed = HeadSignature {
            seq: 412,
            head: "0a".repeat(32),
            at: "2026-11-24T21:00:00Z".to_owned(),
            key: "1b".repeat(32),
            signature: "2c".repeat(64),
        };
        let code = signed.code();
        assert!(
            code.bytes().all(|byte| byte.is_ascii_uppercase() || b"0123456789 -:".contains(&byte)),
            "{code}"
        );
        assert_eq!(HeadSignature::from_code(&code), Some(signed.clone()));
        assert_eq!(HeadSignature::from_code(&code.to_lowercase().replace(' ', "\n")), Some(signed));
        for other in ["", "TABIYA1", &code[1..], &code[..code.len() - 1], &format!("{code} 1")] {
            assert_eq!(HeadSignature::from_code(other), None, "{other}");
        }
    }
}
