//! What stays at a desk from match to match: the settings, the records, the players' cards, and the folder for files. What changes
//! them also tells the match being played, if it has to know.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_engine::record::card_file::OwnedCard;
use tabiya_types::{Instant, Sentence};

use super::book::Book;
use super::draft::{NewMatch, turns_cards_over};
use super::environment::Environment;
use super::files::{Files, with_ending};
use super::preferences::Preferences;
use super::records::DeskRecords;
use super::table::TableSide;
use super::talk::plain;
use crate::own_cards::{OwnCardFile, has_cards};
use crate::seating::{EventPlace, Keeping};
use tabiya_store::settings::Settings;

/// What stays at a desk from match to match.
#[derive(Debug)]
pub(super) struct House {
    pub(super) environment: Environment,
    pub(super) preferences: Preferences,
    pub(super) records: DeskRecords,
    pub(super) files: Files,
    /// The table's place in an event, if it belongs to one.
    pub(super) event: Option<EventPlace>,
    /// The user's card file of Chess Joker.
    own_cards: Arc<OwnCardFile>,
}

impl House {
    pub(super) fn new(environment: Environment, preferences: Preferences, book: Option<Book>) -> Self {
        let own_cards = Arc::new(OwnCardFile::open(preferences.now().cards.as_deref()));
        let exports = environment.documents.as_ref().unwrap_or(&environment.evenings);
        let files = Files::new(exports.clone(), environment.home.clone());
        let records = DeskRecords::new(environment.evenings.clone(), book);
        Self { environment, preferences, records, files, event: None, own_cards }
    }

    /// The user's card file of Chess Joker.
    pub(super) fn own_cards(&self) -> Arc<OwnCardFile> {
        self.own_cards.clone()
    }

    /// What a match at this desk is kept and played with.
    pub(super) fn keeping(&self, pgn: Option<PathBuf>) -> Keeping {
        let cards = self.own_cards.path.is_some().then(|| (*self.own_cards.file).clone());
        let (copy, event) = (self.preferences.copy_folder(), self.event.clone());
        Keeping { keys: self.records.keys(), copy, event, pgn, cards }
    }

    // ---- settings ----

    /// Uses these settings from now on, and saves them.
    pub(super) fn keep(&mut self, settings: Settings, table: &mut TableSide, now: Instant) {
        let (before, side) = (self.preferences.now().clock_side, settings.clock_side);
        if side != before {
            table.at_table(|sitting, _| sitting.tell_clock_side(side, now));
        }
        if let Err(sentence) = self.preferences.keep(settings) {
            table.talk.notice(now, Err(sentence));
        }
    }

    /// Applies the differences between `before` and `after` to the current settings. The current settings may differ
    /// from `before`, because they may have changed after the screen showed them.
    pub(super) fn change(
        &mut self,
        before: &Settings,
        after: &Settings,
        table: &mut TableSide,
        now: Instant,
    ) {
        let merged = self.preferences.now().changed(before, after);
        self.keep(merged, table, now);
    }

    /// Saves the deck's name in the settings, so that the next match suggests the same deck.
    pub(super) fn remember_deck(&mut self, name: Option<&str>, table: &mut TableSide, now: Instant) {
        let settings = Settings { deck: name.map(str::to_owned), ..(**self.preferences.now()).clone() };
        self.keep(settings, table, now);
    }

    /// Saves what the next match's form suggests after this match.
    pub(super) fn remember(&mut self, new: &NewMatch, table: &mut TableSide, now: Instant) {
        let mut settings = (**self.preferences.now()).clone();
        // `remember_names` puts the name that it gets last at the top of the list of names. Player A's name comes last
        // here, so that the next match's form suggests the same seats again.
        settings.remember_names([&*new.players.b, &*new.players.a].into_iter());
        let mut terms = new.terms.clone();
        // The card file is remembered by its path; what stands in it may change.
        terms.take("cards");
        settings.remember_terms(&new.game, &terms);
        if turns_cards_over(&new.game) {
            settings.deck.clone_from(&new.deck);
        }
        self.keep(settings, table, now);
    }

    // ---- the user's cards ----

    /// Uses this card file from now on. A file that cannot be read is not used.
    pub(super) fn use_cards(&mut self, path: Option<&Path>, table: &mut TableSide, now: Instant) {
        let place = path.map(|path| self.files.place(path)).transpose().map_err(plain);
        match place.and_then(|path| OwnCardFile::to_use(path.as_deref())) {
            Ok(cards) => {
                let mut settings = (**self.preferences.now()).clone();
                settings.cards.clone_from(&cards.path);
                self.own_cards = Arc::new(cards);
                self.keep(settings, table, now);
                let file = self.own_cards.file.clone();
                table.at_table(|sitting, _| {
                    if has_cards(sitting.session.table().agreement().game) {
                        sitting.session.use_card_file((*file).clone());
                    }
                });
            }
            Err(sentence) => table.talk.fail(now, sentence),
        }
    }

    /// Writes a card into the file; the match that is being played knows it at once.
    pub(super) fn keep_card(&mut self, card: &OwnedCard, table: &mut TableSide, now: Instant) {
        let kept = self.own_cards.keep(card, &self.environment.evenings);
        match kept {
            Ok(path) => {
                self.use_cards(Some(&path), table, now);
                table.talk.notice_file(now, Ok(path));
            }
            Err(sentence) => table.talk.fail(now, sentence),
        }
    }

    /// The match with the term that names the card file as it is now, if the game can use one.
    pub(super) fn with_cards(&mut self, mut new: NewMatch) -> Result<NewMatch, Sentence> {
        if has_cards(&new.game) && !new.terms.has("cards") {
            self.own_cards = Arc::new(OwnCardFile::open(self.preferences.now().cards.as_deref()));
            if let Some(term) = self.own_cards.term()? {
                new.terms.set("cards", term);
            }
        }
        Ok(new)
    }

    // ---- files ----

    /// Writes a file; `played` is the record of the match being played. `Err` if the file cannot be written, or if the program
    /// itself uses it.
    pub(super) fn write(
        &mut self,
        path: &Path,
        content: &[u8],
        played: Option<&Path>,
    ) -> Result<PathBuf, String> {
        let cards = self.own_cards.path.as_deref();
        let used =
            self.records.evening().into_iter().chain(self.preferences.file()).chain(played).chain(cards);
        let used: Vec<&Path> = used.collect();
        self.files.write(path, content, &used)
    }

    /// Writes a text to a file, with this ending if its name has none, and tells about it.
    pub(super) fn save(
        &mut self,
        (path, ending): (&Path, &str),
        text: &str,
        table: &mut TableSide,
        now: Instant,
    ) {
        let written = self.write(&with_ending(path, ending), text.as_bytes(), table.record());
        table.talk.notice_file(now, written);
    }
}
