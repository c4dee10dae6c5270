//! What is entered: an input, and what its line carries besides it.

use super::input::Input;
use crate::rules::Group;

/// An input, and what its line carries besides it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The input.
    pub input: Input,
    /// What its line carries.
    pub note: Note,
}

/// What a line carries besides its input. It has no effect on the match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// The line's id (`docs/record.md`). Who gives an order chooses it, and finds his line by it.
    pub id: Option<String>,
    /// The extension fields, whose names begin with `x-`.
    pub own: Group,
}

impl Entry {
    /// An input whose line has these extension fields.
    pub fn with_own(input: impl Into<Input>, own: Group) -> Self {
        Self { input: input.into(), note: Note { id: None, own } }
    }
}

impl Note {
    /// Whether the line carries nothing besides its input.
    pub fn is_empty(&self) -> bool {
        self.id.is_none() && self.own.is_empty()
    }
}

impl<I: Into<Input>> From<I> for Entry {
    fn from(input: I) -> Self {
        Self { input: input.into(), note: Note::default() }
    }
}

impl From<&Input> for Entry {
    fn from(input: &Input) -> Self {
        input.clone().into()
    }
}
