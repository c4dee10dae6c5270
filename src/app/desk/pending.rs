//! A question that the table asks before something is entered (`docs/players-guide.md`, "Asked once").
//!
//! The question is the same in every front, because the desk keeps it. It is dropped when something else is entered or
//! when the match has gone on. What only shows something, or is not understood, leaves it open.

use tabiya_engine::table::{Audience, Input, QuestionBefore};
use tabiya_types::{Sentence, say};

use crate::snapshot::Asked;

/// What an answer does.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PendingAnswer {
    /// Enters these inputs.
    Enter(Vec<Input>),
    /// Leaves the match.
    Leave,
    /// Ends the program.
    Close,
}

/// A question that waits for its answer.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pending {
    to: Audience,
    text: Sentence,
    answers: Vec<(Sentence, PendingAnswer)>,
    /// How many inputs the record had when the question was asked.
    acts: usize,
}

impl Pending {
    /// The question before some inputs.
    pub(super) fn before(question: QuestionBefore, acts: usize) -> Self {
        let QuestionBefore { to, text, answers } = question;
        let answers =
            answers.into_iter().map(|(text, inputs)| (text, PendingAnswer::Enter(inputs))).collect();
        Self { to, text, answers, acts }
    }

    /// The question before people leave the match.
    pub(super) fn leaving(text: Sentence, acts: usize) -> Self {
        Self {
            to: Audience::Players,
            text,
            answers: vec![(say!("answer-leave", "leave"), PendingAnswer::Leave)],
            acts,
        }
    }

    /// The question before the program ends in a running match.
    pub(super) fn closing(text: Sentence, acts: usize) -> Self {
        let answers = vec![(say!("answer-close", "close"), PendingAnswer::Close)];
        Self { to: Audience::Players, text, answers, acts }
    }

    /// Whether the match has stood still since the question was asked.
    pub(super) fn holds(&self, acts: usize) -> bool {
        self.acts == acts
    }

    /// Whether the question is about leaving.
    pub(super) fn is_leaving(&self) -> bool {
        matches!(self.answers.as_slice(), [(_, PendingAnswer::Leave)])
    }

    /// Whether the question is about the program's end.
    pub(super) fn is_closing(&self) -> bool {
        matches!(self.answers.as_slice(), [(_, PendingAnswer::Close)])
    }

    /// The answer with this number, from 1; with one answer, `yes` is the first.
    pub(super) fn answer(&self, number: usize) -> Option<PendingAnswer> {
        self.answers.get(number.checked_sub(1)?).map(|(_, answer)| answer.clone())
    }

    /// How many numbered answers there are; zero if the question is answered with yes or no.
    pub(super) fn choices(&self) -> usize {
        if self.answers.len() > 1 { self.answers.len() } else { 0 }
    }

    /// The question as screens show it.
    pub(super) fn asked(&self) -> Asked {
        let answers: Vec<Sentence> = self.answers.iter().map(|(text, _)| text.clone().harmless()).collect();
        let answers = (answers.len() > 1).then_some(answers);
        Asked { to: self.to, text: self.text.clone().harmless(), answers, squares: Vec::new() }
    }

    /// The question as a line of text, with its numbered answers.
    pub(super) fn lines(&self) -> Vec<Sentence> {
        let asked = self.text.clone();
        if self.choices() == 0 {
            return vec![say!(
                "ask-yes-or-other",
                "{asked} (`yes` or `no`; another action drops the question)",
                asked
            )];
        }
        let numbered =
            self.answers.iter().zip(1_usize..).map(|((text, _), number)| {
                say!("ask-numbered", "{number}: {text}", number, text = text.clone())
            });
        [say!(
            "ask-number-or-other",
            "{asked} (type a number or `no`; another action drops the question)",
            asked
        )]
        .into_iter()
        .chain(numbered)
        .collect()
    }
}
