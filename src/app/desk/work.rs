//! Work on a deck at a desk: making a deck, auditing a deck, or replacing a damaged card. The steps are in
//! `deck_work.rs`, which `tabiya deck` uses, too. This file shows the steps on the screen, and queues orders for the
//! readers.

use tabiya_cards::deck::{Deck, Face};
use tabiya_cards::enrol::{EnrolMethod, EnrolStep, Enrolment};
use tabiya_cards::replace::ReplaceStep;
use tabiya_cards::{CardEvent, Record};
use tabiya_types::{CardFace, Pack, Sentence};

use super::boards::DeskOrder;
use super::cards::DeskCards;
use super::environment::Environment;
use super::talk::plain;
use crate::deck_work::{DeckWork, Due, WorkError, WorkTools, Worked, new_draft};
use crate::view::{DeckAudit, WorkStep, WorkView};

/// Work on a deck, as the screen shows it.
#[derive(Debug)]
pub(super) struct Work {
    /// Which cards the deck has.
    pack: Pack,
    stage: Stage,
    /// The problem with the last card, if there was one.
    problem: Option<Sentence>,
}

#[derive(Debug)]
enum Stage {
    Doing(DeckWork),
    /// The audit is over.
    Over {
        deck: String,
        audit: DeckAudit,
        progress: (usize, usize),
    },
}

impl Work {
    fn new(work: DeckWork) -> Self {
        Self { pack: work.pack(), stage: Stage::Doing(work), problem: None }
    }

    fn doing(&self) -> Option<&DeckWork> {
        match &self.stage {
            Stage::Doing(work) => Some(work),
            Stage::Over { .. } => None,
        }
    }

    /// Whether more cards have to be laid down.
    pub(super) fn needs_readers(&self) -> bool {
        self.doing().is_some()
    }

    /// The name of the deck that is being worked on.
    pub(super) fn deck(&self) -> &str {
        match &self.stage {
            Stage::Doing(work) => work.deck(),
            Stage::Over { deck, .. } => deck,
        }
    }

    pub(super) fn view(&self) -> WorkView {
        let (step, progress) = match &self.stage {
            Stage::Doing(work) => (shown(&work.due()), work.progress()),
            Stage::Over { audit, progress, .. } => (WorkStep::Over(audit.clone()), *progress),
        };
        let enrolment = self.doing().and_then(DeckWork::draft).map(|draft| &draft.enrolment);
        WorkView {
            deck: self.deck().to_owned(),
            pack: self.pack,
            step,
            progress,
            missing: enrolment.map(Enrolment::missing).unwrap_or_default(),
            last: enrolment.and_then(Enrolment::last),
            problem: self.problem.clone().map(Sentence::harmless),
        }
    }
}

/// Returns the step as the screens show it, without the numbers of the cards.
fn shown(due: &Due) -> WorkStep {
    match due {
        Due::Enrol(EnrolStep::Tap(card)) => WorkStep::Tap(*card),
        Due::Enrol(EnrolStep::Write(..)) | Due::Replace(ReplaceStep::Write(..)) => WorkStep::Write,
        Due::Enrol(EnrolStep::Face) => WorkStep::Face,
        Due::Enrol(EnrolStep::Check) => WorkStep::Keep,
        Due::Check { new: true } => WorkStep::Check,
        Due::Check { new: false } => WorkStep::Audit,
        Due::Replace(ReplaceStep::Others(card, _)) => WorkStep::Others(*card),
        Due::Replace(ReplaceStep::New | ReplaceStep::Done(_)) => WorkStep::New,
    }
}

/// Returns for each card its face, and its number among the deck's cards with that face.
fn by_face(faces: Vec<Face>) -> Vec<(CardFace, u8)> {
    faces.into_iter().map(|face| (face.shows(), face.copy())).collect()
}

impl DeskCards {
    pub(super) fn enrol(
        &mut self,
        name: &str,
        pack: Pack,
        adopt: bool,
        asked: bool,
        around: &Environment,
    ) -> Result<(), String> {
        let name = name.trim();
        self.check_idle()?;
        let method = if adopt { EnrolMethod::Adopt } else { EnrolMethod::Write };
        // If a deck with this name was begun, the work on it continues. Files that cannot be read are listed on the
        // Decks page.
        let begun = self.decks.drafts().0.into_iter().find(|draft| draft.name == name);
        let tools = WorkTools { decks: &self.decks, random: &around.chance, today: &|| today(around) };
        let draft = begun.map_or_else(|| new_draft(name, pack, method, asked, tools), Ok)?;
        self.work = Some(Work::new(DeckWork::enrol(draft)));
        // A continued deck may be complete but not saved, for example because the disk was full. In that case it is
        // saved now.
        self.keep_enrolled(around);
        Ok(())
    }

