//! Work on a deck: making a deck card by card, checking a deck, and replacing one of its cards.
//!
//! [`DeckWork`] is informed about what people do with cards, saves drafts and decks, and returns what to do next. Its
//! callers show the steps and read the cards: the desk behind the window (`desk/work.rs`) and the command line (`tabiya
//! deck`).

use std::collections::BTreeSet;
use std::fmt;

use tabiya_cards::deck::{Deck, Face, RandomBytes, check_name, new_id, shuffled};
use tabiya_cards::draft::Draft;
use tabiya_cards::enrol::{Audit, AuditResult, EnrolMethod, EnrolStep, Enrolment};
use tabiya_cards::replace::{ReplaceStep, Replacement};
use tabiya_cards::{CardId, CardTap, ReaderName, Uid};
use tabiya_types::{CardFace, Pack, Sentence, say};

use crate::desk::{RandomSource, plain};
use tabiya_store::decks::Decks;

/// What work on a deck needs from outside: files, random numbers and the date.
#[derive(Clone, Copy)]
pub struct WorkTools<'a> {
    /// The folder with decks and drafts.
    pub decks: &'a Decks,
    /// The source of random ids.
    pub random: &'a RandomSource,
    /// Returns today's date, `2026-11-23`, for a deck that is complete.
    pub today: &'a dyn Fn() -> String,
}

/// Work on one deck. The user lays its cards on a reader one by one.
#[derive(Debug)]
pub struct DeckWork {
    deck: String,
    job: Job,
    /// The reader on which the last card was laid. The same reader writes to that card's chip.
    reader: Option<ReaderName>,
}

#[derive(Debug)]
enum Job {
    Enrol(Draft),
    Check(DeckCheck),
    Replace(Replacement),
}

/// A check of a deck. It collects the cards that were laid down but do not belong to the deck or have a wrong content.
#[derive(Debug)]
pub struct DeckCheck {
    audit: Audit,
    wrong: BTreeSet<Uid>,
    /// Whether the deck was made just before this check.
    new: bool,
}

/// Why a step of the work failed.
#[derive(Clone, Debug)]
pub enum WorkError {
    /// The card or the face is not accepted; the sentence says why. The work is as it was.
    Refused(Sentence),
    /// The draft or the deck could not be saved; the sentence says why. The card itself was accepted.
    NotSaved(Sentence),
}

impl WorkError {
    /// The sentence that people see.
    pub fn sentence(&self) -> &Sentence {
        match self {
            Self::Refused(sentence) | Self::NotSaved(sentence) => sentence,
        }
    }
}

/// What to do after a card was laid down or written, after its face was entered, or after an undo.
#[derive(Debug)]
pub enum Worked {
    /// Continue with the next step, which [`DeckWork::due`] returns.
    Next,
    /// Write this card id to the chip with this UID, on this reader.
    Write(ReaderName, Uid, CardId),
    /// The new deck is complete and saved. The next step is its check: the user lays all cards down again.
    Made,
    /// The deck with the new card is saved. The work is done.
    Replaced(Deck),
}

/// The next step of the work on a deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// A step of making a deck.
    Enrol(EnrolStep),
    /// The user lays down all cards of the deck, to check it.
    Check {
        /// Whether the deck was made just before this check.
        new: bool,
    },
    /// A step of replacing a card.
    Replace(ReplaceStep),
}

/// Returns the draft of a new deck with the cards of `pack`. `method` says whether ids are written on the cards' chips, or only the chips'
/// numbers are noted. If `asked` is true, Tabiya asks for the cards in a random order; otherwise people enter the face
/// of each card. `Err` is a sentence for people: the name cannot be used, or the system provides no random numbers.
pub fn new_draft(
    name: &str,
    pack: Pack,
    method: EnrolMethod,
    asked: bool,
    tools: WorkTools<'_>,
) -> Result<Draft, String> {
    check_name(name).map_err(|error| error.to_string())?;
    tools.decks.check_free(name).map_err(|error| error.to_string())?;
    let order = if asked { Some(drawn(tools.random, |random| shuffled(pack, random))?) } else { None };
    let number = drawn(tools.random, |random| new_id(random))?;
    Ok(Draft { number, name: name.to_owned(), enrolment: Enrolment::new(pack, method, order) })
}

