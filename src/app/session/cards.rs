//! Cards that were laid on a reader: what is turned over in placement is logged by itself.
//!
//! Source: record, `reveal` (`how`, `copy`); ruling 16 in `docs/rules.md`; the checks of `docs/cards.md`. A card that comes
//! at another time stays hidden: no sentence says which it was.

use std::collections::BTreeSet;

use tabiya_boards::TagNews;
use tabiya_cards::deck::{CardFault, Deck, Face};
use tabiya_cards::{CardEvent, CardTap, ReaderName, TagContent, Uid};
use tabiya_engine::record::Body;
use tabiya_engine::record::secrets::GameCards;
use tabiya_engine::rules::{Action, DealtCards, Phase, Reveal, Verb};
use tabiya_engine::table::{Audience, Input, Legal, Table, Voice};
use tabiya_types::{Color, Instant, Seat, say};

use super::dealing::Dealing;
use super::readers::{Behind, Owner, ReaderOwner, Readers, TagReport};
use super::speech::Speech;
use crate::store::journal::vault::KeyError;

/// The deck in play, its readers, and the street that is being dealt over one.
#[derive(Debug, Default)]
pub(super) struct SessionCards {
    /// With the deck whose cards readers know, if one is in play.
    readers: Option<Readers>,
    /// If cards are dealt over a reader.
    dealing: Option<Dealing>,
    /// Lines whose card was told not to have been dealt.
    contradicted: BTreeSet<u32>,
}

/// What a card that was laid down has the table do.
#[derive(Debug)]
pub(super) enum CardAction {
    /// Enter that it was turned over.
    Reveal(Input),
    /// Enter the deal, of which it was the last card.
    Deal(Input),
}

/// Who is to turn a card over now.
pub(crate) fn turns_over(table: &Table) -> Option<Color> {
    table.legal().iter().find(|legal| legal.verb() == Some(Verb::Reveal)).and_then(Legal::by)
}

impl SessionCards {
    // ---- the deck and the readers ----

    pub(super) fn use_deck(&mut self, deck: Deck) {
        self.readers = Some(Readers::new(deck));
    }

    pub(super) fn mend_deck(&mut self, deck: Deck) {
        if let Some(readers) = &mut self.readers {
            readers.deck = deck;
        }
    }

    pub(super) fn put_deck_away(&mut self) {
        (self.readers, self.dealing) = (None, None);
    }

    pub(super) fn deck(&self) -> Option<&str> {
        self.readers.as_ref().map(|readers| readers.deck.name())
    }

    pub(super) fn owner_of(&self, reader: &ReaderName) -> Owner {
        let readers = self.readers.as_ref().filter(|readers| readers.has(reader));
        readers.map_or(Owner::Nobody, |readers| readers.owner(reader))
    }

    pub(super) fn give_reader(&mut self, reader: &ReaderName, to: Option<Seat>) {
        if let Some(readers) = self.readers.as_mut().filter(|readers| readers.has(reader)) {
            readers.give(reader, to);
        }
    }

    pub(super) fn connected(&mut self, place: ReaderOwner, at: Instant) {
        if let Some(readers) = &mut self.readers {
            readers.connected(place, at);
        }
    }

    // ---- what comes in ----

    /// Something that happened at the card readers.
    pub(super) fn hear(
        &mut self,
        event: &CardEvent,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        let readers = self.readers.as_mut()?;
        match event {
            CardEvent::Came(reader) => {
                readers.came(reader);
                speech.say(say!(
                    "reader-came",
                    "a card reader is there: {reader}",
                    reader = reader.to_string()
                ));
            }
            CardEvent::Gone(reader) => {
                readers.gone(reader);
                speech.say(say!(
                    "reader-gone",
                    "the card reader {reader} is gone: plug it in again, or type the cards",
                    reader = reader.to_string()
                ));
            }
            CardEvent::Tapped(CardTap { reader, uid, content }) => {
                return self.tapped(Some(reader), *uid, content, table, speech);
            }
            CardEvent::Lying(_) => self.card_lies(table, speech),
            CardEvent::Unreadable { why, .. } => {
                speech.say(say!("card-unreadable", "card reader: {error}", error = why.to_string()));
            }
            CardEvent::Trouble(error) => {
                speech.say(say!("readers-trouble", "card readers: {error}", error = error.to_string()));
            }
            CardEvent::TroubleOver(_) => speech.say(say!("readers-back", "cards are read again")),
            CardEvent::Ready if readers.none_there() => speech.say(say!(
                "readers-none",
                "no card reader is there: plug one in, it is noticed by itself, or type the cards"
            )),
            CardEvent::Ready => speech.say(say!("readers-ready", "cards are read from now on")),
            // The deck tool alone writes.
            CardEvent::Lifted(_)
            | CardEvent::Written(_)
            | CardEvent::Locked(_)
            | CardEvent::NotWritten { .. } => {}
        }
        None
    }

