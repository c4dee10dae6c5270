//! What people are asked, together with what each answer means.

use super::super::reading::Reading;
use crate::rules::Action;
use crate::table::Question;

/// An answer that a question offers.
#[derive(Clone, Debug)]
pub(in super::super) enum OfferedAnswer {
    Reading(Reading),
    /// An action that the game proposes for a board that no reading explains.
    Proposal(Action),
}

/// A question, and the answers that it offers. Only the question which action was played offers any.
#[derive(Clone, Debug)]
pub(in super::super) struct OpenQuestion {
    pub(in super::super) question: Question,
    pub(in super::super) answers: Vec<OfferedAnswer>,
}

impl From<Question> for OpenQuestion {
    fn from(question: Question) -> Self {
        Self { question, answers: Vec::new() }
    }
}
