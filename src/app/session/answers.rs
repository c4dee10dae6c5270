//! What the table asked, and what a typed answer to it stands for.

use super::Session;
use tabiya_engine::rules::{Group, PlayAction};
use tabiya_engine::sense::Question;
use tabiya_engine::table::{By, Common, Input};
use tabiya_types::{Color, say};

impl Session {
    /// What has to be answered, if anything; a question that got a `no` is not asked again.
    pub fn question(&self) -> Option<&Question> {
        let asks = self.table().game().has_board();
        self.watch.question().filter(|question| asks && self.dismissed.as_ref() != Some(question))
    }

    /// `no`: the open question is dropped. Whether there was one.
    pub fn no(&mut self) -> bool {
        let open = self.question().cloned();
        let asked = open.is_some();
        if asked {
            self.dismissed = open;
        }
        asked
    }

    /// The inputs that a `yes` to the open question stands for.
    pub fn yes(&self) -> Vec<Input> {
        match self.question() {
            None => Vec::new(),
            Some(Question::Which(ways)) => {
                if ways.len() == 1 {
                    self.way(1)
                } else {
                    Vec::new()
                }
            }
            Some(Question::TakeBack { undos, .. }) => {
                let undo = Input::Common(Common::Undo { by: None, reason: None });
                vec![undo; *undos]
            }
            Some(Question::NewGame) => vec![Input::Common(Common::Next(Group::new()))],
            Some(Question::Result(Some(winner))) => vec![PlayAction::Resign(winner.other()).into()],
            Some(Question::Result(None)) => {
                vec![PlayAction::OfferDraw(Color::White).into(), PlayAction::AcceptDraw(Color::Black).into()]
            }
            Some(Question::Changed { undos, inputs }) => {
                let undo = Input::Common(Common::Undo { by: Some(By::Arbiter), reason: None });
                vec![undo; *undos].into_iter().chain(inputs.iter().cloned()).collect()
            }
        }
    }

    /// The inputs of the way of that number, from 1, where the board can mean more than one thing.
    pub fn way(&self, number: usize) -> Vec<Input> {
        match self.question() {
            Some(Question::Which(ways)) => number
                .checked_sub(1)
                .and_then(|nth| ways.get(nth))
                .map(|way| way.iter().cloned().map(Input::Game).collect())
                .unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Tells a new question, and how to answer it.
    pub(super) fn ask(&mut self) {
        if self.dismissed.is_some() && self.watch.question() != self.dismissed.as_ref() {
            self.dismissed = None;
        }
        let question = self.question().cloned();
        if question == self.asked {
            return;
        }
        if let Some(question) = &question {
            let asked = question.sentence();
            self.tell_claim(match question {
                Question::Which(ways) if ways.is_empty() => asked,
                Question::Which(ways) if ways.len() > 1 => {
                    say!("ask-number", "{asked} (or type 1 to {last})", asked, last = ways.len())
                }
                _ => say!("ask-yes-or-no", "{asked} (yes or no)", asked),
            });
        }
        self.asked = question;
    }
}