    /// A card that was not laid down now counts for nothing.
    fn card_lies(&self, table: &Table, speech: &mut Speech) {
        if turns_over(table).is_some() || self.deals_now(table) {
            speech.say(say!(
                "card-lies",
                "a card lies on the reader already: lift it, and lay down the one that is turned over"
            ));
        }
    }

    /// What lies on a reader behind a board or in a box.
    pub(super) fn tag(
        &mut self,
        reader: Behind,
        news: &TagNews,
        at: Instant,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        match self.readers.as_mut()?.tag(reader, news, at) {
            TagReport::Laid(uid, content) => return self.tapped(None, uid, &content, table, speech),
            TagReport::Lies => self.card_lies(table, speech),
            TagReport::Nothing => {}
        }
        match news {
            TagNews::Several => {
                speech.say(say!("cards-several", "several cards lie on the reader: lay down one at a time"));
            }
            TagNews::NoReader => speech.say(say!(
                "reader-silent",
                "the card reader of your own making does not answer: check its wires, and type the cards"
            )),
            TagNews::Here { .. } | TagNews::Gone { .. } | TagNews::Empty => {}
        }
        None
    }

    /// A card was laid down.
    fn tapped(
        &mut self,
        reader: Option<&ReaderName>,
        uid: Uid,
        content: &TagContent,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        let face = match self.readers.as_ref()?.deck.check(uid, content) {
            Ok(face) => face,
            Err(fault) => {
                speech.say(fault.sentence());
                let CardFault::Rewritten(face) = fault else { return None };
                face
            }
        };
        if self.deals_now(table) {
            return self.dealt(reader, face, table, speech);
        }
        if self.dealing.as_ref().is_some_and(|dealing| dealing.was_just_dealt(face)) {
            speech.say(say!(
                "card-just-dealt",
                "the card that was dealt last was read once more: nothing was logged"
            ));
            return None;
        }
        let (turn, deals) = (turns_over(table), self.dealing.is_some());
        let of = match reader.zip(self.readers.as_mut()) {
            Some((reader, readers)) => readers.owner_in_turn(reader, turn.map(|by| table.seat_of(by)), deals),
            None => Owner::Both,
        };
        self.turned_over(of, face, turn, table, speech)
    }

