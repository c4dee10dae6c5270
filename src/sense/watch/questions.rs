//! The questions that people are asked about the board, and the answers that they are offered.

use tabiya_types::Square;

use super::super::history::{differences, squares};
use super::super::reading::{Reading, Step, StepKind};
use super::super::tracker::{OfferedAnswer, OpenQuestion};
use super::earlier::SetUpAgain;
use super::scribe::Scribe;
use crate::rules::Action;
use crate::table::Question;

impl Scribe {
    /// Asks which of these readings is right.
    pub(super) fn ask(&mut self, readings: Vec<Reading>) {
        self.offer(readings.into_iter().map(OfferedAnswer::Reading).collect());
    }

    /// Asks what was played, and offers these answers.
    pub(super) fn offer(&mut self, answers: Vec<OfferedAnswer>) {
        let action = |step: &Step| match &step.kind {
            StepKind::Act { action, .. } => Some(action.clone()),
            _ => None,
        };
        let new = |answer: &OfferedAnswer| match answer {
            OfferedAnswer::Reading(reading) => {
                self.tracker.difference(reading).new.iter().filter_map(action).collect()
            }
            OfferedAnswer::Proposal(action) => vec![action.clone()],
        };
        let question = Question::Which(answers.iter().map(new).collect());
        self.tracker.ask(OpenQuestion { question, answers });
    }

    /// If an earlier position was set up again: asks whether to take back the actions since then, or after the end of
    /// a game, whether to begin a new one.
    pub(super) fn offer_earlier(&mut self) {
        let (count, history) = (self.table().count(), self.tracker.history());
        let shows = |pieces| history.shown(pieces) == history.grid;
        let Some(SetUpAgain { actions, count, is_first }) = self.earlier.set_up_again(count, shows) else {
            return;
        };
        let undos = self.sight().undos_to(count);
        let new_game = self.sight().is_over() && is_first && actions > 2;
        let question = if new_game { Question::NewGame } else { Question::TakeBack { actions, undos } };
        self.tracker.ask(question);
    }

    /// However strange it is what came before: an action that stands on the board exactly is offered when no reading is left.
    pub(super) fn offer_what_stands(&mut self) {
        let differs = self.tracker.differs();
        let stands: Vec<Action> = if differs { self.sight().standing().collect() } else { Vec::new() };
        if !stands.is_empty() && self.tracker.gives_up(self.now) {
            self.offer(stands.into_iter().map(OfferedAnswer::Proposal).collect());
        }
    }

    /// The squares on which the offered readings differ from the table's position; empty unless they are asked about.
    pub(super) fn squares_in_question(&self) -> Vec<Square> {
        let boards = self.tracker.answers().iter().filter_map(|answer| match answer {
            OfferedAnswer::Reading(reading) => reading.boards_from_last().next(),
            OfferedAnswer::Proposal(_) => None,
        });
        let changed = boards.fold(0, |changed, board| changed | differences(&self.tracker.pieces(), board));
        squares(changed).filter_map(Square::from_index).collect()
    }
}
