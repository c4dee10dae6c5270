//! What stands in a record's field, free of its notation: the record alone knows that it is JSON.
//!
//! Terms of a match and lines that only one game has pass the seam in this form.

/// A value of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Datum {
    /// `null`.
    Nothing,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number from 0 on.
    Number(u64),
    /// Any other number.
    Other(f64),
    /// A text.
    Text(String),
    /// One after the other.
    List(Vec<Datum>),
    /// Named fields.
    Group(Group),
}

/// Named fields in their order; each name stands once. Two are equal if the same fields have the same values, in
/// whatever order.
#[derive(Clone, Debug, Default)]
pub struct Group(Vec<(String, Datum)>);

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Group {
    /// Without fields.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// These fields, of which no two have the same name.
    pub(crate) fn of_distinct(fields: Vec<(String, Datum)>) -> Self {
        Self(fields)
    }

    /// The same with one more field, or another value in it.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Datum>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a field; one that is there keeps its place.
    pub fn set(&mut self, name: &str, value: impl Into<Datum>) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Datum> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Takes a field out.
    pub fn take(&mut self, name: &str) -> Option<Datum> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Whether there is a field of this name.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Datum)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Sets all of these fields.
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
    /// The text, if it is one.
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

    /// The whole number, if it is one.
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

    /// The flag, if it is one.
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

    /// The values one by one, if it is a list.
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

    /// The named fields, if it has such.
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
