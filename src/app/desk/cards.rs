//! Card readers and decks behind a desk: which readers are wanted, who hears of their cards, which decks there are.
//!
//! The readers' thread runs while somebody needs it: a table with a deck, work on a deck (`work.rs`), or people who look
//! which readers are there. Readers are known by the system's names for them, which change: nothing is kept by them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_cards::deck::Deck;
use tabiya_cards::draft::Draft;
use tabiya_cards::{CardError, CardEvent, ReaderName};
use tabiya_types::{Card, Instant, Seat, Sentence, say};

use super::files::with_ending;
use super::work::Work;
use super::{Desk, DeskOrder};
use crate::cards_view::{CardsView, DeckView, ReaderView};
use crate::session::Session;
use crate::store::decks::{self, DeckError, Decks};

/// What people want of card readers and decks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CardWish {
    /// See which decks there are now.
    Look,
    /// See which readers are there, though nobody needs them yet; or no more.
    Listen(bool),
    /// Play with this deck at the table, or with none.
    Play(Option<String>),
    /// Cards are dealt over a reader at the table from now on, too: the hands are sealed in the record.
    ReadDeals,
    /// The reader of this name is that player's, or nobody's yet.
    Give(String, Option<Seat>),
    /// Make a deck.
    Enrol {
        /// What it is to be called.
        name: String,
        /// Whether nothing is written into its cards.
        adopt: bool,
        /// Whether the faces are asked for, in a random order.
        asked: bool,
    },
    /// The card that lies there has this face.
    Face(Card),
    /// Take the last card back.
    Undo,
    /// Try once more to keep the deck that was made.
    Keep,
    /// Look through this deck.
    Audit(String),
    /// Put a new card in a damaged one's place.
    Replace {
        /// The deck.
        name: String,
        /// The damaged card's face.
        card: Card,
        /// Its number among its equals, where it is known.
        copy: Option<u8>,
    },
    /// All cards were laid down that there are.
    Finish,
    /// Leave what was begun with a deck.
    Stop,
    /// Remove this deck for ever.
    Remove(String),
    /// Write this deck into a new file.
    Export(String, PathBuf),
    /// Take over a deck from a file.
    Import(PathBuf),
}

/// What is known of readers and decks.
#[derive(Debug)]
pub(super) struct DeskCards {
    pub(super) decks: Decks,
    listed: Vec<DeckView>,
    /// Decks that were begun, with how many cards they have.
    begun: Vec<(String, usize)>,
    wrong: Vec<String>,
    /// Whether somebody wants to see which readers are there.
    pub(super) looked_at: bool,
    /// Whether the readers' thread was asked for.
    pub(super) listening: bool,
    pub(super) ready: bool,
    /// The readers that are there, and what keeps each from being read.
    pub(super) there: BTreeMap<ReaderName, Option<CardError>>,
    pub(super) trouble: Option<CardError>,
    pub(super) work: Option<Work>,
    /// A deck in which a card was just replaced.
    pub(super) mended: Option<Deck>,
    /// What the loop outside is to do.
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

    /// Reads which decks there are.
    pub(super) fn list(&mut self) {
        let (decks, wrong) = self.decks.list();
        let view = |deck: &Deck| DeckView {
            name: deck.name().to_owned(),
            made: deck.made().to_owned(),
            adopted: deck.adopted(),
        };
        self.listed = decks.iter().map(view).collect();
        let (drafts, torn) = self.decks.drafts();
        let begun = |draft: &Draft| (draft.name.clone(), draft.enrolment.cards().len());
        self.begun = drafts.iter().map(begun).collect();
        self.wrong = wrong.iter().chain(&torn).map(ToString::to_string).collect();
    }

    pub(super) fn notice(&mut self, event: &CardEvent) {
        match event {
            CardEvent::Came(reader) => drop(self.there.insert(reader.clone(), None)),
            CardEvent::Gone(reader) => drop(self.there.remove(reader)),
            CardEvent::Ready => self.ready = true,
            CardEvent::Trouble(error) => match error.reader() {
                None => self.trouble = Some(error.clone()),
                Some(reader) => {
                    if let Some(trouble) = self.there.get_mut(reader) {
                        *trouble = Some(error.clone());
                    }
                }
            },
            CardEvent::TroubleOver(None) => self.trouble = None,
            CardEvent::TroubleOver(Some(reader)) => {
                if let Some(trouble) = self.there.get_mut(reader) {
                    *trouble = None;
                }
            }
            CardEvent::Tapped(_)
            | CardEvent::Lying(_)
            | CardEvent::Lifted(_)
            | CardEvent::Unreadable { .. }
            | CardEvent::Written(_)
            | CardEvent::Locked(_)
            | CardEvent::NotWritten { .. } => {}
        }
    }

