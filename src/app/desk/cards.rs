//! Card readers and decks of a desk: when the readers are watched, which part of the desk gets their events, and which
//! decks exist.
//!
//! The readers' thread runs while a match uses a deck, while somebody works on a deck (`work.rs`), and while somebody
//! views the list of readers. Readers are identified by the names that the system gives them. These names can change,
//! so no settings are saved for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_cards::deck::Deck;
use tabiya_cards::draft::Draft;
use tabiya_cards::print;
pub use tabiya_cards::print::Paper;
use tabiya_cards::{CardError, CardEvent, ReaderName};
use tabiya_types::{CardFace, Instant, Pack, Seat, Sentence, say};

use super::files::with_ending;
use super::work::Work;
use super::{Desk, DeskOrder};
use crate::session::Session;
use crate::view::{CardsView, DeckView, ReaderView};
use tabiya_store::decks::{self, DeckError, Decks};

/// A request about card readers and decks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CardWish {
    /// Read the list of decks again.
    Look,
    /// Start to list the connected readers (`true`), even if no match needs them yet, or stop listing them (`false`).
    Listen(bool),
    /// Use this deck in the match being played; `None` stops using a deck.
    Play(Option<String>),
    /// From now on, read each card at the moment when it is dealt. The record seals these cards.
    ReadDeals,
    /// Assign the reader with this name to a player; `None` assigns it to nobody.
    Give(String, Option<Seat>),
    /// Make a new deck, or continue a deck that was begun.
    Enrol {
        /// The name of the new deck.
        name: String,
        /// Which cards it has. A deck that was begun stays what it is.
        pack: Pack,
        /// Whether Tabiya only notes the numbers (UIDs) of the cards' chips. Otherwise it also writes data to each
        /// chip.
        adopt: bool,
        /// Whether Tabiya names the face of the next card, in a random order. Otherwise people name the face of each
        /// card.
        asked: bool,
    },
    /// Record this face for the card that was just laid down.
    Face(CardFace),
    /// Remove the card that was added last to the new deck.
    Undo,
    /// Try again to save the new deck after a failure.
    Keep,
    /// Audit this deck: find out which cards are missing or wrong.
    Audit(String),
    /// Replace a damaged card by a new one.
    Replace {
        /// The name of the deck.
        name: String,
        /// The damaged card's face.
        card: CardFace,
        /// The damaged card's number among the deck's cards with the same face, if known.
        copy: Option<u8>,
    },
    /// End the audit, because all available cards were laid down.
    Finish,
    /// Stop making, auditing or repairing a deck.
    Stop,
    /// Delete this deck permanently.
    Remove(String),
    /// Write this deck to a new file.
    Export(String, PathBuf),
    /// Import a deck from a file.
    Import(PathBuf),
    /// Write the cards of this kind of deck to a PDF, to be printed on this paper and cut out.
    Print(Pack, Paper),
}

/// What the desk knows about readers and decks.
#[derive(Debug)]
pub(super) struct DeskCards {
    pub(super) decks: Decks,
    listed: Vec<DeckView>,
    /// The names of the decks that are not complete yet, each with the number of cards that it has so far and in the end.
    begun: Vec<(String, (usize, usize))>,
    wrong: Vec<String>,
    /// Whether somebody views the list of readers.
    pub(super) looked_at: bool,
    /// Whether the loop was asked to run the readers' thread.
    pub(super) listening: bool,
    pub(super) ready: bool,
    /// The connected readers, each with the error that prevents it from reading, if any.
    pub(super) there: BTreeMap<ReaderName, Option<CardError>>,
    pub(super) trouble: Option<CardError>,
    pub(super) work: Option<Work>,
    /// A deck in which a damaged card was just replaced, and which was not yet passed on to the match being played.
    pub(super) mended: Option<Deck>,
    /// The desk's orders to the program's loop, which owns the devices.
    pub(super) orders: Vec<DeskOrder>,
}

impl DeskCards {
    pub(super) fn new(decks: Decks) -> Self {
        Self {
            decks,
            listed: Vec::new(),
            begun: Vec::new(),
            wrong: Vec::new(),
            looked_at: false,
            listening: false,
            ready: false,
            there: BTreeMap::new(),
            trouble: None,
            work: None,
            mended: None,
            orders: Vec::new(),
        }
    }

