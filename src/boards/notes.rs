//! What is to be known of a board beyond one connection: its calibration, its maker's key.

use std::collections::BTreeMap;

/// Names and values that a maker's driver has asked to be kept, or that its owner has given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes(BTreeMap<String, String>);

impl Notes {
    /// Nothing is known.
    pub const NONE: Self = Self(BTreeMap::new());

    /// What is known under a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Keeps a value under a name, in place of an older one.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }

    /// All of it, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Notes {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(notes: I) -> Self {
        Self(notes.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