    /// Writes a deck into a new file.
    fn export(&self, name: &str, path: &Path) -> Result<Sentence, String> {
        let told = |error: DeckError| error.to_string();
        decks::export(&self.decks.find(name).map_err(told)?, path).map_err(told)?;
        let path = path.display().to_string();
        Ok(say!("deck-written", "{path}: written; it says every card's face, so keep it secret", path))
    }

    /// Takes over a deck from a file.
    fn import(&self, path: &Path) -> Result<Sentence, String> {
        let told = |error: DeckError| error.to_string();
        let deck = decks::read(path).map_err(told)?;
        self.decks.add(&deck).map_err(told)?;
        Ok(say!("deck-taken", "the deck {name} is taken over", name = deck.name().to_owned()))
    }

    /// Removes a deck that neither the table nor any work needs.
    fn remove(&self, name: &str, in_play: Option<&str>) -> Result<Sentence, String> {
        let told = |error: DeckError| error.to_string();
        let deck = self.decks.find(name).map_err(told)?;
        let at_work = self.work.as_ref().filter(|work| work.needs_readers()).map(Work::deck);
        if in_play == Some(name) || at_work == Some(name) {
            return Err(format!("the deck {name} is in use; put it away first"));
        }
        self.decks.remove(&deck).map_err(told)?;
        Ok(say!("deck-removed", "the deck {name} is removed", name = name.to_owned()))
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
            begun: self.begun.clone(),
            wrong: self.wrong.clone(),
            work: self.work.as_ref().map(Work::view),
        })
    }
}

/// Whether a card does this, and no reader.
pub(super) fn is_of_a_card(event: &CardEvent) -> bool {
    match event {
        CardEvent::Tapped(_)
        | CardEvent::Lying(_)
        | CardEvent::Lifted(_)
        | CardEvent::Unreadable { .. }
        | CardEvent::Written(_)
        | CardEvent::Locked(_)
        | CardEvent::NotWritten { .. } => true,
        CardEvent::Came(_)
        | CardEvent::Gone(_)
        | CardEvent::Ready
        | CardEvent::Trouble(_)
        | CardEvent::TroubleOver(_) => false,
    }
}

impl Desk {
    /// Something about readers or decks that somebody wants.
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
            CardWish::Enrol { name, adopt, asked } => {
                self.table.cards.enrol(&name, adopt, asked, &self.around).map(|()| None)
            }
            CardWish::Face(card) => {
                self.table.cards.name_face(card, &self.around);
                return;
            }
            CardWish::Undo => {
                self.table.cards.undo_card();
                return;
            }
            CardWish::Keep => {
                self.table.cards.keep_enrolled(&self.around);
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
                place.and_then(|path| self.table.cards.export(&name, &path)).map(Some)
            }
            CardWish::Import(path) => {
                self.files.place(&path).and_then(|path| self.table.cards.import(&path)).map(Some)
            }
        };
        self.table.cards.list();
        match done {
            Ok(None) => {}
            Ok(Some(told)) => self.notice(now, Ok(told)),
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    /// The deck of that name, if one is wanted.
    pub(super) fn deck_called(&self, name: Option<&str>) -> Result<Option<Deck>, String> {
        name.map(|name| self.table.cards.decks.find(name)).transpose().map_err(|error| error.to_string())
    }

    /// The table that is played is played with this deck from now on, or with none.
    fn play_with(&mut self, name: Option<&str>, now: Instant) -> Result<(), String> {
        let deck = self.deck_called(name)?;
        let Some(sitting) = &mut self.table.sitting else { return Ok(()) };
        let game = sitting.session.table().agreement().game;
        match deck {
            Some(deck) if !super::turns_cards_over(game) => {
                return Err(format!(
                    "no card is turned over in {game}; play without the deck {}",
                    deck.name()
                ));
            }
            Some(deck) => {
                sitting.session.use_deck(deck);
                self.table.introduce_readers(now);
            }
            None => sitting.session.put_deck_away(),
        }
        self.remember_deck(name, now);
        Ok(())
    }

    /// The deck is chosen again the next time.
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
