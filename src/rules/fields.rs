//! A strict reader for the fields of a record's line: each field is taken once, and a field that remains is an error.
//!
//! The names of the fields are those of `docs/record.md`. A [`FormError`] depends only on the form of the line,
//! not on the state of the game; it makes the whole input unusable.

use tabiya_types::{Card, Color, Role, Square, one_letter};

use super::datum::{Datum, Group};

/// The error for a line or a header with a wrong form, as one sentence without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormError(pub String);

impl FormError {
    /// Creates an error with this sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// Named fields that have not been read yet.
#[derive(Debug, Clone)]
pub struct Fields {
    of: &'static str,
    group: Group,
}

impl Fields {
    /// A reader for these fields. Error sentences use `of` as the name of the object that contains the fields.
    pub fn new(of: &'static str, group: Group) -> Self {
        Self { of, group }
    }

    /// A reader for the fields of a value. Returns `Err` if the value is not an object.
    pub fn of_value(of: &'static str, value: Datum) -> Result<Self, FormError> {
        match value {
            Datum::Group(group) => Ok(Self::new(of, group)),
            _ => Err(FormError(format!("{of} must be an object in braces"))),
        }
    }

    /// Takes a field without checking its type; `None` if the field is missing.
    pub fn take(&mut self, name: &str) -> Option<Datum> {
        self.group.take(name)
    }

    /// The error for a required field that is missing.
    pub fn missing(&self, name: &str) -> FormError {
        FormError(format!("{of} lacks the field `{name}`", of = self.of))
    }

    /// The error for a field with an invalid value; `wanted` describes the valid values.
    pub fn wrong(&self, name: &str, wanted: &str) -> FormError {
        FormError(format!("`{name}` of {of} must be {wanted}", of = self.of))
    }

    /// Takes a text field; `None` if the field is missing.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, FormError> {
        match self.take(name) {
            None => Ok(None),
            Some(Datum::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(name, "a text")),
        }
    }

    /// Takes a whole number from 0 to `most`; `None` if the field is missing.
    pub fn number(&mut self, name: &str, most: u64) -> Result<Option<u64>, FormError> {
        self.number_from(name, 0, most)
    }

    /// Takes a whole number from `least` to `most`; `None` if the field is missing.
    pub fn number_from(&mut self, name: &str, least: u64, most: u64) -> Result<Option<u64>, FormError> {
        let wanted = || format!("a whole number from {least} to {most}");
        self.number_if(name, wanted, |number| (least..=most).contains(&number))
    }

    /// Takes a whole number for which this holds; `None` if the field is missing. `wanted` describes the valid numbers for the error.
    pub fn number_if(
        &mut self,
        name: &str,
        wanted: impl FnOnce() -> String,
        holds: impl FnOnce(u64) -> bool,
    ) -> Result<Option<u64>, FormError> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => match value.as_number().filter(|number| holds(*number)) {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong(name, &wanted())),
            },
        }
    }

    /// Takes a field that is `true` or `false`; `None` if the field is missing.
    pub fn flag(&mut self, name: &str) -> Result<Option<bool>, FormError> {
        match self.take(name) {
            None => Ok(None),
            Some(Datum::Flag(flag)) => Ok(Some(flag)),
            Some(_) => Err(self.wrong(name, "true or false")),
        }
    }

    /// Takes a text field and parses it with `parse`; `wanted` describes the valid texts for the error.
    pub fn parsed<T>(
        &mut self,
        name: &str,
        wanted: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, FormError> {
        match self.take(name) {
            None => Ok(None),
            Some(Datum::Text(text)) => match parse(&text) {
                Some(value) => Ok(Some(value)),
                None => Err(self.wrong(name, &format!("{wanted}, not `{text}`"))),
            },
            Some(_) => Err(self.wrong(name, wanted)),
        }
    }

    /// Takes a list of texts and parses each with `parse`; `wanted` describes a valid list for the error.
    pub fn list<T>(
        &mut self,
        name: &str,
        wanted: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<Vec<T>>, FormError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let items = value.as_list().and_then(|list| {
            list.iter().map(|item| item.as_text().and_then(&parse)).collect::<Option<Vec<T>>>()
        });
        items.map(Some).ok_or_else(|| self.wrong(name, wanted))
    }

    /// Takes a required text field and parses it with `parse`.
    pub fn need<T>(
        &mut self,
        name: &str,
        wanted: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, FormError> {
        self.parsed(name, wanted, parse)?.ok_or_else(|| self.missing(name))
    }

    /// Takes a text field and parses it with `parse`, or returns `default` if the field is missing.
    pub fn need_or<T>(
        &mut self,
        name: &str,
        wanted: &str,
        default: T,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, FormError> {
        Ok(self.parsed(name, wanted, parse)?.unwrap_or(default))
    }

    /// Takes the required field `by`, which names a player.
    pub fn by_player(&mut self) -> Result<Color, FormError> {
        self.need("by", "`white` or `black`", Color::from_word)
    }

    /// Takes the required field `by`, which names a player (`Some`) or the arbiter (`None`).
    pub fn by_anyone(&mut self) -> Result<Option<Color>, FormError> {
        self.need("by", "`white`, `black` or `arbiter`", |word| match word {
            "arbiter" => Some(None),
            _ => Color::from_word(word).map(Some),
        })
    }

    /// Takes a required field with one of the letters Q R B N P.
    pub fn piece(&mut self, name: &str) -> Result<Card, FormError> {
        self.need(name, "one of Q R B N P", |text| one_letter(text).and_then(Card::from_letter))
    }

    /// Takes the field `stands`, which names the physical piece used as a stand-in; `None` if the field is missing.
    pub fn stand_in(&mut self) -> Result<Option<Role>, FormError> {
        self.parsed("stands", "one of Q R B N P K", |text| one_letter(text).and_then(Role::from_letter))
    }

    /// Takes a required field that names a square.
    pub fn square(&mut self, name: &str) -> Result<Square, FormError> {
        self.need(name, "a square a1 to h8", |text| text.parse().ok())
    }

    /// The fields that have not been taken yet.
    pub fn left(&self) -> &Group {
        &self.group
    }

    /// The names of the fields that have not been taken yet.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.group.iter().map(|(name, _)| name)
    }

    /// Returns `Err` if a field has not been taken.
    pub fn finish(self) -> Result<(), FormError> {
        match self.names().next() {
            None => Ok(()),
            Some(name) => Err(FormError(format!("{of} has the unknown field `{name}`", of = self.of))),
        }
    }
}