    pub(super) fn audit(&mut self, name: &str) -> Result<(), String> {
        let deck = self.deck_for_work(name)?;
        self.work = Some(Work::new(DeckWork::check(deck, false)));
        Ok(())
    }

    pub(super) fn replace_card(
        &mut self,
        name: &str,
        card: CardFace,
        copy: Option<u8>,
    ) -> Result<(), String> {
        let deck = self.deck_for_work(name)?;
        let damaged = copy.and_then(|copy| Face::new(deck.pack(), card, copy));
        self.work = Some(Work::new(DeckWork::replace(deck, card, damaged)));
        Ok(())
    }

    fn deck_for_work(&self, name: &str) -> Result<Deck, String> {
        self.check_idle()?;
        self.decks.find(name).map_err(|error| error.to_string())
    }

    /// Returns `Err` while work on a deck is in progress.
    fn check_idle(&self) -> Result<(), String> {
        match self.work.as_ref().filter(|work| work.needs_readers()) {
            Some(work) => Err(format!("the deck {} is being worked on; finish that work first", work.deck())),
            None => Ok(()),
        }
    }

    /// Handles an event about a card while somebody works on a deck: the card was laid down or written, or it could
    /// not be read or written.
    pub(super) fn work_at_cards(&mut self, event: &CardEvent, around: &Environment) {
        match event {
            CardEvent::Tapped(tap) | CardEvent::Present(tap) => self.do_step(around, |work, with| work.tapped(tap, with)),
            CardEvent::Written(tap) => self.do_step(around, |work, with| work.written(tap, with)),
            CardEvent::NotWritten { why, .. } => self.do_step(around, |_, _| Err(WorkError::Refused(plain(why.to_string())))),
            CardEvent::Unreadable { why, .. } => self.do_step(around, |_, _| Err(WorkError::Refused(plain(why.to_string())))),
            CardEvent::Connected(_)
            | CardEvent::Disconnected(_)
            | CardEvent::Ready
            | CardEvent::Lifted(_)
            // Only `tabiya deck` on the command line locks cards.
            | CardEvent::Locked(_)
            | CardEvent::Problem(_)
            | CardEvent::ProblemOver(_) => {}
        }
    }

    pub(super) fn name_face(&mut self, card: CardFace, around: &Environment) {
        self.do_step(around, |work, with| work.face(card, with));
    }

    pub(super) fn undo_card(&mut self, around: &Environment) {
        self.do_step(around, DeckWork::undo);
    }

    /// Saves the new deck if it is complete. After a failure, another call tries again.
    pub(super) fn keep_enrolled(&mut self, around: &Environment) {
        self.do_step(around, DeckWork::settle);
    }

    /// Carries out a step of the work. If the step has a problem, stores the problem for the screens.
    fn do_step(
        &mut self,
        around: &Environment,
        step: impl FnOnce(&mut DeckWork, WorkTools<'_>) -> Result<Worked, WorkError>,
    ) {
        let tools = WorkTools { decks: &self.decks, random: &around.chance, today: &|| today(around) };
        let Some(Work { stage: Stage::Doing(work), problem: told, .. }) = &mut self.work else { return };
        let worked = step(work, tools);
        *told = worked.as_ref().err().map(|error| error.sentence().clone());
        match worked {
            Ok(Worked::Write(reader, uid, id)) => {
                self.orders.push(DeskOrder::WriteCard(reader, uid, Record::new(id)));
            }
            Ok(Worked::Made) => self.list(),
            Ok(Worked::Replaced(deck)) => {
                self.work = None;
                self.mended = Some(deck);
            }
            Ok(Worked::Next) | Err(_) => {}
        }
    }

    pub(super) fn finish_audit(&mut self) {
        let Some(work) = &mut self.work else { return };
        let Some(doing) = work.doing() else { return };
        let Some(check) = doing.checked() else { return };
        let audit = DeckAudit { missing: by_face(check.missing()), wrong: check.wrong() };
        work.stage = Stage::Over { deck: doing.deck().to_owned(), audit, progress: doing.progress() };
        work.problem = None;
    }
}

/// Returns today's date, for a new deck; empty if the computer's clock shows no usual date.
fn today(around: &Environment) -> String {
    (around.date)().unwrap_or_default().chars().take(10).collect()
}
