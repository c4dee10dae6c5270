//! The table's questions to people, and the inputs that an answer stands for.

use tabiya_engine::rules::{Group, PlayAction};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Author, Common, Input, Question, UndoWhat};
use tabiya_types::{Color, Sentence, say};

/// The question that was asked last, and the question that was answered with `no`.
#[derive(Debug, Default)]
pub(super) struct Answers {
    asked: Option<Question>,
    /// The question that was answered with `no`, until another question comes up.
    dismissed: Option<Question>,
}

impl Answers {
    /// The open question to people, if there is one. A question that was answered with `no` is not asked again.
    pub(super) fn question<'a>(&self, watch: &'a Watch) -> Option<&'a Question> {
        let asks = watch.table().game().has_board();
        watch.question().filter(|question| asks && self.dismissed.as_ref() != Some(question))
    }

    /// Answers `no` to the open question. Returns whether a question was open.
    pub(super) fn no(&mut self, watch: &Watch) -> bool {
        let open = self.question(watch).cloned();
        let asked = open.is_some();
        if asked {
            self.dismissed = open;
        }
        asked
    }

    /// Returns the text of the open question if it was not asked yet, with a hint how to answer.
    pub(super) fn ask(&mut self, watch: &Watch) -> Option<Sentence> {
        if self.dismissed.is_some() && watch.question() != self.dismissed.as_ref() {
            self.dismissed = None;
        }
        let question = self.question(watch).cloned();
        if question == self.asked {
            return None;
        }
        self.asked = question;
        let question = self.asked.as_ref()?;
        let asked = question.sentence();
        Some(match question {
            Question::Which(explanations) if explanations.is_empty() => asked,
            Question::Which(explanations) if explanations.len() > 1 => {
                say!("ask-number", "{asked} (or type 1 to {last})", asked, last = explanations.len())
            }
            _ => say!("ask-yes-or-no", "{asked} (yes or no)", asked),
        })
    }
}

/// Returns the inputs that the answer `yes` to this question enters.
pub(super) fn yes(question: &Question) -> Vec<Input> {
    match question {
        Question::Which(_) => Vec::new(),
        Question::TakeBack { undos, .. } => {
            let undo = Input::Common(Common::TAKE_BACK);
            vec![undo; *undos]
        }
        Question::NewGame => vec![Input::Common(Common::Next(Group::new()))],
        Question::Result(Some(winner)) => vec![PlayAction::Resign(winner.other()).into()],
        Question::Result(None) => {
            vec![PlayAction::OfferDraw(Color::White).into(), PlayAction::AcceptDraw(Color::Black).into()]
        }
        Question::Changed { undos, inputs } => {
            let undo =
                Input::Common(Common::Undo { what: UndoWhat::Game, by: Some(Author::Arbiter), reason: None });
            vec![undo; *undos].into_iter().chain(inputs.iter().cloned()).collect()
        }
    }
}

/// How many numbered answers the question has; zero if it has none.
pub(super) fn choices(question: &Question) -> usize {
    if let Question::Which(readings) = question { readings.len() } else { 0 }
}
