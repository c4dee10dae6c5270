//! Files with the cards that the players own: code, Elo points, star, effect. TOML, JSON or CSV.
//!
//! This file turns text into cards and says what is wrong, card by card; it opens no file. A card's printed text, if the
//! owner has typed it, is for his eyes alone: no record and no export gets it.
//!
//! Source: `docs/effects-chess-joker.md`, "The card file". Checked by: `tests/engine/chess_joker/card_files.rs`.
#![warn(clippy::indexing_slicing)]

mod write;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use tabiya_types::{Color, Sentence, say};

use super::json;
use crate::rules::chess_joker::{CardEffect, Code, DrawCard, EffectError, JokerAction, JokerCard, MOST_ELO};
use crate::rules::{Action, Datum, Group, OwnAction};

/// The letters that may stand in `featured`.
const FEATURED: &str = "KQRBNP";

/// How a card file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardFileForm {
    /// A list `[[card]]`.
    Toml,
    /// `{"cards":[…]}`.
    Json,
    /// A first line with the names of the fields, `;` or `,` between them.
    Csv,
}

impl CardFileForm {
    /// The form by the ending of a file's name, in any case; `None` for another ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// A card of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnedCard {
    /// What the game knows of it. Its code, points and star are always known.
    pub card: JokerCard,
    /// The pieces on its picture, as letters of K Q R B N P, the featured one first. Only shown.
    pub featured: Option<String>,
    /// What is printed on it, if its owner has typed that. Never copied into a record.
    pub text: Option<String>,
}

/// Something that is wrong with a card of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardFileFault {
    /// The number of the card in the file, from 1.
    pub number: usize,
    /// Its code, as far as it could be read.
    pub code: Option<Code>,
    /// What is wrong, in one sentence without a full stop.
    pub what: Sentence,
    /// For an effect that cannot be read: its text, and the bytes of it that are wrong.
    pub effect: Option<(String, Range<usize>)>,
}

/// The cards of a file, and what is wrong with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardFile {
    /// The cards that can be used, in the order of the file. A card whose effect cannot be read is unwritten.
    pub cards: Vec<OwnedCard>,
    /// What is wrong.
    pub faults: Vec<CardFileFault>,
}

impl CardFile {
    /// Reads the text of a card file. `Err` if it has not the form at all, in one sentence.
    pub fn read(form: CardFileForm, text: &str) -> Result<Self, Sentence> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let listed = match form {
            CardFileForm::Toml => from_toml(text)?,
            CardFileForm::Json => from_json(text)?,
            CardFileForm::Csv => from_csv(text)?,
        };
        let mut file = Self::default();
        let mut known = BTreeSet::new();
        for (fields, number) in listed.into_iter().zip(1..) {
            let mut reader = CardReader { number, code: None, faults: &mut file.faults };
            if let Some(card) = reader.card(&fields, &mut known) {
                file.cards.push(card);
            }
        }
        Ok(file)
    }

    /// The lines with which this player draws the cards, in the order of the file.
    pub fn draws(&self, by: Color) -> Vec<Action> {
        let draw = |owned: &OwnedCard| DrawCard { by, card: owned.card.clone().in_its_words(), read: None };
        self.cards.iter().map(|owned| Action::Own(OwnAction::new(JokerAction::Draw(draw(owned))))).collect()
    }

    /// The card with this code; `None` if the file has none.
    pub fn card(&self, code: Code) -> Option<&OwnedCard> {
        self.cards.iter().find(|owned| owned.card.code == Some(code))
    }
}

/// Reads one card and notes what is wrong with it.
struct CardReader<'a> {
    number: usize,
    code: Option<Code>,
    faults: &'a mut Vec<CardFileFault>,
}

