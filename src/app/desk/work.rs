//! What is done with a deck at a desk: made, looked through, mended. The same steps as `tabiya deck`.
//!
//! The steps themselves are `tabiya-cards`' (`enrol.rs`, `replace.rs`); here they get their cards, their random numbers
//! and their files.

use std::collections::BTreeSet;

use tabiya_cards::deck::{Deck, Face, RandomBytes, check_name, new_id, shuffled};
use tabiya_cards::draft::Draft;
use tabiya_cards::enrol::{Audit, Audited, EnrolMethod, EnrolRefusal, Enrolment, Next};
use tabiya_cards::replace::{ReplaceStep, Replacement};
use tabiya_cards::{CardEvent, CardId, CardTap, ReaderName, Record, Uid};
use tabiya_types::{Card, Sentence, say};

use super::cards::DeskCards;
use super::talk::plain;
use super::{DeskOrder, Surroundings};
use crate::cards_view::{DeckAudit, WorkStep, WorkView};

/// A deck that is worked on.
#[derive(Debug)]
pub(super) struct Work {
    deck: String,
    job: Job,
    /// Where the last card lies.
    reader: Option<ReaderName>,
    /// What was wrong with it.
    told: Option<Sentence>,
}

#[derive(Debug)]
enum Job {
    Enrol(Draft),
    /// A look through it; `new`: it has just been made.
    Audit {
        audit: Audit,
        wrong: BTreeSet<Uid>,
        new: bool,
    },
    Replace(Replacement),
    Over {
        verdict: DeckAudit,
        progress: (usize, usize),
    },
}

impl Work {
    fn new(deck: &str, job: Job) -> Self {
        Self { deck: deck.to_owned(), job, reader: None, told: None }
    }

    /// Whether cards are still to be laid down.
    pub(super) fn needs_readers(&self) -> bool {
        !matches!(self.job, Job::Over { .. })
    }

    /// The name of the deck.
    pub(super) fn deck(&self) -> &str {
        &self.deck
    }

    pub(super) fn view(&self) -> WorkView {
        let (step, progress) = match &self.job {
            Job::Enrol(draft) => (enrolling(&draft.enrolment), draft.enrolment.progress()),
            Job::Audit { audit, new: true, .. } => (WorkStep::Check, audit.progress()),
            Job::Audit { audit, new: false, .. } => (WorkStep::Audit, audit.progress()),
            Job::Replace(replacement) => match replacement.next() {
                ReplaceStep::Others(card, progress) => (WorkStep::Others(card), progress),
                ReplaceStep::New | ReplaceStep::Whole(_) => (WorkStep::New, (0, 1)),
                ReplaceStep::Write(..) => (WorkStep::Write, (0, 1)),
            },
            Job::Over { verdict, progress } => (WorkStep::Over(verdict.clone()), *progress),
        };
        let enrolment = match &self.job {
            Job::Enrol(draft) => Some(&draft.enrolment),
            Job::Audit { .. } | Job::Replace(_) | Job::Over { .. } => None,
        };
        WorkView {
            deck: self.deck.clone(),
            step,
            progress,
            missing: enrolment.map(Enrolment::missing).unwrap_or_default(),
            last: enrolment.and_then(Enrolment::last),
            told: self.told.clone().map(Sentence::harmless),
        }
    }
}

fn enrolling(enrolment: &Enrolment) -> WorkStep {
    match enrolment.next() {
        Next::Tap(card) => WorkStep::Tap(card),
        Next::Write(..) => WorkStep::Write,
        Next::Face => WorkStep::Face,
        Next::Check => WorkStep::Keep,
    }
}

