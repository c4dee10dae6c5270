//! What the table asked, and what a typed answer to it stands for.

use tabiya_engine::rules::{Group, PlayAction};
use tabiya_engine::sense::{Question, Watch};
use tabiya_engine::table::{By, Common, Input};
use tabiya_types::{Color, Sentence, say};

/// What was asked and answered.
#[derive(Debug, Default)]
pub(super) struct Answers {
    asked: Option<Question>,
    /// The question that was answered by `no`.
    dismissed: Option<Question>,
}

impl Answers {
    /// What has to be answered, if anything; a question that got a `no` is not asked again.
    pub(super) fn question<'a>(&self, watch: &'a Watch) -> Option<&'a Question> {
        let asks = watch.table().game().has_board();
        watch.question().filter(|question| asks && self.dismissed.as_ref() != Some(question))
    }

    /// `no`: the open question is dropped. Whether there was one.
    pub(super) fn no(&mut self, watch: &Watch) -> bool {
        let open = self.question(watch).cloned();
        let asked = open.is_some();
        if asked {
            self.dismissed = open;
        }
        asked
    }

    /// Asks a new question, and says how to answer it.
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
            Question::Which(ways) if ways.is_empty() => asked,
            Question::Which(ways) if ways.len() > 1 => {
                say!("ask-number", "{asked} (or type 1 to {last})", asked, last = ways.len())
            }
            _ => say!("ask-yes-or-no", "{asked} (yes or no)", asked),
        })
    }
}

/// The inputs that a `yes` to this question stands for.
pub(super) fn yes(question: &Question) -> Vec<Input> {
    match question {
        Question::Which(ways) if ways.len() == 1 => explanation_inputs(question, 1),
        Question::Which(_) => Vec::new(),
        Question::TakeBack { undos, .. } => {
            let undo = Input::Common(Common::Undo { by: None, reason: None });
            vec![undo; *undos]
        }
        Question::NewGame => vec![Input::Common(Common::Next(Group::new()))],
        Question::Result(Some(winner)) => vec![PlayAction::Resign(winner.other()).into()],
        Question::Result(None) => {
            vec![PlayAction::OfferDraw(Color::White).into(), PlayAction::AcceptDraw(Color::Black).into()]
        }
        Question::Changed { undos, inputs } => {
            let undo = Input::Common(Common::Undo { by: Some(By::Arbiter), reason: None });
            vec![undo; *undos].into_iter().chain(inputs.iter().cloned()).collect()
        }
    }
}

/// The inputs of the way of that number, from 1, where the board can mean more than one thing.
pub(super) fn explanation_inputs(question: &Question, number: usize) -> Vec<Input> {
    let Question::Which(ways) = question else { return Vec::new() };
    let way = number.checked_sub(1).and_then(|nth| ways.get(nth));
    way.map(|way| way.iter().cloned().map(Input::Game).collect()).unwrap_or_default()
}
