//! Work on a deck: making it card by card, checking it, replacing a card.
//!
//! [`DeckWork`] takes what people do with cards, saves drafts and decks, and returns what to do next. It shows nothing and
//! owns no reader: the desk behind the window (`desk/work.rs`) and `tabiya deck` do that.

use std::collections::BTreeSet;

use tabiya_cards::deck::{Deck, Face, RandomBytes, check_name, new_id, shuffled};
use tabiya_cards::draft::Draft;
use tabiya_cards::enrol::{Audit, AuditResult, EnrolMethod, EnrolStep, Enrolment};
use tabiya_cards::replace::{ReplaceStep, Replacement};
use tabiya_cards::{CardId, CardTap, ReaderName, Uid};
use tabiya_types::{Card, Sentence, say};

use crate::desk::{RandomSource, plain};
use crate::store::decks::Decks;

/// What the work needs of the world.
#[derive(Clone, Copy)]
pub struct WorkTools<'a> {
    /// The folder with decks and drafts.
    pub decks: &'a Decks,
    /// The source of random ids.
    pub random: &'a RandomSource,
    /// Today's date, `2026-11-23`, for a deck that is complete.
    pub today: &'a str,
}

/// Work on one deck, with cards that are laid down one by one.
#[derive(Debug)]
pub struct DeckWork {
    deck: String,
    job: Job,
    /// The reader on which the last card was laid. It writes that card.
    reader: Option<ReaderName>,
}

#[derive(Debug)]
enum Job {
    Enrol(Draft),
    Check(DeckCheck),
    Replace(Replacement),
}

/// An audit of a deck, with the cards that do not belong to it.
#[derive(Debug)]
pub struct DeckCheck {
    audit: Audit,
    wrong: BTreeSet<Uid>,
    /// Whether the deck was made just before.
    pub new: bool,
}

/// What came of a card, a face or an undo.
#[derive(Debug)]
pub enum Worked {
    /// The next step is due ([`DeckWork::due`]).
    Next,
    /// Write this id on the card with this UID, with this reader.
    Write(ReaderName, Uid, CardId),
    /// The deck is complete and saved. All its cards are to be laid down again.
    Made,
    /// The deck with the new card is saved. The work is done.
    Replaced(Deck),
}

/// The step that is due.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// A step of an enrolment.
    Enrol(EnrolStep),
    /// Lay down all cards of the deck; `new` if it was made just before.
    Check {
        /// Whether the deck was made just before.
        new: bool,
    },
    /// A step of a replacement.
    Replace(ReplaceStep),
}

/// Returns a new draft: the cards are written or adopted, and the program asks for the faces in a random order or people
/// name them. `Err` is a sentence: the name cannot be used, or there are no random numbers.
pub fn new_draft(
    name: &str,
    method: EnrolMethod,
    asked: bool,
    tools: WorkTools<'_>,
) -> Result<Draft, String> {
    check_name(name).map_err(|error| error.to_string())?;
    tools.decks.check_free(name).map_err(|error| error.to_string())?;
    let order = if asked { Some(drawn(tools.random, |random| shuffled(random))?) } else { None };
    let number = drawn(tools.random, |random| new_id(random))?;
    Ok(Draft { number, name: name.to_owned(), enrolment: Enrolment::new(method, order) })
}

