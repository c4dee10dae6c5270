//! Writes a card into the text of a card file (TOML), and leaves everything else in it as it is.

use std::collections::BTreeMap;
use std::ops::Range;

use tabiya_types::{Sentence, say};
use toml::Spanned;

use super::{CardFile, CardFileForm, OwnedCard};

/// The fields that are written anew. Others, and remarks, stay.
const WRITTEN: [&str; 5] = ["code", "star", "elo", "effect", "text"];

/// Where the fields of the cards stand in the text.
#[derive(serde::Deserialize)]
struct Fields {
    #[serde(default)]
    card: Vec<BTreeMap<Spanned<String>, Spanned<toml::Value>>>,
}

impl CardFile {
    /// The text of a TOML file with this card in it: in the place of the card with the same code, or at the end. `Err`
    /// if the text cannot be read, or if the card cannot be put there, in one sentence.
    pub fn with_card(text: &str, card: &OwnedCard) -> Result<String, Sentence> {
        let Some(code) = card.card.code else { return Err(say!("card-no-code", "a card needs its code")) };
        let by_hand = || {
            let code = code.to_string();
            say!("card-not-put", "the card {code} cannot be put into this file; write it there by hand", code)
        };
        let before = Self::read(CardFileForm::Toml, text)?;
        let fields: Fields = toml::from_str(text).map_err(|_| by_hand())?;
        let is_it = |fields: &&BTreeMap<Spanned<String>, Spanned<toml::Value>>| {
            let code_of = fields.iter().find(|(name, _)| name.get_ref() == "code");
            code_of.is_some_and(|(_, value)| value.get_ref().as_str() == Some(&code.to_string()))
        };
        let written = match fields.card.iter().find(is_it) {
            Some(known) => replaced(text, known, card),
            None => added(text, card),
        };
        // What was written is read again: the card must be in it, and nothing else may have changed.
        let after = Self::read(CardFileForm::Toml, &written);
        let others = |file: &Self| -> Vec<OwnedCard> {
            file.cards.iter().filter(|owned| owned.card.code != Some(code)).cloned().collect()
        };
        let is_right = after.is_ok_and(|after| {
            let now = after.card(code).map(|owned| (&owned.card, &owned.text));
            now == Some((&card.card, &card.text)) && others(&after) == others(&before)
        });
        if is_right { Ok(written) } else { Err(by_hand()) }
    }
}

/// The card's fields, each in a line.
fn lines(card: &OwnedCard) -> String {
    let OwnedCard { card, text, .. } = card;
    let fields = [
        Some(("code", quoted(&card.word()))),
        card.star.map(|star| ("star", star.to_string())),
        card.elo.map(|elo| ("elo", elo.to_string())),
        card.effect.as_ref().map(|effect| ("effect", quoted(effect.text()))),
        text.as_ref().map(|text| ("text", quoted(text))),
    ];
    let lines: Vec<String> =
        fields.into_iter().flatten().map(|(name, value)| format!("{name} = {value}\n")).collect();
    lines.concat()
}

/// A text in quotes. JSON and TOML agree about them, but for the sign DEL.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn added(text: &str, card: &OwnedCard) -> String {
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{text}{gap}[[card]]\n{}", lines(card))
}

fn replaced(text: &str, known: &BTreeMap<Spanned<String>, Spanned<toml::Value>>, card: &OwnedCard) -> String {
    let mut spans: Vec<Range<usize>> = known
        .iter()
        .filter(|(name, _)| WRITTEN.contains(&name.get_ref().as_str()))
        .map(|(name, value)| name.span().start..value.span().end)
        .collect();
    spans.sort_by_key(|span| span.start);
    let mut written = String::new();
    let mut at = 0;
    for (nth, span) in spans.into_iter().enumerate() {
        written += text.get(at..span.start).unwrap_or_default();
        if nth == 0 {
            written += &lines(card);
        }
        let rest = text.get(span.end..).unwrap_or_default();
        // The line's end goes with the field, unless a remark follows it.
        at = span.end + rest.len()
            - rest.strip_prefix("\r\n").or(rest.strip_prefix('\n')).unwrap_or(rest).len();
    }
    written + text.get(at..).unwrap_or_default()
}