    /// A card of the deck was laid on a reader of this owner. `turn` is who is to turn one over: by him it is; without
    /// one, and on the dealer's reader, people are told that it counts for nothing.
    pub(super) fn turned_over(
        &self,
        of: Owner,
        face: Face,
        turn: Option<Color>,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        let Some(by) = turn.filter(|_| of != Owner::Dealer) else {
            speech.say(if self.dealing.is_some() && table.phase() == Phase::Bet {
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
            return None;
        };
        if let Owner::Seat(seat) = of
            && seat != table.seat_of(by)
        {
            speech.say(say!(
                "card-other-turn",
                "a card was laid on the other player's reader: it is {by}'s turn to turn one over; nothing was logged",
                by = by
            ));
            return None;
        }
        if was_turned_over(face, table) {
            speech.say(say!(
                "card-twice",
                "this very {card} was turned over before in this game: look at both cards; if one is a copy, the deck is fouled",
                card = face.card()
            ));
            return None;
        }
        // A game without cards has none to be turned over.
        table.game().cards()?;
        let reveal = Reveal { by, card: face.card(), read: Some(true), copy: Some(face.copy().into()) };
        Some(CardAction::Reveal(Action::Reveal(reveal).into()))
    }

    // ---- cards that are dealt ----

    pub(super) fn read_deals(&mut self) {
        self.dealing = Some(Dealing::default());
    }

    pub(super) fn reads_deals(&self) -> bool {
        self.dealing.is_some()
    }

    /// Whether a card that is laid on a reader now is one that is dealt.
    pub(super) fn deals_now(&self, table: &Table) -> bool {
        self.dealing.is_some() && table.legal().iter().any(|legal| legal.verb() == Some(Verb::Deal))
    }

    /// A card of the deck was laid on this reader, or behind a board, on its way to its player.
    fn dealt(
        &mut self,
        reader: Option<&ReaderName>,
        face: Face,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        let dealing = self.dealing.as_mut()?;
        let due = match dealing.due(face, table) {
            Ok(due) => due,
            Err(told) => {
                speech.say(told);
                return None;
            }
        };
        if let (Some(reader), Some(readers)) = (reader, &mut self.readers)
            && let Err(told) = dealing.is_dealt_to(reader, due, table.seat_of(due), readers)
        {
            speech.say(told);
            return None;
        }
        dealing.one(Some(face), table, speech).map(CardAction::Deal)
    }

    /// A card was dealt that no reader knows.
    pub(super) fn dealt_unread(&mut self, table: &Table, speech: &mut Speech) -> Option<CardAction> {
        let due = self.deals_now(table);
        match &mut self.dealing {
            Some(dealing) if due => dealing.one(None, table, speech).map(CardAction::Deal),
            _ => {
                let prompt = table.prompt();
                speech.say(say!("unread-nothing", "no card is dealt over a reader now; {prompt}", prompt));
                None
            }
        }
    }

    /// The cards of this street that were read so far count for nothing: a card was exposed, or dealt to the wrong
    /// player. What they told of the readers counts for nothing either.
    pub(super) fn misdeal(&mut self, table: &Table, speech: &mut Speech) {
        let readers = &mut self.readers;
        let was_read = self.dealing.as_mut().is_some_and(|dealing| {
            let (was_read, taught) = dealing.begin_anew(table);
            if taught {
                readers.iter_mut().for_each(Readers::forget_owners);
            }
            was_read
        });
        speech.say(if was_read {
            say!("misdealt", "the cards of this street count for nothing: deal them anew, in their order")
        } else {
            say!(
                "misdeal-nothing",
                "no card of this street was read yet; a deal that is recorded is taken back with `undo`, a wrong one is declared with `fouled` and a reason"
            )
        });
    }

    /// A deal that was entered without its cards has those that were read; what was not read nobody knows.
    pub(super) fn with_cards_read(&mut self, input: &Input, table: &Table) -> Option<Input> {
        let Input::Game(Action::Deal(told)) = input else { return None };
        let nothing_told = *told == DealtCards::default();
        self.dealing.as_mut().filter(|_| nothing_told)?.cards_read(table)
    }

    /// Something stands on the record: a deal, whose cards cannot come again in its game, or anything else.
    pub(super) fn follow(&mut self, line: u32, body: &Body) {
        if let (Some(dealing), Body::Acted(input)) = (&mut self.dealing, body) {
            dealing.follow(line, input);
        }
    }

    /// A card that was turned over although it was not dealt: at events the arbiter is told at once, casually
    /// everybody after the game.
    pub(super) fn hold_against_deal(&mut self, over: bool, table: &Table, speech: &mut Speech) {
        let event = table.terms().voice == Voice::Event;
        if !event && !over {
            return;
        }
        for (line, by) in GameCards::of_last(table).contradictions() {
            if self.contradicted.insert(line) {
                let to = if event { Audience::Arbiter } else { Audience::Players };
                speech.say_to(
                    to,
                    say!(
                        "not-dealt",
                        "the card that {by} turned over on line {line} of the record is not one that was dealt to {by}, as the reader saw the deal",
                        by,
                        line
                    ),
                );
            }
        }
    }
}

/// Whether this very card was read in this game already.
fn was_turned_over(read: Face, table: &Table) -> bool {
    let games = table.actions_by_game();
    games.last().into_iter().flatten().any(|(_, action)| match action {
        Action::Reveal(reveal) => reveal.card == read.card() && reveal.copy == Some(read.copy().into()),
        _ => false,
    })
}

/// Why cards that were dealt stay closed, if they do.
pub(super) fn tell_closed(why: Option<&KeyError>, speech: &mut Speech) {
    if let Some(error) = why {
        let error = error.to_string();
        speech.say(say!(
            "cards-closed",
            "cards that were dealt stay sealed: {error}; play goes on without them",
            error
        ));
    }
}
