//! Cards that were laid on a reader: what is turned over in placement is logged by itself.
//!
//! Source: record, `reveal` (`how`, `copy`); ruling 16 in `docs/rules.md`; the checks of `docs/cards.md`. A card that comes
//! at another time stays hidden: no sentence says which it was.

use std::collections::{BTreeMap, BTreeSet};
use tabiya_engine::rules::{Action, Phase, Reveal};

use super::{Fault, Session};
use crate::words::turns_over;
use tabiya_boards::TagNews;
use tabiya_cards::deck::{CardFault, Deck, Face};
use tabiya_cards::{CardEvent, Content, ReaderName, Tap, Uid, ndef};
use tabiya_types::{Color, Instant, Millis, Seat, say};

/// For so long after it was connected a board or a box tells what lay on its readers before: of each first that.
const TELLS_WHAT_LIES: Millis = Millis(500);

/// The deck in play and the readers it is read with.
#[derive(Debug)]
pub(super) struct Readers {
    deck: Deck,
    /// The readers that are there, and whose each is, as far as taps have told.
    there: BTreeMap<ReaderName, Option<Seat>>,
    /// The one that cards are dealt over, if it is no player's.
    dealer: Option<ReaderName>,
    /// What lay last on each reader behind a board or in a box, if anything did: those tell everything anew with each
    /// connection.
    behind: BTreeMap<Behind, Option<Uid>>,
    /// When the board and the box were connected last.
    connected: BTreeMap<Place, Instant>,
    /// Of which of those readers anything was told since.
    heard: BTreeSet<Behind>,
}

/// A reader that is no PC/SC reader, by its number in the device that it belongs to.
pub(super) type Behind = (Place, u8);

/// What such a reader belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// The board.
    Board,
    /// The box beside it.
    Box,
}

impl Readers {
    /// The readers that are not the dealer's.
    fn players(&self) -> impl Iterator<Item = (&ReaderName, Option<Seat>)> {
        let others = self.there.iter().filter(|(name, _)| self.dealer.as_ref() != Some(*name));
        others.map(|(name, owner)| (name, *owner))
    }

    /// Whose this reader is, as far as is known.
    pub(super) fn owner(&self, reader: &ReaderName) -> Owner {
        let taken = |seat: Seat| self.players().any(|(_, owner)| owner == Some(seat));
        match self.there.get(reader).copied().flatten() {
            _ if self.dealer.as_ref() == Some(reader) => Owner::Dealer,
            _ if self.players().count() < 2 => Owner::Both,
            Some(seat) => Owner::Seat(seat),
            None if Seat::ALL.into_iter().all(taken) => Owner::Both,
            None => Owner::Nobody,
        }
    }

    /// The same once a player has laid a card of the deck on it in his turn: one that is nobody's becomes his by that,
    /// and the other of two his opponent's. Where one of two may be the dealer's, nothing is learned.
    fn owner_in_turn(&mut self, reader: &ReaderName, turn: Option<Seat>, deals: bool) -> Owner {
        let may_be_dealers = deals && self.dealer.is_none() && self.there.len() < 3;
        if let (Owner::Nobody, Some(seat), false) = (self.owner(reader), turn, may_be_dealers)
            && !self.players().any(|(_, owner)| owner == Some(seat))
        {
            self.give(reader, Some(seat));
        }
        match self.owner(reader) {
            Owner::Nobody if may_be_dealers => Owner::Both,
            owner => owner,
        }
    }

    /// From now on this reader is that player's, and of two the other one his opponent's; or it is nobody's yet. One that
    /// is given is the dealer's no more.
    fn give(&mut self, reader: &ReaderName, to: Option<Seat>) {
        self.dealer.take_if(|dealer| dealer == reader);
        for (name, owner) in &mut self.there {
            if name == reader {
                *owner = to;
            } else if to.is_some() && *owner == to {
                *owner = None;
            }
        }
        let dealer = self.dealer.as_ref();
        let mut others = self.there.iter_mut().filter(|(name, _)| *name != reader && Some(*name) != dealer);
        if let (Some((_, owner)), None, Some(seat)) = (others.next(), others.next(), to) {
            *owner = Some(seat.other());
        }
    }

    /// Whether cards are dealt over another reader than this one.
    pub(super) fn dealer_is_another(&self, reader: &ReaderName) -> bool {
        self.dealer.as_ref().is_some_and(|dealer| dealer != reader)
    }