    /// Reads the list of decks from the disk.
    pub(super) fn list(&mut self) {
        let (decks, wrong) = self.decks.list();
        let view = |deck: &Deck| DeckView {
            name: deck.name().to_owned(),
            made: deck.made().to_owned(),
            pack: deck.pack(),
            adopted: deck.adopted(),
        };
        self.listed = decks.iter().map(view).collect();
        let (drafts, torn) = self.decks.drafts();
        let begun = |draft: &Draft| (draft.name.clone(), draft.enrolment.progress());
        self.begun = drafts.iter().map(begun).collect();
        self.wrong = wrong.iter().chain(&torn).map(ToString::to_string).collect();
    }

    pub(super) fn notice(&mut self, event: &CardEvent) {
        match event {
            CardEvent::Connected(reader) => drop(self.there.insert(reader.clone(), None)),
            CardEvent::Disconnected(reader) => drop(self.there.remove(reader)),
            CardEvent::Ready => self.ready = true,
            CardEvent::Problem(error) => match error.reader() {
                None => self.trouble = Some(error.clone()),
                Some(reader) => {
                    if let Some(trouble) = self.there.get_mut(reader) {
                        *trouble = Some(error.clone());
                    }
                }
            },
            CardEvent::ProblemOver(None) => self.trouble = None,
            CardEvent::ProblemOver(Some(reader)) => {
                if let Some(trouble) = self.there.get_mut(reader) {
                    *trouble = None;
                }
            }
            CardEvent::Tapped(_)
            | CardEvent::Present(_)
            | CardEvent::Lifted(_)
            | CardEvent::Unreadable { .. }
            | CardEvent::Written(_)
            | CardEvent::Locked(_)
            | CardEvent::NotWritten { .. } => {}
        }
    }

    /// Writes a deck to a new file.
    fn export(&self, name: &str, path: &Path) -> Result<Sentence, String> {
        let sentence = |error: DeckError| error.to_string();
        decks::export(&self.decks.find(name).map_err(sentence)?, path).map_err(sentence)?;
        let path = tabiya_types::shown(path);
        Ok(say!("deck-written", "{path}: written; the file shows every card's face, so keep it secret", path))
    }

    /// Imports a deck from a file.
    fn import(&self, path: &Path) -> Result<Sentence, String> {
        let sentence = |error: DeckError| error.to_string();
        let deck = decks::read(path).map_err(sentence)?;
        self.decks.add(&deck).map_err(sentence)?;
        Ok(say!("deck-taken", "the deck {name} is imported", name = deck.name().to_owned()))
    }

    /// Deletes a deck. `Err` if the match being played or somebody's work on decks uses this deck.
    fn remove(&self, name: &str, in_play: Option<&str>) -> Result<Sentence, String> {
        let sentence = |error: DeckError| error.to_string();
        let deck = self.decks.find(name).map_err(sentence)?;
        let at_work = self.work.as_ref().filter(|work| work.needs_readers()).map(Work::deck);
        if in_play == Some(name) || at_work == Some(name) {
            return Err(format!("the deck {name} is in use; stop using it first"));
        }
        self.decks.remove(&deck).map_err(sentence)?;
        Ok(say!("deck-removed", "the deck {name} is removed", name = name.to_owned()))
    }

    /// The names of the readers that are plugged in, as the system reports them.
    pub(super) fn reader_names(&self) -> impl Iterator<Item = String> {
        self.there.keys().map(ToString::to_string)
    }

    pub(super) fn view(&self, session: Option<&Session>) -> Arc<CardsView> {
        let playing = session.filter(|session| session.deck().is_some());
        let readers = self.there.iter().map(|(name, trouble)| ReaderView {
            name: name.to_string(),
            owner: playing.map(|session| session.owner_of(name)),
            trouble: trouble.as_ref().map(ToString::to_string),
        });
        Arc::new(CardsView {
            listening: self.listening,
            ready: self.ready,
            readers: readers.collect(),
            trouble: self.trouble.as_ref().map(ToString::to_string),
            deals: playing.is_some_and(Session::reads_deals),
            in_play: playing.and_then(Session::deck).map(str::to_owned),
            decks: self.listed.clone(),
            drafts: self.begun.clone(),
            wrong: self.wrong.clone(),
            work: self.work.as_ref().map(Work::view),
        })
    }
}

/// The name of the file with the cards of a deck to print.
fn sheets_file(pack: Pack, paper: Paper) -> String {
    let paper = match paper {
        Paper::A4 => "a4",
        Paper::Letter => "letter",
    };
    format!("cards-{}-{paper}.pdf", pack.word())
}

