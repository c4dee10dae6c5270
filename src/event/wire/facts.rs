//! The facts of a sentence on the wire, so that a console says it in its arbiter's language.
//!
//! Numbers and texts stand as they are, a list is an array; everything else is an object with one member that names its kind. What an
//! older or newer program does not understand leaves the sentence in English.
//!
//! Source: `docs/hall.md`, §4 (`with`).

use serde_json::{Map, Value, json};
use tabiya_types::{Color, Fact, Role, Square, ToldSentence};

use super::LONGEST_SENTENCE;

/// The most facts of a sentence, and the most sentences in each other.
const MOST: usize = 12;
const DEEPEST: usize = 3;
/// The longest facts of a sentence that are sent, in bytes: a state with all of its alerts has room in a message.
const LONGEST: usize = 200;

/// These facts, or none if they are longer than is sent.
pub(super) fn that_fit(facts: Vec<(String, Fact)>) -> Vec<(String, Fact)> {
    let text = value(&facts).to_string();
    // What would be read as something else is not sent.
    let same = read(&value(&facts)).is_some_and(|again| again == facts);
    if text.len() <= LONGEST && same { facts } else { Vec::new() }
}

/// The facts as an object.
pub(super) fn value(facts: &[(String, Fact)]) -> Value {
    Value::Object(facts.iter().map(|(name, fact)| (name.clone(), fact_value(fact))).collect())
}

fn fact_value(fact: &Fact) -> Value {
    match fact {
        Fact::Number(number) => (*number).into(),
        Fact::Color(color) => json!({"color": color.word()}),
        Fact::Role(role) => json!({"role": role.word()}),
        Fact::Square(square) => json!({"square": square.to_string()}),
        Fact::San(san) => json!({"san": san}),
        Fact::List(facts) => facts.iter().map(fact_value).collect(),
        Fact::Sentence(sentence) => told_value(&ToldSentence::from(&**sentence)),
        Fact::Told(told) => told_value(told),
        Fact::Name(_) | Fact::Seat(_) | Fact::Card(_) | Fact::Piece(_) => fact.to_string().into(),
    }
}

fn told_value(told: &ToldSentence) -> Value {
    json!({"say": told.id, "en": told.english, "with": value(&told.facts)})
}

/// Reads the facts of a sentence; `None` if something in them is not understood.
pub(super) fn read(value: &Value) -> Option<Vec<(String, Fact)>> {
    facts(value.as_object()?, DEEPEST)
}

fn facts(members: &Map<String, Value>, deep: usize) -> Option<Vec<(String, Fact)>> {
    if members.len() > MOST {
        return None;
    }
    members.iter().map(|(name, value)| Some((name.clone(), fact(value, deep)?))).collect()
}

fn fact(value: &Value, deep: usize) -> Option<Fact> {
    let deep = deep.checked_sub(1)?;
    match value {
        Value::Number(_) => value.as_u64().map(Fact::Number),
        Value::String(text) => short(text).map(Fact::Name),
        Value::Array(values) if values.len() <= MOST => {
            values.iter().map(|value| fact(value, deep)).collect::<Option<_>>().map(Fact::List)
        }
        Value::Object(members) => object(members, deep),
        Value::Null | Value::Bool(_) | Value::Array(_) => None,
    }
}

fn object(members: &Map<String, Value>, deep: usize) -> Option<Fact> {
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    if let (Some(id), Some(english), Some(with)) = (text("say"), text("en"), members.get("with")) {
        let (id, english) = (short(id)?, short(english)?);
        let facts = facts(with.as_object()?, deep)?;
        return Some(Fact::Told(Box::new(ToldSentence { id, english, facts })));
    }
    if members.len() != 1 {
        return None;
    }
    if let Some(word) = text("color") {
        return Color::from_word(word).map(Fact::Color);
    }
    if let Some(word) = text("role") {
        return Role::ALL.into_iter().find(|role| role.word() == word).map(Fact::Role);
    }
    if let Some(word) = text("square") {
        return word.parse::<Square>().ok().map(Fact::Square);
    }
    text("san").and_then(short).map(Fact::San)
}

/// A text of at most so many characters as a sentence has.
fn short(text: &str) -> Option<String> {
    (text.chars().count() <= LONGEST_SENTENCE).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_through_as_they_are_and_what_is_not_understood_leaves_english() {
        let at: Square = "e8".parse().expect("a square");
        let facts: [(&str, Fact); 4] = [
            ("by", Color::Black.into()),
            ("at", at.into()),
            ("count", 2_u32.into()),
            ("name", "Ann".to_owned().into()),
        ];
        let facts = facts.map(|(name, fact)| (name.to_owned(), fact)).to_vec();
        let told = ToldSentence { id: "inner".to_owned(), english: "Black e8 2 Ann".to_owned(), facts };
        let sent = value(&told.facts);
        assert_eq!(
            sent,
            json!({"by": {"color": "black"}, "at": {"square": "e8"}, "count": 2, "name": "Ann"})
        );
        assert_eq!(read(&sent), Some(told.facts.clone()));
        assert_eq!(that_fit(told.facts.clone()), told.facts);
        assert_eq!(read(&json!({"by": {"later": 1}})), None);
        assert_eq!(read(&json!({"by": null})), None);
        let long = vec![("name".to_owned(), Fact::Name("x".repeat(LONGEST)))];
        assert_eq!(that_fit(long), [], "it would take the room of other alerts");
        let outer = ToldSentence { facts: vec![("told".to_owned(), told.into())], ..ToldSentence::default() };
        let again = read(&value(&outer.facts)).expect("it is read");
        assert!(matches!(&again[0].1, Fact::Told(told) if told.id == "inner"), "{again:?}");
        let mut deep = json!("end");
        for _ in 0..5 {
            deep = json!([deep]);
        }
        assert_eq!(read(&json!({"x": deep})), None);
    }
}
