//! The reasons why a session does not accept an input.

use tabiya_engine::rules::Violation;
use tabiya_types::{Sentence, say};

use tabiya_store::journal::JournalError;

/// The reason why an input was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum InputFault {
    /// The rules refuse the input.
    #[error("{}", self.sentence())]
    Refused(#[from] Violation),
    /// The input could not be written to the record.
    #[error("{}", self.sentence())]
    NotWritten(#[from] JournalError),
    /// The cards that a reader has read could not be sealed.
    #[error("{}", self.sentence())]
    NotSealed(JournalError),
    /// It is not shown that a consent is the player's own, or a code cannot be chosen; the sentence says what is missing.
    #[error("{}", self.sentence())]
    NoConsent(Sentence),
    /// The guidelines of the Laws (on adjournment, on games without increments) do not allow it now; the sentence says why.
    #[error("{}", self.sentence())]
    Guideline(Sentence),
    /// Its line would be too long for a message to an event's console.
    #[error("{}", self.sentence())]
    TooLong,
}

impl InputFault {
    /// Returns the reason as a sentence for people.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Refused(violation) => violation.sentence(),
            Self::NoConsent(sentence) | Self::Guideline(sentence) => sentence.clone(),
            Self::TooLong => say!(
                "input-too-long",
                "this is too long for a line of the record, so it was not accepted: say it in fewer words"
            ),
            Self::NotSealed(error) => {
                let error = error.to_string();
                say!(
                    "not-sealed",
                    "{error}; the deal was not accepted: enter `misdeal`, then `deal` to record the deal without cards",
                    error
                )
            }
            Self::NotWritten(error) => {
                let error = error.to_string();
                say!(
                    "not-written",
                    "the record cannot be written, so the input was not accepted: {error}",
                    error
                )
            }
        }
    }
}