/// Whether this event is about a card, not about a reader.
pub(super) fn is_of_a_card(event: &CardEvent) -> bool {
    match event {
        CardEvent::Tapped(_)
        | CardEvent::Present(_)
        | CardEvent::Lifted(_)
        | CardEvent::Unreadable { .. }
        | CardEvent::Written(_)
        | CardEvent::Locked(_)
        | CardEvent::NotWritten { .. } => true,
        CardEvent::Connected(_)
        | CardEvent::Disconnected(_)
        | CardEvent::Ready
        | CardEvent::Problem(_)
        | CardEvent::ProblemOver(_) => false,
    }
}

impl Desk {
    /// Carries out a request about readers or decks.
    pub(super) fn card_wish(&mut self, wish: CardWish, now: Instant) {
        let done = match wish {
            CardWish::Look => Ok(None),
            CardWish::Listen(on) => {
                self.table.cards.looked_at = on;
                return;
            }
            CardWish::Play(name) => self.play_with(name.as_deref(), now).map(|()| None),
            CardWish::ReadDeals => self.table.read_deals().map(|()| None),
            CardWish::Give(reader, to) => {
                if let Some(sitting) = &mut self.table.sitting {
                    sitting.session.give_reader(&ReaderName::from(reader.as_str()), to);
                }
                return;
            }
            CardWish::Enrol { name, pack, adopt, asked } => {
                self.table.cards.enrol(&name, pack, adopt, asked, &self.environment).map(|()| None)
            }
            CardWish::Face(card) => {
                self.table.cards.name_face(card, &self.environment);
                return;
            }
            CardWish::Undo => {
                self.table.cards.undo_card(&self.environment);
                return;
            }
            CardWish::Keep => {
                self.table.cards.keep_enrolled(&self.environment);
                Ok(None)
            }
            CardWish::Audit(name) => self.table.cards.audit(&name).map(|()| None),
            CardWish::Replace { name, card, copy } => {
                self.table.cards.replace_card(&name, card, copy).map(|()| None)
            }
            CardWish::Finish => {
                self.table.cards.finish_audit();
                Ok(None)
            }
            CardWish::Stop => {
                self.table.cards.work = None;
                Ok(None)
            }
            CardWish::Remove(name) => self.remove_deck(&name, now).map(Some),
            CardWish::Export(name, path) => {
                let place = self.files.place(&with_ending(&path, "json"));
                let made = |path: &PathBuf| {
                    self.files
                        .make_folder(path)
                        .map_err(|error| format!("{}: {error}", tabiya_types::shown(path)))
                };
                let place = place.and_then(|path| made(&path).map(|()| path));
                place.and_then(|path| self.table.cards.export(&name, &path)).map(Some)
            }
            CardWish::Print(pack, paper) => {
                let written = self
                    .write(Path::new(&sheets_file(pack, paper)), &print::pdf(&print::sheets(pack, paper)));
                self.table.talk.notice_file(now, written);
                return;
            }
            CardWish::Import(path) => {
                self.files.place(&path).and_then(|path| self.table.cards.import(&path)).map(Some)
            }
        };
        self.table.cards.list();
        match done {
            Ok(None) => {}
            Ok(Some(notice)) => self.notice(now, Ok(notice)),
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    /// Finds the deck with this name. Without a name the result is `Ok(None)`. `Err` if no deck has the name.
    pub(super) fn deck_called(&self, name: Option<&str>) -> Result<Option<Deck>, String> {
        name.map(|name| self.table.cards.decks.find(name)).transpose().map_err(|error| error.to_string())
    }

    /// Uses this deck in the match being played from now on; without a name, stops using a deck.
    fn play_with(&mut self, name: Option<&str>, now: Instant) -> Result<(), String> {
        let deck = self.deck_called(name)?;
        let Some(sitting) = &mut self.table.sitting else { return Ok(()) };
        match deck {
            Some(deck) => {
                super::check_deck(&deck, sitting.session.table().agreement())?;
                sitting.session.use_deck(deck);
                self.table.introduce_readers(now);
            }
            None => sitting.session.put_deck_away(),
        }
        self.remember_deck(name, now);
        Ok(())
    }

    /// Saves the deck's name in the settings, so that the next match suggests the same deck.
    pub(super) fn remember_deck(&mut self, name: Option<&str>, now: Instant) {
        let settings =
            super::Settings { deck: name.map(str::to_owned), ..(**self.preferences.now()).clone() };
        self.keep(settings, now);
    }

    fn remove_deck(&mut self, name: &str, now: Instant) -> Result<Sentence, String> {
        let in_play = self.table.sitting.as_ref().and_then(|sitting| sitting.session.deck());
        let removed = self.table.cards.remove(name, in_play)?;
        if self.preferences.now().deck.as_deref() == Some(name) {
            self.remember_deck(None, now);
        }
        Ok(removed)
    }
}
