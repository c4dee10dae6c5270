//! Why a running table did not accept an input.

use tabiya_engine::rules::Violation;
use tabiya_types::{Sentence, say};

use crate::store::journal::JournalError;

/// Why an input was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum InputFault {
    /// The rules refuse it.
    #[error("{}", self.sentence())]
    Refused(#[from] Violation),
    /// It could not be written to the record.
    #[error("{}", self.sentence())]
    NotWritten(#[from] JournalError),
    /// The cards that a reader has read could not be sealed.
    #[error("{}", self.sentence())]
    NotSealed(JournalError),
}

impl InputFault {
    /// The fault as a sentence for people.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Refused(violation) => violation.sentence(),
            Self::NotSealed(error) => {
                let error = error.to_string();
                say!(
                    "not-sealed",
                    "{error}; the deal was not accepted: enter `misdeal`, then `deal` to record it without cards",
                    error
                )
            }
            Self::NotWritten(error) => {
                let error = error.to_string();
                say!("not-written", "the record cannot be written, so nothing was accepted: {error}", error)
            }
        }
    }
}
