//! A strict JSON parser.
//!
//! `serde_json` accepts duplicate keys (the last one wins) and 128 levels of nesting. Several programs read a
//! record. If two of them chose different duplicates, they would disagree about the match. Therefore this parser
//! refuses duplicate keys at any depth. Callers check which keys a line may have.
//!
//! Source: RFC 8259; `docs/record.md` forbids duplicate keys.
#![warn(clippy::indexing_slicing)]

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Number, Value};

use crate::rules::{Datum, Group};

/// How deep arrays and objects may be nested. A ruling needs four levels.
pub const DEEPEST: usize = 64;

/// How many values a line may have, those inside of others included. A long ruling has some hundred.
pub const MOST_VALUES: u32 = 100_000;

/// How many characters of a key an error message shows.
const SHOWN_KEY: usize = 40;

/// Why a text is not a JSON value that a record may contain.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: {what}")]
pub struct JsonError {
    /// The position of the error in the text, as the number of a byte, from 1.
    pub column: usize,
    /// What is wrong at this position.
    pub what: String,
}

/// Whether a JSON text may have this word in a key or a value: it stands there, or an escape may stand for one of its letters.
/// Lines without the word need not be parsed to know that; the others must be, before anybody relies on it.
pub fn may_have(text: &str, word: &str) -> bool {
    text.contains(word) || text.contains('\\')
}

/// Parses the whole of `text` as one JSON value. `Err` if the text is not JSON, if a key occurs twice in one
/// object, if the nesting is deeper than [`DEEPEST`], or if there are more than [`MOST_VALUES`].
pub fn parse(text: &str) -> Result<Value, JsonError> {
    parse_within(text, DEEPEST)
}

/// Like [`parse`], but with arrays and objects that are nested at most `deepest` levels deep.
pub fn parse_within(text: &str, deepest: usize) -> Result<Value, JsonError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let left = Cell::new(MOST_VALUES);
    let value = Strict { depth: 0, deepest, left: &left }
        .deserialize(&mut reader)
        .map_err(|error| locate(text, &error))?;
    reader.end().map_err(|error| locate(text, &error))?;
    Ok(value)
}

/// Converts an error of `serde_json`, which gives the position as a line and a column. The result gives it as one
/// number, counted from the beginning of the whole text, because a line of a record normally has no line breaks. The
/// message of `serde_json` ends with the position; this end is removed.
fn locate(text: &str, error: &serde_json::Error) -> JsonError {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let said = error.to_string();
    let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what).to_owned();
    JsonError { column: (before + error.column()).clamp(1, text.len().max(1)), what }
}

/// Deserializes one value strictly.
#[derive(Clone, Copy)]
struct Strict<'a> {
    /// In how many arrays and objects this value is nested, and in how many it may be.
    depth: usize,
    deepest: usize,
    /// How many more values the text may have.
    left: &'a Cell<u32>,
}

impl Strict<'_> {
    fn inner<E: serde::de::Error>(&self) -> Result<Self, E> {
        if self.depth < self.deepest {
            Ok(Self { depth: self.depth + 1, ..*self })
        } else {
            Err(E::custom(format_args!("nested more than {} levels deep", self.deepest)))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        let more = || D::Error::custom(format_args!("more than {MOST_VALUES} values in one line"));
        self.left.set(self.left.get().checked_sub(1).ok_or_else(more)?);
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }
    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        Number::from_f64(number).map(Value::Number).ok_or_else(|| E::custom("the number is not finite"))
    }
    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }
    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if object.contains_key(&key) {
                let shown: String = key.chars().take(SHOWN_KEY).flat_map(char::escape_debug).collect();
                return Err(A::Error::custom(format_args!("the key \"{shown}\" occurs twice")));
            }
            object.insert(key, members.next_value_seed(inner)?);
        }
        Ok(Value::Object(object))
    }
}