/// Calls `make` with a source of random bytes, and returns its result; `Err` if the source fails.
fn drawn<T>(random: &RandomSource, make: impl FnOnce(RandomBytes<'_>) -> T) -> Result<T, String> {
    let mut failed = None;
    let drawn = make(&mut |bytes| failed = random(bytes).err().or(failed.take()));
    failed.map_or(Ok(drawn), Err)
}

fn not_saved(error: impl fmt::Display) -> WorkError {
    WorkError::NotSaved(plain(error.to_string()))
}

impl DeckWork {
    /// The work of making the deck of this draft, which may be new or partly done.
    pub fn enrol(draft: Draft) -> Self {
        Self { deck: draft.name.clone(), job: Job::Enrol(draft), reader: None }
    }

    /// The work of checking a deck. `new`: whether the deck was made just before.
    pub fn check(deck: Deck, new: bool) -> Self {
        Self { deck: deck.name().to_owned(), job: Job::Check(DeckCheck::new(deck, new)), reader: None }
    }

    /// The work of replacing one card of a deck, with the face `card`. If `damaged` does not name the card, the user
    /// lays down the other cards with this face, so that the missing one is found.
    pub fn replace(deck: Deck, card: CardFace, damaged: Option<Face>) -> Self {
        let name = deck.name().to_owned();
        Self { deck: name, job: Job::Replace(Replacement::new(deck, card, damaged)), reader: None }
    }

    /// The deck's name.
    pub fn deck(&self) -> &str {
        &self.deck
    }

    /// Which cards the deck has.
    pub fn pack(&self) -> Pack {
        match &self.job {
            Job::Enrol(draft) => draft.enrolment.pack(),
            Job::Check(check) => check.audit.deck().pack(),
            Job::Replace(replacement) => replacement.deck().pack(),
        }
    }

    /// The next step of the work on a deck.
    pub fn due(&self) -> Due {
        match &self.job {
            Job::Enrol(draft) => Due::Enrol(draft.enrolment.next()),
            Job::Check(check) => Due::Check { new: check.new },
            Job::Replace(replacement) => Due::Replace(replacement.next()),
        }
    }

    /// The number of cards that are done, and the number of cards that this work needs in all.
    pub fn progress(&self) -> (usize, usize) {
        match &self.job {
            Job::Enrol(draft) => draft.enrolment.progress(),
            Job::Check(check) => check.audit.progress(),
            Job::Replace(replacement) => match replacement.next() {
                ReplaceStep::Others(_, progress) => progress,
                ReplaceStep::New | ReplaceStep::Write(..) | ReplaceStep::Done(_) => (0, 1),
            },
        }
    }

    /// The draft of the deck that is being made; `None` during any other work.
    pub fn draft(&self) -> Option<&Draft> {
        match &self.job {
            Job::Enrol(draft) => Some(draft),
            Job::Check(_) | Job::Replace(_) => None,
        }
    }

    /// The check of the deck; `None` during any other work.
    pub fn checked(&self) -> Option<&DeckCheck> {
        match &self.job {
            Job::Check(check) => Some(check),
            Job::Enrol(_) | Job::Replace(_) => None,
        }
    }

    /// Handles a card that was laid on a reader. `Err` is a sentence: what is wrong with the card, or why the draft or
    /// the deck could not be saved.
    pub fn tapped(&mut self, tap: &CardTap, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        // Writing to a card of another deck would make the card useless for that deck.
        let writes = match &self.job {
            Job::Enrol(draft) => draft.enrolment.method() == EnrolMethod::Write,
            Job::Replace(replacement) => replacement.writes(),
            Job::Check(_) => false,
        };
        let other = || tools.decks.holder(tap.uid, &self.deck);
        if let Some(name) = writes.then(other).flatten() {
            return Err(WorkError::Refused(say!(
                "card-elsewhere",
                "this card belongs to the deck {name} and is not overwritten; lay down another card",
                name
            )));
        }
        let new_id =
            || drawn(tools.random, |random| new_id(random)).map_err(|error| WorkError::Refused(plain(error)));
        match &mut self.job {
            Job::Enrol(draft) => {
                let step = draft.enrolment.tapped(tap.uid, new_id()?);
                let step = step.map_err(|refusal| WorkError::Refused(refusal.sentence()))?;
                self.reader = Some(tap.reader.clone());
                self.enrolled(&step, tools)
            }
            Job::Replace(replacement) => {
                let step = replacement.tapped(tap.uid, &tap.content, new_id()?);
                let step = step.map_err(|refusal| WorkError::Refused(refusal.sentence()))?;
                self.reader = Some(tap.reader.clone());
                self.replaced(step, tools)
            }
            Job::Check(check) => check.tapped(tap).map(|()| Worked::Next).map_err(WorkError::Refused),
        }
    }

    /// Handles a card whose chip was written. `Err` is a sentence, as in [`tapped`](Self::tapped).
    pub fn written(&mut self, tap: &CardTap, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        match &mut self.job {
            Job::Enrol(draft) => {
                let step = draft
                    .enrolment
                    .written(tap.uid)
                    .map_err(|refusal| WorkError::Refused(refusal.sentence()))?;
                self.enrolled(&step, tools)
            }
            Job::Replace(replacement) => {
                let step = replacement
                    .written(tap.uid, &tap.content)
                    .map_err(|refusal| WorkError::Refused(refusal.sentence()))?;
                self.replaced(step, tools)
            }
            Job::Check(_) => Ok(Worked::Next),
        }
    }

    /// Sets the face of the card that was laid down last. `Err` is a sentence, as in [`tapped`](Self::tapped).
    pub fn face(&mut self, card: CardFace, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        let Job::Enrol(draft) = &mut self.job else { return Ok(Worked::Next) };
        let step = draft.enrolment.face(card).map_err(|refusal| WorkError::Refused(refusal.sentence()))?;
        self.enrolled(&step, tools)
    }

    /// Removes the card that was added last from a deck that is being made. `Err` is a sentence, as in
    /// [`tapped`](Self::tapped).
    pub fn undo(&mut self, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        let Job::Enrol(draft) = &mut self.job else { return Ok(Worked::Next) };
        let step = draft.enrolment.undo().map_err(|refusal| WorkError::Refused(refusal.sentence()))?;
        self.enrolled(&step, tools)
    }

    /// Saves the deck if its draft is already complete. An earlier attempt to save the deck may have failed, for
    /// example because the disk was full.
    pub fn settle(&mut self, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        match &self.job {
            Job::Enrol(draft) if draft.enrolment.next() == EnrolStep::Check => self.save_deck(tools),
            Job::Enrol(_) | Job::Check(_) | Job::Replace(_) => Ok(Worked::Next),
        }
    }

    /// Continues after a step of making a deck. The draft is saved before the next step is shown, so that a power cut
    /// loses no card that was counted.
    fn enrolled(&mut self, step: &EnrolStep, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        match step {
            EnrolStep::Write(uid, id) => Ok(self.write(*uid, *id)),
            EnrolStep::Face => Ok(Worked::Next),
            EnrolStep::Check => self.save_deck(tools),
            EnrolStep::Tap(_) => {
                let Job::Enrol(draft) = &self.job else { return Ok(Worked::Next) };
                let begun = !draft.enrolment.cards().is_empty();
                let saved =
                    if begun { tools.decks.keep_draft(draft) } else { tools.decks.drop_draft(draft.number) };
                saved.map(|()| Worked::Next).map_err(not_saved)
            }
        }
    }

    fn write(&self, uid: Uid, id: CardId) -> Worked {
        self.reader.clone().map_or(Worked::Next, |reader| Worked::Write(reader, uid, id))
    }

    /// Saves a complete deck and begins its check. The deck is saved first, so that leaving during the check loses
    /// nothing.
    fn save_deck(&mut self, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        let Job::Enrol(draft) = &self.job else { return Ok(Worked::Next) };
        let deck = draft.deck(&(tools.today)()).map_err(not_saved)?;
        let saved = tools.decks.add(&deck).and_then(|()| tools.decks.drop_draft(draft.number));
        if let Err(error) = saved {
            // Saving the deck failed, but saving the draft may still succeed.
            let _ = tools.decks.keep_draft(draft);
            return Err(not_saved(error));
        }
        self.job = Job::Check(DeckCheck::new(deck, true));
        Ok(Worked::Made)
    }

    fn replaced(&self, step: ReplaceStep, tools: WorkTools<'_>) -> Result<Worked, WorkError> {
        match step {
            ReplaceStep::Others(..) | ReplaceStep::New => Ok(Worked::Next),
            ReplaceStep::Write(uid, id) => Ok(self.write(uid, id)),
            ReplaceStep::Done(deck) => match tools.decks.keep(&deck) {
                Ok(()) => Ok(Worked::Replaced(*deck)),
                Err(error) => Err(not_saved(error)),
            },
        }
    }
}

impl DeckCheck {
    fn new(deck: Deck, new: bool) -> Self {
        Self { audit: Audit::new(deck), wrong: BTreeSet::new(), new }
    }

    fn tapped(&mut self, tap: &CardTap) -> Result<(), Sentence> {
        match self.audit.tapped(tap.uid, &tap.content) {
            AuditResult::New(_) => {
                // This card is valid now, so it is no longer counted as wrong. When it was laid down before, it may
                // have been lifted too soon.
                self.wrong.remove(&tap.uid);
                Ok(())
            }
            AuditResult::Again => Err(say!("audit-again", "this card was laid down before")),
            AuditResult::Fault(fault) => {
                self.wrong.insert(tap.uid);
                Err(fault.sentence())
            }
        }
    }

    /// The cards of the deck that were not laid down, sorted by face and copy.
    pub fn missing(&self) -> Vec<Face> {
        self.audit.missing()
    }

    /// How many of the cards laid down do not belong to the deck, or have a chip whose content was changed.
    pub fn wrong(&self) -> usize {
        self.wrong.len()
    }
}
