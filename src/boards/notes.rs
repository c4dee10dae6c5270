//! Facts about a board that outlive one connection, such as its calibration or its maker's key.

use std::collections::BTreeMap;

/// Named values that a driver has asked to keep, or that the board's owner has entered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes(BTreeMap<String, String>);

impl Notes {
    /// No notes.
    pub const NONE: Self = Self(BTreeMap::new());

    /// Returns the value of the note with this name; `None` if there is no such note.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Stores a value under a name. An older value is replaced.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }

    /// All names with their values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Notes {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(notes: I) -> Self {
        Self(notes.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