/// Converts a JSON value to a `Datum`, so that the games do not depend on JSON.
pub fn datum_of(value: Value) -> Datum {
    match value {
        Value::Null => Datum::Nothing,
        Value::Bool(flag) => Datum::Flag(flag),
        Value::Number(number) => match number.as_u64() {
            Some(number) => Datum::Number(number),
            None => Datum::Other(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Datum::Text(text),
        Value::Array(list) => Datum::List(list.into_iter().map(datum_of).collect()),
        Value::Object(map) => Datum::Group(group_of(map)),
    }
}

/// Converts a JSON object to a `Group`.
pub fn group_of(map: Map<String, Value>) -> Group {
    Group::of_distinct(map.into_iter().map(|(name, value)| (name, datum_of(value))).collect())
}

/// Converts a `Datum` to JSON.
pub fn value_of(datum: Datum) -> Value {
    match datum {
        Datum::Nothing => Value::Null,
        Datum::Flag(flag) => flag.into(),
        Datum::Number(number) => number.into(),
        Datum::Other(number) => number.into(),
        Datum::Text(text) => text.into(),
        Datum::List(list) => list.into_iter().map(value_of).collect(),
        Datum::Group(group) => object_of(group).into(),
    }
}

/// Converts a `Group` to a JSON object.
pub fn object_of(group: Group) -> Map<String, Value> {
    group.into_iter().map(|(name, value)| (name, value_of(value))).collect()
}

impl Serialize for Group {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object_of(self.clone()).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Group {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Map::deserialize(from).map(group_of)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_written_order_of_keys_stays() {
        let text = r#"{"t":0,"do":"bet","by":"white","a":[1,-2,2.5,null,true,"é\u0001"]}"#;
        assert_eq!(parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn a_key_that_stands_twice_is_refused_at_any_depth() {
        assert_eq!(said(r#"{"t":0,"t":1}"#), r#"column 10: the key "t" occurs twice"#);
        assert_eq!(said(r#"{"a":[{"b":{"c":1,"\u0063":2}}]}"#), r#"column 26: the key "c" occurs twice"#);
    }

    #[test]
    fn nothing_may_follow_the_value() {
        assert_eq!(said(r"{} {}"), "column 4: trailing characters");
        assert!(parse(" {} \r\n").is_ok());
    }

    #[test]
    fn nesting_has_an_end() {
        let nest = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nest(DEEPEST)).is_ok());
        assert_eq!(said(&nest(DEEPEST + 1)), "column 66: nested more than 64 levels deep");
        assert!(parse(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn half_a_line_says_where_it_ends() {
        assert_eq!(said(r#"{"t":0,"do":"be"#), "column 15: EOF while parsing a string");
        assert_eq!(said(""), "column 1: EOF while parsing a value");
        assert_eq!(said("{\n\"t\" 0}"), "column 7: expected `:`");
    }

    fn data() -> impl Strategy<Value = Datum> {
        let leaf = prop_oneof![
            Just(Datum::Nothing),
            any::<bool>().prop_map(Datum::Flag),
            any::<u64>().prop_map(Datum::Number),
            "[a-z\"é]{0,4}".prop_map(Datum::Text),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Datum::List),
                prop::collection::vec(("[a-z]{1,3}", inner), 0..4)
                    .prop_map(|fields| Datum::Group(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn fields_that_are_written_are_read_as_the_same(datum in data()) {
            let group = Group::new().with("of", datum);
            let text = serde_json::to_string(&group).unwrap();
            prop_assert_eq!(serde_json::from_str::<Group>(&text).unwrap(), group);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in r#"[\[\]{}":,\\0-9a-eE.+\-nul tr\n\u{e9}]{0,60}"#) {
            let strict = parse(&text);
            let plain: Result<Value, _> = serde_json::from_str(&text);
            if let Ok(value) = strict {
                prop_assert_eq!(plain.unwrap(), value);
            }
        }
    }
}