impl CardReader<'_> {
    fn fault(&mut self, what: Sentence) {
        self.faults.push(CardFileFault { number: self.number, code: self.code, what, effect: None });
    }

    fn card(&mut self, fields: &Group, known: &mut BTreeSet<Code>) -> Option<OwnedCard> {
        let code = fields.get("code").and_then(Datum::as_text).and_then(|text| text.parse::<Code>().ok());
        let Some(code) = code else {
            self.fault(say!("card-file-code", "`code` must be two capital letters"));
            return None;
        };
        self.code = Some(code);
        if !known.insert(code) {
            self.fault(say!("card-file-twice", "this code stands in the file twice; the first card counts"));
            return None;
        }
        let elo = fields.get("elo").and_then(Datum::as_number).filter(|elo| *elo <= u64::from(MOST_ELO));
        let Some(elo) = elo.and_then(|elo| u32::try_from(elo).ok()) else {
            self.fault(say!("card-file-elo", "`elo` must be a whole number from 0 to 1000"));
            return None;
        };
        let star = match fields.get("star") {
            None => false,
            Some(Datum::Flag(star)) => *star,
            Some(_) => {
                self.fault(say!("card-file-star", "`star` must be true or false"));
                return None;
            }
        };
        let effect = self.effect(fields.get("effect"));
        let featured = self.featured(fields.get("featured"));
        let text = fields.get("text").and_then(Datum::as_text).map(str::to_owned);
        let card = JokerCard { code: Some(code), elo: Some(elo), star: Some(star), effect };
        Some(OwnedCard { card, featured, text })
    }

    /// The effect; an effect that cannot be read leaves the card unwritten.
    fn effect(&mut self, value: Option<&Datum>) -> Option<Arc<CardEffect>> {
        let text = match value {
            None => return None,
            Some(Datum::Text(text)) => text,
            Some(_) => {
                self.fault(say!("card-file-effect", "`effect` must be a text"));
                return None;
            }
        };
        match text.parse::<CardEffect>() {
            Ok(effect) => Some(Arc::new(effect)),
            Err(error) => {
                let EffectError { what, at } = error;
                let what = say!("card-file-effect-wrong", "`effect` cannot be read: {what}", what);
                let effect = Some((text.clone(), at));
                self.faults.push(CardFileFault { number: self.number, code: self.code, what, effect });
                None
            }
        }
    }

    fn featured(&mut self, value: Option<&Datum>) -> Option<String> {
        let letters = value?.as_text().filter(|text| text.chars().all(|letter| FEATURED.contains(letter)));
        if letters.is_none() {
            self.fault(say!("card-file-featured", "`featured` must be letters of K Q R B N P"));
        }
        letters.map(str::to_owned)
    }
}

fn from_json(text: &str) -> Result<Vec<Group>, Sentence> {
    let value = json::parse(text)
        .map_err(|error| say!("not-json", "not JSON: {error}", error = error.to_string()))?;
    let cards = json::datum_of(value).as_group().and_then(|file| file.get("cards")).cloned();
    let cards = cards.as_ref().and_then(Datum::as_list).map(<[Datum]>::to_vec);
    let cards = cards.ok_or_else(|| {
        say!("card-file-json-form", "the file must have the form {form}", form = "{\"cards\":[…]}".to_owned())
    })?;
    let card = |card: Datum| match card {
        Datum::Group(fields) => Ok(fields),
        _ => Err(say!("card-file-json-card", "each of `cards` must be an object in braces")),
    };
    cards.into_iter().map(card).collect()
}

fn from_toml(text: &str) -> Result<Vec<Group>, Sentence> {
    let file: toml::Table = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
        say!("not-toml", "line {line}: not TOML: {error}", line, error = error.message().to_owned())
    })?;
    let cards = match file.get("card") {
        Some(toml::Value::Array(cards)) => cards.as_slice(),
        None => &[],
        Some(_) => return Err(no_list()),
    };
    let card = |card: &toml::Value| match card {
        toml::Value::Table(fields) => {
            Ok(fields.iter().map(|(name, value)| (name.clone(), toml_value(value))).collect())
        }
        _ => Err(no_list()),
    };
    cards.iter().map(card).collect()
}

fn no_list() -> Sentence {
    say!("card-file-toml-list", "the cards must be a list of `[[card]]`")
}

/// A value of TOML; what no field of a card can be is `null`.
fn toml_value(value: &toml::Value) -> Datum {
    match value {
        toml::Value::String(text) => text.clone().into(),
        toml::Value::Boolean(flag) => (*flag).into(),
        toml::Value::Integer(number) => u64::try_from(*number).map_or(Datum::Nothing, Datum::Number),
        toml::Value::Float(_) | toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
            Datum::Nothing
        }
    }
}

fn from_csv(text: &str) -> Result<Vec<Group>, Sentence> {
    let first = text.lines().next().unwrap_or_default();
    let between = if first.contains(';') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new();
    let mut reader =
        reader.delimiter(between).flexible(false).trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| not_csv(&error))?.clone();
    if !names.iter().any(|name| name == "code") {
        return Err(say!("card-file-csv-fields", "the first line must name the fields, `code` among them"));
    }
    let fields = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.map_err(|error| not_csv(&error))?;
        let values = names.iter().zip(row.iter()).filter(|(_, value)| !value.is_empty());
        Ok(values.map(|(name, value)| (name.to_owned(), csv_value(name, value))).collect())
    };
    reader.records().map(fields).collect()
}

fn not_csv(error: &csv::Error) -> Sentence {
    say!("not-csv", "not CSV: {error}", error = error.to_string())
}

fn csv_value(name: &str, value: &str) -> Datum {
    match (name, value) {
        ("elo", number) => number.parse().map_or_else(|_| value.into(), Datum::Number),
        ("star", "true") => true.into(),
        ("star", "false") => false.into(),
        _ => value.into(),
    }
}
