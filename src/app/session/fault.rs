//! Why something was not taken at a running table.

use tabiya_engine::rules::Violation;
use tabiya_types::{Sentence, say};

use crate::store::journal::JournalError;

/// Why an input was not taken.
#[derive(Debug, thiserror::Error)]
pub enum InputFault {
    /// By the rules.
    #[error("{}", self.sentence())]
    Refused(#[from] Violation),
    /// It could not be written down.
    #[error("{}", self.sentence())]
    NotWritten(#[from] JournalError),
    /// Cards that a reader knows could not be sealed.
    #[error("{}", self.sentence())]
    NotSealed(JournalError),
}

impl InputFault {
    /// The fault as it is told.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Refused(violation) => violation.sentence(),
            Self::NotSealed(error) => {
                let error = error.to_string();
                say!(
                    "not-sealed",
                    "{error}; nothing was taken: `misdeal` and then `deal` enters the street without its cards",
                    error
                )
            }
            Self::NotWritten(error) => {
                let error = error.to_string();
                say!("not-written", "the record cannot be written, so nothing was taken: {error}", error)
            }
        }
    }
}
