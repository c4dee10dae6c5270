//! The values in a record's fields, independent of JSON; only the record module reads and writes JSON.
//!
//! The terms of a match and the actions that only one kind of game has are passed to and from a game in this form.

/// The value of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Datum {
    /// The value `null`.
    Nothing,
    /// The value `true` or `false`.
    Flag(bool),
    /// A whole number, not negative.
    Number(u64),
    /// Any other number, such as a negative number or a fraction.
    Other(f64),
    /// A text.
    Text(String),
    /// A list of values.
    List(Vec<Datum>),
    /// An object with named fields.
    Group(Group),
}

/// Named fields in a fixed order; each name occurs once. Two groups are equal if they have the same fields with the
/// same values, in any order.
#[derive(Clone, Debug, Default)]
pub struct Group(Vec<(String, Datum)>);

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Group {
    /// A group without fields.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// A group of these fields. The caller guarantees that all names are different.
    pub(crate) fn of_distinct(fields: Vec<(String, Datum)>) -> Self {
        Self(fields)
    }

    /// This group with a field added, or with the value of an existing field replaced.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Datum>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a field; an existing field keeps its position in the order.
    pub fn set(&mut self, name: &str, value: impl Into<Datum>) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }

    /// The value of a field; `None` if there is no such field.
    pub fn get(&self, name: &str) -> Option<&Datum> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Removes a field and returns its value; `None` if there is no such field.
    pub fn take(&mut self, name: &str) -> Option<Datum> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Whether there is a field with this name.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether the group has no fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the fields in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Datum)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Sets all fields of another group in this group.
    pub fn extend(&mut self, fields: Self) {
        for (name, value) in fields.0 {
            self.set(&name, value);
        }
    }
}

impl FromIterator<(String, Datum)> for Group {
    fn from_iter<I: IntoIterator<Item = (String, Datum)>>(fields: I) -> Self {
        let mut group = Self::new();
        for (name, value) in fields {
            group.set(&name, value);
        }
        group
    }
}

impl IntoIterator for Group {
    type Item = (String, Datum);
    type IntoIter = std::vec::IntoIter<(String, Datum)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Datum {
    /// The text; `None` if the value is not a text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Nothing
            | Self::Flag(_)
            | Self::Number(_)
            | Self::Other(_)
            | Self::List(_)
            | Self::Group(_) => None,
        }
    }

    /// The whole number; `None` if the value is not a whole number from 0 up.
    pub fn as_number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Nothing
            | Self::Flag(_)
            | Self::Other(_)
            | Self::Text(_)
            | Self::List(_)
            | Self::Group(_) => None,
        }
    }

    /// The truth value; `None` if the value is not `true` or `false`.
    pub fn as_flag(&self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(*flag),
            Self::Nothing
            | Self::Number(_)
            | Self::Other(_)
            | Self::Text(_)
            | Self::List(_)
            | Self::Group(_) => None,
        }
    }

    /// The values of the list; `None` if the value is not a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            Self::Nothing
            | Self::Flag(_)
            | Self::Number(_)
            | Self::Other(_)
            | Self::Text(_)
            | Self::Group(_) => None,
        }
    }

    /// The named fields; `None` if the value is not an object.
    pub fn as_group(&self) -> Option<&Group> {
        match self {
            Self::Group(group) => Some(group),
            Self::Nothing
            | Self::Flag(_)
            | Self::Number(_)
            | Self::Other(_)
            | Self::Text(_)
            | Self::List(_) => None,
        }
    }
}

macro_rules! datum_from {
    ($($from:ty => |$value:ident| $datum:expr),* $(,)?) => {
        $(impl From<$from> for Datum {
            fn from($value: $from) -> Self {
                $datum
            }
        })*
    };
}

datum_from! {
    bool => |flag| Self::Flag(flag),
    u8 => |number| Self::Number(number.into()),
    u32 => |number| Self::Number(number.into()),
    u64 => |number| Self::Number(number),
    &str => |text| Self::Text(text.to_owned()),
    String => |text| Self::Text(text),
    char => |letter| Self::Text(letter.to_string()),
    Group => |group| Self::Group(group),
}

impl<T: Into<Self>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Datum {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_set_again_keeps_its_place() {
        let group = Group::new().with("a", 1_u32).with("b", "two").with("a", 3_u32);
        let fields: Vec<_> = group.iter().collect();
        assert_eq!(fields, [("a", &Datum::Number(3)), ("b", &Datum::from("two"))]);
    }
}