/// Returns what `make` builds from random bytes; `Err` if there are none.
fn drawn<T>(random: &RandomSource, make: impl FnOnce(RandomBytes<'_>) -> T) -> Result<T, String> {
    let mut failed = None;
    let drawn = make(&mut |bytes| failed = random(bytes).err().or(failed.take()));
    failed.map_or(Ok(drawn), Err)
}

impl DeckWork {
    /// Continues this draft.
    pub fn enrol(draft: Draft) -> Self {
        Self { deck: draft.name.clone(), job: Job::Enrol(draft), reader: None }
    }

    /// Checks a deck. `new` if it was made just before.
    pub fn check(deck: Deck, new: bool) -> Self {
        Self { deck: deck.name().to_owned(), job: Job::Check(DeckCheck::new(deck, new)), reader: None }
    }

    /// Replaces a card of a deck; without `damaged` it is found by laying down the others of its face.
    pub fn replace(deck: Deck, card: Card, damaged: Option<Face>) -> Self {
        let name = deck.name().to_owned();
        Self { deck: name, job: Job::Replace(Replacement::new(deck, card, damaged)), reader: None }
    }

    /// The deck's name.
    pub fn deck(&self) -> &str {
        &self.deck
    }

    /// The step that is due.
    pub fn due(&self) -> Due {
        match &self.job {
            Job::Enrol(draft) => Due::Enrol(draft.enrolment.next()),
            Job::Check(check) => Due::Check { new: check.new },
            Job::Replace(replacement) => Due::Replace(replacement.next()),
        }
    }

    /// The number of cards that are done, and of those that will be.
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

    /// The draft, while a deck is being made.
    pub fn draft(&self) -> Option<&Draft> {
        match &self.job {
            Job::Enrol(draft) => Some(draft),
            Job::Check(_) | Job::Replace(_) => None,
        }
    }

    /// The check, while a deck is being checked.
    pub fn checked(&self) -> Option<&DeckCheck> {
        match &self.job {
            Job::Check(check) => Some(check),
            Job::Enrol(_) | Job::Replace(_) => None,
        }
    }

    /// Takes a card that was laid down. `Err` is a sentence about what is wrong with it; the work is as it was.
    pub fn tapped(&mut self, tap: &CardTap, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        let id = drawn(tools.random, |random| new_id(random)).map_err(plain)?;
        self.reader = Some(tap.reader.clone());
        // Writing to a card of another deck would destroy it for that deck.
        let writes = match &self.job {
            Job::Enrol(draft) => draft.enrolment.method() == EnrolMethod::Write,
            Job::Replace(replacement) => replacement.writes(),
            Job::Check(_) => false,
        };
        let other = || tools.decks.holder(tap.uid, &self.deck);
        if let Some(name) = writes.then(other).flatten() {
            return Err(say!(
                "card-elsewhere",
                "this card belongs to the deck {name} and is not overwritten; lay down another one",
                name
            ));
        }
        match &mut self.job {
            Job::Enrol(draft) => {
                let step = draft.enrolment.tapped(tap.uid, id).map_err(|refusal| refusal.sentence())?;
                self.enrolled(&step, tools)
            }
            Job::Replace(replacement) => {
                let step =
                    replacement.tapped(tap.uid, &tap.content, id).map_err(|refusal| refusal.sentence())?;
                self.replaced(step, tools)
            }
            Job::Check(check) => check.tapped(tap).map(|()| Worked::Next),
        }
    }

    /// Takes a card that was written. `Err` as for [`tapped`](Self::tapped).
    pub fn written(&mut self, tap: &CardTap, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        match &mut self.job {
            Job::Enrol(draft) => {
                let step = draft.enrolment.written(tap.uid).map_err(|refusal| refusal.sentence())?;
                self.enrolled(&step, tools)
            }
            Job::Replace(replacement) => {
                let step =
                    replacement.written(tap.uid, &tap.content).map_err(|refusal| refusal.sentence())?;
                self.replaced(step, tools)
            }
            Job::Check(_) => Ok(Worked::Next),
        }
    }

    /// Gives the card that was laid down last its face. `Err` as for [`tapped`](Self::tapped).
    pub fn face(&mut self, card: Card, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        let Job::Enrol(draft) = &mut self.job else { return Ok(Worked::Next) };
        let step = draft.enrolment.face(card).map_err(|refusal| refusal.sentence())?;
        self.enrolled(&step, tools)
    }

    /// Takes the last card of an enrolment back. `Err` as for [`tapped`](Self::tapped).
    pub fn undo(&mut self, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        let Job::Enrol(draft) = &mut self.job else { return Ok(Worked::Next) };
        let step = draft.enrolment.undo().map_err(|refusal| refusal.sentence())?;
        self.enrolled(&step, tools)
    }

    /// Saves the deck if its draft is complete already: the disk may have been full before.
    pub fn settle(&mut self, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        match &self.job {
            Job::Enrol(draft) if draft.enrolment.next() == EnrolStep::Check => self.save_deck(tools),
            Job::Enrol(_) | Job::Check(_) | Job::Replace(_) => Ok(Worked::Next),
        }
    }

    /// Saves the draft before the next step is shown: after a power cut every counted card is still there.
    fn enrolled(&mut self, step: &EnrolStep, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        match step {
            EnrolStep::Write(uid, id) => Ok(self.write(*uid, *id)),
            EnrolStep::Face => Ok(Worked::Next),
            EnrolStep::Check => self.save_deck(tools),
            EnrolStep::Tap(_) => {
                let Job::Enrol(draft) = &self.job else { return Ok(Worked::Next) };
                let begun = !draft.enrolment.cards().is_empty();
                let saved =
                    if begun { tools.decks.keep_draft(draft) } else { tools.decks.drop_draft(draft.number) };
                saved.map(|()| Worked::Next).map_err(|error| plain(error.to_string()))
            }
        }
    }

    fn write(&self, uid: Uid, id: CardId) -> Worked {
        self.reader.clone().map_or(Worked::Next, |reader| Worked::Write(reader, uid, id))
    }

    /// Saves a complete deck and begins its check. The deck is saved first, so that leaving during the check loses
    /// nothing.
    fn save_deck(&mut self, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        let Job::Enrol(draft) = &self.job else { return Ok(Worked::Next) };
        let deck = draft.deck(tools.today).map_err(|error| plain(error.to_string()))?;
        let saved = tools.decks.add(&deck).and_then(|()| tools.decks.drop_draft(draft.number));
        if let Err(error) = saved {
            // If the deck cannot be saved, perhaps at least the draft can be.
            let _ = tools.decks.keep_draft(draft);
            return Err(plain(error.to_string()));
        }
        self.job = Job::Check(DeckCheck::new(deck, true));
        Ok(Worked::Made)
    }

    fn replaced(&self, step: ReplaceStep, tools: WorkTools<'_>) -> Result<Worked, Sentence> {
        match step {
            ReplaceStep::Others(..) | ReplaceStep::New => Ok(Worked::Next),
            ReplaceStep::Write(uid, id) => Ok(self.write(uid, id)),
            ReplaceStep::Done(deck) => match tools.decks.keep(&deck) {
                Ok(()) => Ok(Worked::Replaced(*deck)),
                Err(error) => Err(plain(error.to_string())),
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
                // A card that was lifted too soon the first time is good now.
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

    /// The number of cards that do not belong to the deck, or are not as it has them.
    pub fn wrong(&self) -> usize {
        self.wrong.len()
    }
}