/// Something that chance makes.
fn drawn<T>(around: &Surroundings, make: impl FnOnce(RandomBytes<'_>) -> T) -> Result<T, String> {
    let mut failed = None;
    let drawn = make(&mut |bytes| failed = (around.chance)(bytes).err().or(failed.take()));
    failed.map_or(Ok(drawn), Err)
}

/// By face and number among its equals.
fn by_face(faces: Vec<Face>) -> Vec<(Card, u8)> {
    faces.into_iter().map(|face| (face.card(), face.copy())).collect()
}

impl DeskCards {
    // ---- begun ----

    pub(super) fn enrol(
        &mut self,
        name: &str,
        adopt: bool,
        asked: bool,
        around: &Surroundings,
    ) -> Result<(), String> {
        let name = name.trim();
        self.check_idle()?;
        check_name(name).map_err(|error| error.to_string())?;
        self.decks.check_free(name).map_err(|error| error.to_string())?;
        // A deck that was begun goes on where it stood. Files that cannot be read are told on the page.
        let begun = self.decks.drafts().0.into_iter().find(|draft| draft.name == name);
        let draft = if let Some(draft) = begun {
            draft
        } else {
            let order = if asked { Some(drawn(around, |chance| shuffled(chance))?) } else { None };
            let way = if adopt { EnrolMethod::Adopt } else { EnrolMethod::Write };
            let number = drawn(around, |chance| new_id(chance))?;
            Draft { number, name: name.to_owned(), enrolment: Enrolment::new(way, order) }
        };
        self.work = Some(Work::new(name, Job::Enrol(draft)));
        // Whole, but not kept: the disk was full.
        let told = self.enrol_goes_on_from_start(around);
        self.tell_work(told);
        Ok(())
    }

    pub(super) fn audit(&mut self, name: &str) -> Result<(), String> {
        let deck = self.deck_for_work(name)?;
        self.work = Some(Work::new(name, look_through(deck, false)));
        Ok(())
    }

    pub(super) fn replace_card(&mut self, name: &str, card: Card, copy: Option<u8>) -> Result<(), String> {
        let deck = self.deck_for_work(name)?;
        let damaged = copy.and_then(|copy| Face::new(card, copy));
        self.work = Some(Work::new(name, Job::Replace(Replacement::new(deck, card, damaged))));
        Ok(())
    }

    fn deck_for_work(&self, name: &str) -> Result<Deck, String> {
        self.check_idle()?;
        self.decks.find(name).map_err(|error| error.to_string())
    }

    /// One thing at a time.
    fn check_idle(&self) -> Result<(), String> {
        match self.work.as_ref().filter(|work| work.needs_readers()) {
            Some(work) => Err(format!("the deck {} is being worked on; finish that first", work.deck)),
            None => Ok(()),
        }
    }

    // ---- cards ----

    /// A card that was laid down, or written, belongs to the deck that is worked on.
    pub(super) fn work_at_cards(&mut self, event: &CardEvent, around: &Surroundings) {
        let told = match event {
            CardEvent::Tapped(tap) | CardEvent::Lying(tap) => self.card_for_work(tap, around),
            CardEvent::Written(tap) => self.card_written(tap, around),
            CardEvent::NotWritten { why, .. } => Some(plain(why.to_string())),
            CardEvent::Unreadable { why, .. } => Some(plain(why.to_string())),
            CardEvent::Came(_)
            | CardEvent::Gone(_)
            | CardEvent::Ready
            | CardEvent::Lifted(_)
            // Only the command line locks cards.
            | CardEvent::Locked(_)
            | CardEvent::Trouble(_)
            | CardEvent::TroubleOver(_) => return,
        };
        self.tell_work(told);
    }

    fn tell_work(&mut self, told: Option<Sentence>) {
        if let Some(work) = &mut self.work {
            work.told = told;
        }
    }

    /// What is wrong with a card that was laid down.
    fn card_for_work(&mut self, tap: &CardTap, around: &Surroundings) -> Option<Sentence> {
        let id = match drawn(around, |chance| new_id(chance)) {
            Ok(id) => id,
            Err(sentence) => return Some(plain(sentence)),
        };
        let work = self.work.as_mut()?;
        work.reader = Some(tap.reader.clone());
        // A card that another deck knows would be lost to it.
        let writes = match &work.job {
            Job::Enrol(draft) => draft.enrolment.method() == EnrolMethod::Write,
            Job::Replace(replacement) => replacement.writes(),
            Job::Audit { .. } | Job::Over { .. } => false,
        };
        let other = || self.decks.holder(tap.uid, &work.deck);
        if let Some(name) = writes.then(other).flatten() {
            return Some(say!(
                "card-elsewhere",
                "this card is in the deck {name}: it is not written over; lay down another one",
                name
            ));
        }
        match &mut work.job {
            Job::Enrol(draft) => {
                let next = draft.enrolment.tapped(tap.uid, id);
                self.enrol_goes_on(next, around)
            }
            Job::Replace(replacement) => match replacement.tapped(tap.uid, &tap.content, id) {
                Ok(step) => self.replacing_goes_on(step),
                Err(refusal) => Some(refusal.sentence()),
            },
            Job::Audit { audit, wrong, .. } => match audit.tapped(tap.uid, &tap.content) {
                Audited::New(_) => {
                    // One that was lifted too soon the first time.
                    wrong.remove(&tap.uid);
                    None
                }
                Audited::Again => Some(say!("audit-again", "this one was there before")),
                Audited::Fault(fault) => {
                    wrong.insert(tap.uid);
                    Some(fault.sentence())
                }
            },
            Job::Over { .. } => None,
        }
    }

    fn card_written(&mut self, tap: &CardTap, around: &Surroundings) -> Option<Sentence> {
        match &mut self.work.as_mut()?.job {
            Job::Enrol(draft) => {
                let next = draft.enrolment.written(tap.uid);
                self.enrol_goes_on(next, around)
            }
            Job::Replace(replacement) => match replacement.written(tap.uid, &tap.content) {
                Ok(step) => self.replacing_goes_on(step),
                Err(refusal) => Some(refusal.sentence()),
            },
            Job::Audit { .. } | Job::Over { .. } => None,
        }
    }

    fn write_card(&mut self, uid: Uid, id: CardId) {
        if let Some(reader) = self.work.as_ref().and_then(|work| work.reader.clone()) {
            self.orders.push(DeskOrder::WriteCard(reader, uid, Record::new(id)));
        }
    }

    // ---- a deck that is made ----

    pub(super) fn name_face(&mut self, card: Card, around: &Surroundings) {
        let Some(Work { job: Job::Enrol(draft), .. }) = &mut self.work else { return };
        let next = draft.enrolment.face(card);
        let told = self.enrol_goes_on(next, around);
        self.tell_work(told);
    }

    pub(super) fn undo_card(&mut self) {
        let Some(Work { job: Job::Enrol(draft), .. }) = &mut self.work else { return };
        let told = draft.enrolment.undo().err().map(|refusal| refusal.sentence());
        let told = told.or(self.keep_draft());
        self.tell_work(told);
    }

    fn enrol_goes_on(&mut self, next: Result<Next, EnrolRefusal>, around: &Surroundings) -> Option<Sentence> {
        match next {
            Ok(Next::Write(uid, id)) => self.write_card(uid, id),
            Ok(Next::Check) => return self.keep_deck(around).err().map(plain),
            Ok(Next::Tap(_)) => return self.keep_draft(),
            Ok(Next::Face) => {}
            Err(refusal) => return Some(refusal.sentence()),
        }
        None
    }

    /// A draft that was whole already only needs to be kept.
    fn enrol_goes_on_from_start(&mut self, around: &Surroundings) -> Option<Sentence> {
        let Some(Work { job: Job::Enrol(draft), .. }) = &self.work else { return None };
        let whole = draft.enrolment.next() == Next::Check;
        if whole { self.keep_deck(around).err().map(plain) } else { None }
    }

    /// What is in the deck so far outlives the program.
    fn keep_draft(&mut self) -> Option<Sentence> {
        let Some(Work { job: Job::Enrol(draft), .. }) = &self.work else { return None };
        let begun = !draft.enrolment.cards().is_empty();
        let kept = if begun { self.decks.keep_draft(draft) } else { self.decks.drop_draft(draft.number) };
        kept.err().map(|error| plain(error.to_string()))
    }

    /// Tries once more to keep the deck.
    pub(super) fn keep_enrolled(&mut self, around: &Surroundings) {
        let told = self.keep_deck(around).err().map(plain);
        self.tell_work(told);
    }

    /// A deck is kept before it is checked: whoever leaves then has lost nothing.
    fn keep_deck(&mut self, around: &Surroundings) -> Result<(), String> {
        let made: String = (around.date)().chars().take(10).collect();
        let Some(Work { job, .. }) = &mut self.work else { return Ok(()) };
        let Job::Enrol(draft) = job else { return Ok(()) };
        let deck = draft.deck(&made).map_err(|error| error.to_string())?;
        // Without room for it the draft at least may be kept.
        let kept = self.decks.add(&deck).and_then(|()| self.decks.drop_draft(draft.number));
        if let Err(error) = kept {
            let _ = self.decks.keep_draft(draft);
            return Err(error.to_string());
        }
        *job = look_through(deck, true);
        self.list();
        Ok(())
    }

    // ---- a look through it ----

    pub(super) fn finish_audit(&mut self) {
        let Some(work) = &mut self.work else { return };
        let Job::Audit { audit, wrong, .. } = &work.job else { return };
        let verdict = DeckAudit { missing: by_face(audit.missing()), wrong: wrong.len() };
        work.job = Job::Over { verdict, progress: audit.progress() };
        work.told = None;
    }

    // ---- a damaged card ----

    fn replacing_goes_on(&mut self, step: ReplaceStep) -> Option<Sentence> {
        match step {
            ReplaceStep::Others(..) | ReplaceStep::New => {}
            ReplaceStep::Write(uid, id) => self.write_card(uid, id),
            ReplaceStep::Whole(deck) => {
                if let Err(error) = self.decks.keep(&deck) {
                    return Some(plain(error.to_string()));
                }
                self.work = None;
                self.mended = Some(*deck);
            }
        }
        None
    }
}

fn look_through(deck: Deck, new: bool) -> Job {
    Job::Audit { audit: Audit::new(deck), wrong: BTreeSet::new(), new }
}