    /// Where the first two cards of a deal were laid tells what the readers are. Whether it told anything.
    pub(super) fn two_were_dealt(&mut self, first: (&ReaderName, Seat), second: (&ReaderName, Seat)) -> bool {
        let known = |reader: &ReaderName| self.there.get(reader).copied().flatten().is_some();
        if self.there.len() < 2 || self.dealer.is_some() || known(first.0) || known(second.0) {
            return false;
        }
        if first.0 == second.0 {
            self.dealer = Some(first.0.clone());
        } else {
            for (reader, seat) in [first, second] {
                self.there.insert(reader.clone(), Some(seat));
            }
        }
        true
    }

    /// Nobody knows any more whose the readers are.
    pub(super) fn forget_owners(&mut self) {
        self.dealer = None;
        self.there.values_mut().for_each(|owner| *owner = None);
    }
}

/// Whose a card reader is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Nobody's until a player lays a card on it in his turn.
    Nobody,
    /// That player's alone.
    Seat(Seat),
    /// Both lay their cards on it.
    Both,
    /// Cards are dealt over it.
    Dealer,
}

impl Session {
    /// From now on cards of this deck are known by their chips.
    pub fn use_deck(&mut self, deck: Deck) {
        self.readers = Some(Readers {
            deck,
            there: BTreeMap::new(),
            dealer: None,
            behind: BTreeMap::new(),
            connected: BTreeMap::new(),
            heard: BTreeSet::new(),
        });
    }

    /// The same deck with another card in a damaged one's place; whose readers are whose stays.
    pub fn mend_deck(&mut self, deck: Deck) {
        if let Some(readers) = &mut self.readers {
            readers.deck = deck;
        }
    }

    /// From now on cards are typed, and none is dealt over a reader.
    pub fn put_deck_away(&mut self) {
        (self.readers, self.dealing) = (None, None);
    }

    /// The name of the deck in play.
    pub fn deck(&self) -> Option<&str> {
        self.readers.as_ref().map(|readers| readers.deck.name())
    }

    /// Whose this reader is; nobody's without a deck.
    pub fn owner_of(&self, reader: &ReaderName) -> Owner {
        let readers = self.readers.as_ref().filter(|readers| readers.there.contains_key(reader));
        readers.map_or(Owner::Nobody, |readers| readers.owner(reader))
    }

    /// This reader is that player's, or nobody's yet. Without such a reader nothing happens.
    pub fn give_reader(&mut self, reader: &ReaderName, to: Option<Seat>) {
        if let Some(readers) = self.readers.as_mut().filter(|readers| readers.there.contains_key(reader)) {
            readers.give(reader, to);
        }
    }

    /// Something that happened at the card readers.
    pub fn cards(&mut self, event: &CardEvent, at: Instant) {
        let Some(readers) = &mut self.readers else { return };
        match event {
            CardEvent::Came(reader) => {
                readers.there.insert(reader.clone(), None);
                self.say(say!(
                    "reader-came",
                    "a card reader is there: {reader}",
                    reader = reader.to_string()
                ));
            }
            CardEvent::Gone(reader) => {
                readers.there.remove(reader);
                readers.dealer.take_if(|dealer| dealer == reader);
                self.say(say!(
                    "reader-gone",
                    "the card reader {reader} is gone: plug it in again, or type the cards",
                    reader = reader.to_string()
                ));
            }
            CardEvent::Tapped(Tap { reader, uid, content }) => self.tapped(Some(reader), *uid, content, at),
            CardEvent::Lying(_) => self.card_lies(),
            CardEvent::Unreadable { why, .. } => {
                self.say(say!("card-unreadable", "card reader: {error}", error = why.to_string()));
            }
            CardEvent::Trouble(error) => {
                self.say(say!("readers-trouble", "card readers: {error}", error = error.to_string()));
            }
            CardEvent::TroubleOver(_) => self.say(say!("readers-back", "cards are read again")),
            CardEvent::Ready if readers.there.is_empty() => self.say(say!(
                "readers-none",
                "no card reader is there: plug one in, it is noticed by itself, or type the cards"
            )),
            CardEvent::Ready => self.say(say!("readers-ready", "cards are read from now on")),
            // The deck tool alone writes.
            CardEvent::Lifted(_)
            | CardEvent::Written(_)
            | CardEvent::Locked(_)
            | CardEvent::NotWritten { .. } => {}
        }
    }

    /// A board or a box was connected: it tells first what lies on its readers.
    pub(super) fn readers_connected(&mut self, place: Place, at: Instant) {
        if let Some(readers) = &mut self.readers {
            readers.connected.insert(place, at);
            readers.heard.retain(|(of, _)| *of != place);
            readers.behind.retain(|(of, _), _| *of != place);
        }
    }

