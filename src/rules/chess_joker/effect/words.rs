//! The words of an effect: what its owner typed, without the small words.
//!
//! Source: `docs/effects-chess-joker.md`, "Words".

use std::ops::Range;

use tabiya_types::say;

use super::EffectError;

/// The most characters that an effect may have.
pub(super) const MOST_CHARACTERS: usize = 200;
/// Words that a card prints and that say nothing.
const PASSED_OVER: [&str; 8] = ["a", "an", "the", "your", "square", "squares", "directly", "on"];
/// The six kinds of piece, in the order of `Role::ALL`.
pub(super) const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// One word, in lower case, and where it stands in the text (bytes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) at: Range<usize>,
}

/// The words that count, in order.
pub(super) fn words_of(text: &str) -> Result<Vec<Word>, EffectError> {
    if let Some((at, letter)) = text.char_indices().find(|(_, letter)| !matches!(letter, ' '..='~')) {
        let what = say!("effect-ascii", "only printable letters of ASCII may stand in an effect");
        return Err(EffectError { what, at: at..at + letter.len_utf8() });
    }
    if text.len() > MOST_CHARACTERS {
        let what = say!("effect-too-long", "an effect has at most {most} characters", most = MOST_CHARACTERS);
        return Err(EffectError { what, at: MOST_CHARACTERS..text.len() });
    }
    let mut counted: Vec<Word> = Vec::new();
    let mut after_file = false;
    for word in raw(text) {
        let passed_over = PASSED_OVER.contains(&word.text.as_str()) && !after_file;
        after_file = word.text == "file";
        if !passed_over {
            counted.push(starred(word)?);
        }
    }
    Ok(counted)
}

/// Checks a word's star, and drops that of `*another`.
fn starred(word: Word) -> Result<Word, EffectError> {
    let Some((before, name)) = word.text.split_once('*') else { return Ok(word) };
    match (before, name) {
        ("", "another") => Ok(Word { text: name.to_owned(), ..word }),
        ("", name) if NAMES.contains(&name) => Ok(word),
        _ if file_pawn(&word.text).is_some() => Ok(word),
        _ => {
            let what = say!(
                "effect-star",
                "`*` stands right before the name of a piece, not as in `{word}`",
                word = word.text
            );
            Err(EffectError { what, at: word.at })
        }
    }
}

/// The file (0 to 7) of a word such as `c-pawn`, and whether it is bold (`c-*pawn`).
pub(super) fn file_pawn(word: &str) -> Option<(u8, bool)> {
    let (file, name) = word.split_once('-')?;
    let [file @ b'a'..=b'h'] = file.as_bytes() else { return None };
    match name {
        "pawn" => Some((file - b'a', false)),
        "*pawn" => Some((file - b'a', true)),
        _ => None,
    }
}

/// All words of a text of printable ASCII.
fn raw(text: &str) -> Vec<Word> {
    let lower = text.to_ascii_lowercase();
    let word = |at: Range<usize>| Word { text: lower[at.clone()].to_owned(), at };
    let mut words = Vec::new();
    for chunk in chunks(&lower) {
        if file_pawn(&lower[chunk.clone()]).is_some() {
            words.push(word(chunk));
            continue;
        }
        let mut from = chunk.start;
        for part in lower[chunk].split('-') {
            if !part.is_empty() {
                words.push(word(from..from + part.len()));
            }
            from += part.len() + 1;
        }
    }
    words
}

/// Cuts at spaces and at the marks that count as spaces; `(`, `)` and `/` are chunks of their own.
fn chunks(text: &str) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut from: Option<usize> = None;
    for (at, letter) in text.char_indices() {
        let (cuts, alone) = (" ,.;".contains(letter), "()/".contains(letter));
        if cuts || alone {
            chunks.extend(from.take().map(|from| from..at));
        } else {
            from.get_or_insert(at);
        }
        if alone {
            chunks.push(at..at + 1);
        }
    }
    chunks.extend(from.map(|from| from..text.len()));
    chunks
}
