//! The user's card file of Chess Joker at a desk: which one is used, and the cards that people type.

use std::path::Path;
use std::sync::Arc;

use tabiya_engine::record::card_file::OwnedCard;
use tabiya_types::{Instant, Sentence};

use super::talk::plain;
use super::{Desk, NewMatch};
use crate::own_cards::{OwnCardFile, has_cards};

impl Desk {
    /// Uses this card file from now on. A file that cannot be read is not used.
    pub(super) fn use_cards(&mut self, path: Option<&Path>, now: Instant) {
        let place = path.map(|path| self.files.place(path)).transpose().map_err(plain);
        let cards = place.and_then(|path| {
            let cards = OwnCardFile::open(path.as_deref());
            cards.trouble.clone().map_or(Ok(cards), Err)
        });
        match cards {
            Ok(cards) => {
                let mut settings = (**self.preferences.now()).clone();
                settings.cards.clone_from(&cards.path);
                self.own_cards = Arc::new(cards);
                self.keep(settings, now);
                let file = self.own_cards.file.clone();
                self.table.at_table(|sitting, _| {
                    if has_cards(sitting.session.table().agreement().game) {
                        sitting.session.use_card_file((*file).clone());
                    }
                });
            }
            Err(sentence) => self.table.talk.fail(now, sentence),
        }
    }

    /// Writes a card into the file; the match that is being played knows it at once.
    pub(super) fn keep_card(&mut self, card: &OwnedCard, now: Instant) {
        let kept = self.own_cards.keep(card, &self.environment.evenings);
        match kept {
            Ok(path) => {
                self.use_cards(Some(&path), now);
                self.table.talk.notice_file(now, Ok(path));
            }
            Err(sentence) => self.table.talk.fail(now, sentence),
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
}
