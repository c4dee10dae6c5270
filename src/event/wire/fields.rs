//! The members of a message, read one by one: each with its form, its range and its sentence of what is wrong.

use serde_json::{Map, Value};
use tabiya_engine::record::chain::{Head, unhex};

use super::{GREATEST, GREATEST_SEQ, LAST_TABLE, LONGEST_NAME, LONGEST_UID};

/// What is wrong with a message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{member}` {what}")]
pub struct WireFault {
    member: &'static str,
    what: String,
}

impl WireFault {
    pub(crate) fn new(member: &'static str, what: impl Into<String>) -> Self {
        Self { member, what: what.into() }
    }
}

/// The members of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct MessageFields(Map<String, Value>);

impl MessageFields {
    /// The members of this object.
    pub fn new(members: Map<String, Value>) -> Self {
        Self(members)
    }

    /// The members of an object that is a member itself.
    pub(crate) fn of(member: &'static str, value: Value) -> Result<Self, WireFault> {
        match value {
            Value::Object(members) => Ok(Self(members)),
            _ => Err(WireFault::new(member, "is no object")),
        }
    }

    /// All members, in their order.
    pub(crate) fn into_map(self) -> Map<String, Value> {
        self.0
    }

    /// The member as it stands; `None` if it is absent.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The names of all members.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Takes a member out; `None` if it is absent.
    pub(crate) fn optional(&mut self, name: &str) -> Option<Value> {
        self.0.get_mut(name).map(Value::take)
    }

    /// Takes a member out. `Err` if it is absent.
    pub(crate) fn take(&mut self, name: &'static str) -> Result<Value, WireFault> {
        self.0.get_mut(name).map(Value::take).ok_or_else(|| WireFault::new(name, "is missing"))
    }

    /// Takes a member out that may be `null`. `Err` if it is absent.
    pub(crate) fn nullable(&mut self, name: &'static str) -> Result<Option<Value>, WireFault> {
        self.take(name).map(|value| Some(value).filter(|value| !value.is_null()))
    }

    /// A text of at most so many bytes, which is not empty.
    pub(crate) fn text(&mut self, name: &'static str, longest: usize) -> Result<String, WireFault> {
        text(name, self.take(name)?, longest)
    }

    /// A whole number of at most `greatest`.
    pub(crate) fn whole(&mut self, name: &'static str, greatest: u64) -> Result<u64, WireFault> {
        let value = self.take(name)?;
        whole(name, &value, greatest)
    }

    /// A number of milliseconds.
    pub(crate) fn millis(&mut self, name: &'static str) -> Result<u64, WireFault> {
        self.whole(name, GREATEST)
    }

    /// The place of a line in its match.
    pub(crate) fn seq(&mut self) -> Result<u64, WireFault> {
        self.whole("seq", GREATEST_SEQ)
    }

    /// A table's number.
    pub(crate) fn table(&mut self) -> Result<u16, WireFault> {
        let value = self.take("table")?;
        table(&value)
    }

    /// A match's unique name.
    pub(crate) fn uid(&mut self) -> Result<String, WireFault> {
        self.text("match", LONGEST_UID)
    }

    /// So many bytes as lowercase hexadecimal digits; the text itself.
    pub(crate) fn hex(&mut self, name: &'static str, bytes: usize) -> Result<String, WireFault> {
        let digits = text(name, self.take(name)?, 2 * bytes)?;
        match unhex(&digits).filter(|found| found.len() == bytes) {
            Some(_) => Ok(digits),
            None => Err(WireFault::new(name, format!("is not {} hexadecimal digits", 2 * bytes))),
        }
    }

    /// A hash of the chain.
    pub(crate) fn head(&mut self, name: &'static str) -> Result<Head, WireFault> {
        let digits = self.hex(name, 32)?;
        let bytes = unhex(&digits).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        bytes.map(Head::from_bytes).ok_or_else(|| WireFault::new(name, "is not 64 hexadecimal digits"))
    }

    /// An array of at most so many objects, each read by `read`.
    pub(crate) fn list<T>(
        &mut self,
        name: &'static str,
        most: usize,
        mut read: impl FnMut(MessageFields) -> Result<T, WireFault>,
    ) -> Result<Vec<T>, WireFault> {
        let Value::Array(values) = self.take(name)? else {
            return Err(WireFault::new(name, "is no array"));
        };
        if values.len() > most {
            return Err(WireFault::new(name, format!("has more than {most} members")));
        }
        values.into_iter().map(|value| read(MessageFields::of(name, value)?)).collect()
    }
}

/// A text of at most so many bytes, which is not empty.
pub(crate) fn text(name: &'static str, value: Value, longest: usize) -> Result<String, WireFault> {
    match value {
        Value::String(text) if text.is_empty() => Err(WireFault::new(name, "is empty")),
        Value::String(text) if text.len() > longest => {
            Err(WireFault::new(name, format!("is longer than {longest} bytes")))
        }
        Value::String(text) => Ok(text),
        _ => Err(WireFault::new(name, "is no text")),
    }
}

/// The name of a person or a console: 1 to 60 characters.
pub(crate) fn person(name: &'static str, value: Value) -> Result<String, WireFault> {
    let person = text(name, value, 4 * LONGEST_NAME)?;
    if person.chars().count() > LONGEST_NAME {
        return Err(WireFault::new(name, format!("has more than {LONGEST_NAME} characters")));
    }
    Ok(person)
}

/// A whole number of at most `greatest`.
pub(crate) fn whole(name: &'static str, value: &Value, greatest: u64) -> Result<u64, WireFault> {
    match value.as_u64().filter(|number| *number <= greatest) {
        Some(number) => Ok(number),
        None => Err(WireFault::new(name, format!("is no whole number from 0 to {greatest}"))),
    }
}

/// A table's number.
pub(crate) fn table(value: &Value) -> Result<u16, WireFault> {
    let number = whole("table", value, LAST_TABLE)?;
    match u16::try_from(number) {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(WireFault::new("table", "is no number from 1 to 9999")),
    }
}
