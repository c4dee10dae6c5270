//! Card readers and decks of a desk: when the readers are watched, which part of the desk gets their events, and which
//! decks exist.
//!
//! The readers' thread runs while a match uses a deck, while somebody works on a deck (`work.rs`), and while somebody
//! views the list of readers. Readers are identified by the names that the system gives them. These names can change,
//! so no settings are saved for them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tabiya_cards::deck::Deck;
use tabiya_cards::draft::Draft;
use tabiya_cards::{CardError, CardEvent, ReaderName};
use tabiya_types::{Sentence, say};

use super::boards::DeskOrder;
use super::work::Work;
use crate::session::Session;
use crate::view::{CardsView, DeckView, ReaderView};
use tabiya_store::decks::{self, DeckError, Decks};

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

    /// Finds the deck with this name. Without a name the result is `Ok(None)`. `Err` if no deck has the name.
    pub(super) fn called(&self, name: Option<&str>) -> Result<Option<Deck>, String> {
        name.map(|name| self.decks.find(name)).transpose().map_err(|error| error.to_string())
    }

    /// Writes a deck to a new file.
    pub(super) fn export(&self, name: &str, path: &Path) -> Result<Sentence, String> {
        let sentence = |error: DeckError| error.to_string();
        decks::export(&self.decks.find(name).map_err(sentence)?, path).map_err(sentence)?;
        let path = tabiya_types::shown(path);
        Ok(say!("deck-written", "{path}: written; the file shows every card's face, so keep it secret", path))
    }

    /// Imports a deck from a file.
    pub(super) fn import(&self, path: &Path) -> Result<Sentence, String> {
        let sentence = |error: DeckError| error.to_string();
        let deck = decks::read(path).map_err(sentence)?;
        self.decks.add(&deck).map_err(sentence)?;
        Ok(say!("deck-taken", "the deck {name} is imported", name = deck.name().to_owned()))
    }

    /// Deletes a deck. `Err` if the match being played or somebody's work on decks uses this deck.
    pub(super) fn remove(&self, name: &str, in_play: Option<&str>) -> Result<Sentence, String> {
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