    /// A card that was not laid down now counts for nothing.
    fn card_lies(&mut self) {
        if turns_over(self.table()).is_some() || self.deals_now() {
            self.say(say!(
                "card-lies",
                "a card lies on the reader already: lift it, and lay down the one that is turned over"
            ));
        }
    }

    /// What lies on a reader behind a board or in a box.
    pub(super) fn tag(&mut self, reader: Behind, news: &TagNews, at: Instant) {
        let Some(readers) = &mut self.readers else { return };
        let first = readers.heard.insert(reader);
        match news {
            TagNews::Here { uid, ndef } => {
                let Ok(uid) = Uid::new(uid) else { return };
                if readers.behind.insert(reader, Some(uid)) == Some(Some(uid)) {
                    return;
                }
                let connected = readers.connected.get(&reader.0);
                let at_first = connected.is_some_and(|connected| at.since(*connected) < TELLS_WHAT_LIES);
                if first && at_first {
                    self.card_lies();
                    return;
                }
                let content = ndef.as_deref().map_or(Content::Closed, ndef::content_of_message);
                self.tapped(None, uid, &content, at);
            }
            TagNews::Gone { .. } | TagNews::Empty => {
                readers.behind.insert(reader, None);
            }
            TagNews::Several => {
                self.say(say!("cards-several", "several cards lie on the reader: lay down one at a time"));
            }
            TagNews::NoReader => self.say(say!(
                "reader-silent",
                "the card reader of your own making does not answer: check its wires, and type the cards"
            )),
        }
    }

    /// A card was laid down.
    fn tapped(&mut self, reader: Option<&ReaderName>, uid: Uid, content: &Content, at: Instant) {
        let turn = turns_over(self.table());
        let turn_of = turn.map(|by| self.table().seat_of(by));
        let Some(readers) = &mut self.readers else { return };
        let face = match readers.deck.check(uid, content) {
            Ok(face) => face,
            Err(fault) => {
                self.say(fault.sentence());
                let CardFault::Rewritten(face) = fault else { return };
                face
            }
        };
        if self.deals_now() {
            self.dealt(reader, face, at);
            return;
        }
        if self.was_just_dealt(face) {
            self.say(say!(
                "card-just-dealt",
                "the card that was dealt last was read once more: nothing was logged"
            ));
            return;
        }
        let deals = self.dealing.is_some();
        let of = match reader.zip(self.readers.as_mut()) {
            Some((reader, readers)) => readers.owner_in_turn(reader, turn_of, deals),
            None => Owner::Both,
        };
        if let Err(fault) = self.card(of, face, turn, at) {
            self.tell_failure(&fault);
        }
    }

    /// A card of the deck was laid on a reader of this owner. `turn` is who is to turn one over: by him it is; without
    /// one, and on the dealer's reader, people are told that it counts for nothing. On `Err` nothing was taken.
    pub(super) fn card(
        &mut self,
        of: Owner,
        face: Face,
        turn: Option<Color>,
        at: Instant,
    ) -> Result<(), Fault> {
        let by = turn.filter(|_| of != Owner::Dealer);
        let Some(by) = by else {
            self.say(if self.dealing.is_some() && self.table().phase() == Phase::Bet {
                say!(
                    "card-too-many",
                    "a card was laid on the reader, but none is to be dealt or turned over now: nothing was logged; if it was dealt, declare the deal `fouled` with a reason"
                )
            } else {
                say!(
                    "card-not-now",
                    "a card was laid on the reader, but none is to be turned over now: nothing was logged"
                )
            });
            return Ok(());
        };
        if let Owner::Seat(seat) = of
            && seat != self.table().seat_of(by)
        {
            self.say(say!(
                "card-other-turn",
                "a card was laid on the other player's reader: it is {by}'s turn to turn one over; nothing was logged",
                by = by
            ));
            return Ok(());
        }
        if self.was_turned_over(face) {
            self.say(say!(
                "card-twice",
                "this very {card} was turned over before in this game: look at both cards; if one is a copy, the deck is fouled",
                card = face.card()
            ));
            return Ok(());
        }
        // A game without cards has none to be turned over.
        if self.table().game().cards().is_none() {
            return Ok(());
        }
        let reveal = Reveal { by, card: face.card(), read: Some(true), copy: Some(face.copy().into()) };
        self.enter(&Action::Reveal(reveal).into(), at)
    }

    /// Whether this very card was read in this game already.
    fn was_turned_over(&self, read: Face) -> bool {
        let games = self.table().actions_by_game();
        games.last().into_iter().flatten().any(|(_, action)| match action {
            Action::Reveal(reveal) => reveal.card == read.card() && reveal.copy == Some(read.copy().into()),
            _ => false,
        })
    }
}
