//! Cards that are laid on a reader. A card that is turned over in the placement phase is recorded automatically.
//!
//! Sources: `docs/record.md`, `reveal` (`how`, `copy`); `docs/rules.md`, ruling 16; `docs/cards.md` for the checks of
//! a card. A card that is laid down at another time stays hidden: no sentence names its face.

use std::collections::BTreeSet;

use tabiya_boards::TagChange;
use tabiya_cards::deck::{CardFault, Deck, Face};
use tabiya_cards::{CardEvent, CardTap, ReaderName, TagContent, Uid};
use tabiya_engine::record::Body;
use tabiya_engine::record::secrets::GameCards;
use tabiya_engine::rules::{Action, DealtCards, Phase, Reveal, Verb};
use tabiya_engine::table::{Audience, Common, Input, LegalInput, Table, Voice};
use tabiya_types::{Card, Color, Instant, Seat, Sentence, say};

use super::dealing::Dealing;
use super::laying::{self, LaidCards, LaidMeaning};
use super::readers::{BuiltInReader, ReaderDevice, Readers, TagReport};
use super::speech::Speech;
use crate::view::Owner;
use tabiya_store::journal::vault::KeyError;

/// The deck in use, the card readers, and the cards that were read while they were dealt.
#[derive(Debug, Default)]
pub(super) struct SessionCards {
    /// The deck in use and the card readers; `None` if no deck is in use.
    readers: Option<Readers>,
    /// The cards of the current deal; `None` if cards are not read while they are dealt.
    dealing: Option<Dealing>,
    /// The cards of a game whose moves use up cards.
    laying: LaidCards,
    /// The player whose own card is awaited, because he wants to agree that sealed cards are shown.
    agreeing: Option<Color>,
    /// The numbers of record lines on which a player turned over a card that was not dealt to that player. Only lines
    /// that were already announced are in this set, so that none is announced twice.
    contradicted: BTreeSet<u32>,
}

/// The input that has to be entered because of a card on a reader.
#[derive(Debug)]
pub(super) enum CardAction {
    /// Enter the `reveal` of the card, or the `consent` of the player whose card it is.
    Enter(Input),
    /// Enter the `deal` that the card has completed.
    Deal(Input),
}

/// The side that must turn a card over now, if any.
pub(crate) fn turns_over(table: &Table) -> Option<Color> {
    table.legal().iter().find(|legal| legal.verb() == Some(Verb::Reveal)).and_then(LegalInput::by)
}

impl SessionCards {
    // ---- the deck and the readers ----

    pub(super) fn use_deck(&mut self, deck: Deck) {
        self.laying = LaidCards::default();
        self.readers = Some(Readers::new(deck));
    }

    pub(super) fn mend_deck(&mut self, deck: Deck) {
        if let Some(readers) = &mut self.readers {
            readers.deck = deck;
        }
    }

    pub(super) fn put_deck_away(&mut self) {
        (self.readers, self.dealing, self.laying) = (None, None, LaidCards::default());
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

    pub(super) fn connected(&mut self, place: ReaderDevice, at: Instant) {
        if let Some(readers) = &mut self.readers {
            readers.connected(place, at);
        }
    }

    // ---- what comes in ----

    /// Handles an event from the card readers at this moment. Returns the input that has to be entered, if any.
    pub(super) fn hear(
        &mut self,
        event: &CardEvent,
        at: Instant,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        let readers = self.readers.as_mut()?;
        match event {
            CardEvent::Connected(reader) => {
                readers.came(reader);
                speech.say(say!(
                    "reader-came",
                    "a card reader is connected: {reader}",
                    reader = reader.to_string()
                ));
            }
            CardEvent::Disconnected(reader) => {
                readers.gone(reader);
                speech.say(say!(
                    "reader-gone",
                    "the card reader {reader} is gone: plug it in again, or type the cards",
                    reader = reader.to_string()
                ));
            }
            CardEvent::Tapped(CardTap { reader, uid, content }) => {
                return self.tapped(Some(reader), (*uid, content), at, table, speech);
            }
            CardEvent::Present(_) => self.card_lies(table, speech),
            CardEvent::Unreadable { why, .. } => {
                speech.say(say!("card-unreadable", "card reader: {error}", error = why.to_string()));
            }
            CardEvent::Problem(error) => {
                speech.say(say!("readers-trouble", "card readers: {error}", error = error.to_string()));
            }
            CardEvent::ProblemOver(_) => speech.say(say!("readers-back", "the card readers work again")),
            CardEvent::Ready if readers.none_there() => speech.say(say!(
                "readers-none",
                "no card reader is connected: plug one in at any time, or type the cards"
            )),
            CardEvent::Ready => speech.say(say!("readers-ready", "cards are read from now on")),
            // Cards are written only by `tabiya deck` and the Decks page, so a match ignores these events.
            CardEvent::Lifted(_)
            | CardEvent::Written(_)
            | CardEvent::Locked(_)
            | CardEvent::NotWritten { .. } => {}
        }
        None
    }

    /// If a card is expected now, announces that the card which was on the reader from the beginning is ignored.
    fn card_lies(&self, table: &Table, speech: &mut Speech) {
        if turns_over(table).or(laying::layer(table)).is_some() || self.deals_now(table) {
            speech.say(say!(
                "card-lies",
                "a card is already on the reader: remove it, then lay down the card that is dealt or turned over"
            ));
        }
    }

    /// Handles a change of the tag on a reader that is built into the board or the box. Returns the input that has to
    /// be entered, if any.
    pub(super) fn tag(
        &mut self,
        reader: BuiltInReader,
        news: &TagChange,
        at: Instant,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        match self.readers.as_mut()?.tag(reader, news, at) {
            TagReport::Laid(uid, content) => return self.tapped(None, (uid, &content), at, table, speech),
            TagReport::Lies => self.card_lies(table, speech),
            TagReport::Nothing => {}
        }
        match news {
            TagChange::Several => {
                speech.say(say!(
                    "cards-several",
                    "several cards are on the reader: lay down one card at a time"
                ));
            }
            TagChange::NoReader => speech.say(say!(
                "reader-silent",
                "the self-built card reader does not answer: check its wires, and type the cards"
            )),
            TagChange::Here { .. } | TagChange::Gone { .. } | TagChange::Empty => {}
        }
        None
    }

    /// Handles a card laid on a reader; `reader` is `None` for a reader built into the board or the box.
    fn tapped(
        &mut self,
        reader: Option<&ReaderName>,
        (uid, content): (Uid, &TagContent),
        at: Instant,
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
        if let Some(by) = self.agreeing.filter(|_| table.match_over()) {
            return self.agrees(by, face, table, speech);
        }
        if laying::uses_cards_up(table) {
            let owner = self.layer(reader, table);
            let laid = self.laying.laid((face, at), owner, self.dealing.is_some(), table);
            return wanted(laid, speech);
        }
        if self.deals_now(table) {
            return self.dealt(reader, face, table, speech);
        }
        if self.dealing.as_ref().is_some_and(|dealing| dealing.was_just_dealt(face)) {
            speech.say(laying::read_once_more());
            return None;
        }
        let (turn, deals) = (turns_over(table), self.dealing.is_some());
        let of = match reader.zip(self.readers.as_mut()) {
            Some((reader, readers)) => readers.owner_in_turn(reader, turn.map(|by| table.seat_of(by)), deals),
            None => Owner::Both,
        };
        self.turned_over(of, face, turn, table, speech)
    }

    /// Handles a card of the deck that was laid on a reader whose owner is `of`. `turn` is the side that must turn a
    /// card over now; the card counts as turned over by that side. If `turn` is `None` or the reader is the dealer's,
    /// the card is ignored, and an announcement says so.
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
                    "a card was laid on the reader, but no card is to be dealt or turned over now: nothing was logged; if this card was dealt, declare the deal `fouled` with a reason"
                )
            } else {
                say!(
                    "card-not-now",
                    "a card was laid on the reader, but no card is to be turned over now: nothing was logged"
                )
            });
            return None;
        };
        if let Owner::Seat(seat) = of
            && seat != table.seat_of(by)
        {
            speech.say(say!(
                "card-other-turn",
                "a card was laid on the other player's reader: it is {by}'s turn to turn a card over; nothing was logged",
                by = by
            ));
            return None;
        }
        // Only pieces are turned over, and only in a game with cards.
        let card = face.shows().piece().filter(|_| table.game().cards().is_some())?;
        if was_turned_over(card, face.copy(), table) {
            speech.say(say!(
                "card-twice",
                "exactly this {card} was turned over before in this game: compare both cards; if one has a copied chip, the deck is fouled",
                card
            ));
            return None;
        }
        let reveal = Reveal { by, card, read: Some(true), copy: Some(face.copy().into()) };
        Some(CardAction::Enter(Action::Reveal(reveal).into()))
    }

    /// Waits for a card of this player, who wants to agree that sealed cards are shown. `false` if no card can be
    /// awaited now: no deck is in use, the match is not over, or its last cards were dealt before it was carried on.
    pub(super) fn await_own_card(&mut self, by: Color, table: &Table) -> bool {
        let dealt = !self.received(table).is_empty();
        let can = self.readers.is_some() && table.match_over() && dealt;
        self.agreeing = can.then_some(by);
        can
    }

    /// The cards that each player got in the last game, as readers saw them.
    pub(super) fn received(&self, table: &Table) -> Vec<(Color, Face)> {
        let dealt = self.dealing.as_ref().map(|dealing| dealing.received(table)).unwrap_or_default();
        dealt.into_iter().chain(self.laying.received(table)).collect()
    }

    /// Who lays a card on this reader, in a game whose moves use up cards. A reader that belongs to nobody becomes the
    /// reader of the player whose turn it is; `None` is a reader built into the board or the box.
    fn layer(&mut self, reader: Option<&ReaderName>, table: &Table) -> Owner {
        let turn = laying::layer(table).map(|by| table.seat_of(by));
        match reader.zip(self.readers.as_mut()) {
            Some((reader, readers)) => readers.owner_in_turn(reader, turn, self.dealing.is_some()),
            None => Owner::Both,
        }
    }

    /// Handles a card that was laid down to agree. A player's card is the very one that was dealt to him in the last game:
    /// another one of the same face lies in the rest of the deck, where anybody can take it.
    fn agrees(&mut self, by: Color, face: Face, table: &Table, speech: &mut Speech) -> Option<CardAction> {
        if !self.received(table).contains(&(by, face)) {
            speech.say(say!(
                "consent-other-card",
                "this card does not show that {by} agrees: lay down a card that was dealt to {by} in the last game",
                by
            ));
            return None;
        }
        self.agreeing = None;
        Some(CardAction::Enter(Input::Common(Common::Consent(by))))
    }

    // ---- cards that are dealt ----

    pub(super) fn read_deals(&mut self) {
        self.laying.misdeal();
        self.dealing = Some(Dealing::default());
    }

    pub(super) fn reads_deals(&self) -> bool {
        self.dealing.is_some()
    }

    /// Whether a card that is laid on a reader at this point counts as dealt, not as turned over.
    pub(super) fn deals_now(&self, table: &Table) -> bool {
        let deals = table.legal().iter().any(|legal| legal.verb() == Some(Verb::Deal));
        (self.dealing.is_some() && deals) || laying::deals_now(table)
    }

    /// Handles a card of the deck that is laid on a reader while it is dealt; `reader` is `None` for a reader built
    /// into the board or the box.
    fn dealt(
        &mut self,
        reader: Option<&ReaderName>,
        face: Face,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<CardAction> {
        let dealing = self.dealing.as_mut()?;
        let due = match dealing.recipient(face, table) {
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
        dealing.add_card(Some(face), table, speech).map(CardAction::Deal)
    }

    /// Counts a dealt card that no reader has read; its face stays unknown.
    pub(super) fn dealt_unread(&mut self, table: &Table, speech: &mut Speech) -> Option<CardAction> {
        let due = self.deals_now(table);
        if due && laying::uses_cards_up(table) {
            let dealt = self.laying.dealt(None, Owner::Both, self.dealing.is_some(), table);
            return wanted(dealt, speech);
        }
        match &mut self.dealing {
            Some(dealing) if due => dealing.add_card(None, table, speech).map(CardAction::Deal),
            _ => {
                let prompt = table.prompt();
                speech.say(say!(
                    "unread-nothing",
                    "no card is being dealt over a reader now; {prompt}",
                    prompt
                ));
                None
            }
        }
    }

    /// Discards the cards that were read in the deal of this street, because a card was exposed or dealt to the wrong
    /// player. If the owners of the readers were learned from these cards, the owners are forgotten, too.
    pub(super) fn misdeal(&mut self, table: &Table, speech: &mut Speech) {
        let readers = &mut self.readers;
        let was_read = self.dealing.as_mut().is_some_and(|dealing| {
            let (was_read, taught) = dealing.discard_street(table);
            if taught {
                readers.iter_mut().for_each(Readers::forget_owners);
            }
            was_read
        });
        let was_read = self.laying.misdeal() || was_read;
        speech.say(if was_read {
            say!("misdealt", "the cards that were read in this street are discarded: deal the street again, in order")
        } else {
            say!(
                "misdeal-nothing",
                "no card of this street has been read yet; take a recorded deal back with `undo`, or declare a wrong deal `fouled` with a reason"
            )
        });
    }

    /// Completes a `deal` that was entered without cards: adds the cards that the readers have read. Cards that no
    /// reader has read stay unknown. `None` if the input is not a `deal` without cards, or if no card was read.
    pub(super) fn with_cards_read(&mut self, input: &Input, table: &Table) -> Option<Input> {
        if let Some(deal) = self.dealing.as_ref().and_then(|_| self.laying.with_cards_read(input, table)) {
            return Some(deal);
        }
        let Input::Game(Action::Deal(told)) = input else { return None };
        let nothing_told = *told == DealtCards::default();
        self.dealing.as_mut().filter(|_| nothing_told)?.cards_read(table)
    }

    /// An input was refused. If it was the line of a card, that card is nowhere else now.
    pub(super) fn refused(&mut self) {
        self.laying.refused();
    }

    /// Whether this input is the deal of a game whose moves use up cards.
    pub(super) fn all_read(input: &Input) -> Option<Sentence> {
        matches!(input, Input::Game(Action::Own(own)) if own.begins_deal()).then(laying::all_read)
    }

    /// Takes note of a recorded line. The cards of a recorded `deal` cannot be dealt again in the same game.
    pub(super) fn follow(&mut self, line: u32, body: &Body) {
        let Body::Acted(input) = body else { return };
        self.laying.follow(line, input);
        if let Some(dealing) = &mut self.dealing {
            dealing.follow(line, input);
        }
    }

    /// Announces each card that a player turned over although the card was not dealt to that player. At events the
    /// arbiter is informed at once; in casual play everybody is informed after the game (`over`).
    pub(super) fn announce_undealt_cards(&mut self, over: bool, table: &Table, speech: &mut Speech) {
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
                        "according to the card reader, the card that {by} turned over (line {line} of the record) was not dealt to {by}",
                        by,
                        line
                    ),
                );
            }
        }
    }
}

/// Whether exactly this card was already turned over in the current game, and was read by a reader at that time.
fn was_turned_over(card: Card, copy: u8, table: &Table) -> bool {
    let games = table.actions_by_game();
    games.last().into_iter().flatten().any(|(_, action)| match action {
        Action::Reveal(reveal) => reveal.card == card && reveal.copy == Some(copy.into()),
        _ => false,
    })
}

/// What has to be entered because of a card that was laid; what is only told is told.
fn wanted(laid: Result<LaidMeaning, Sentence>, speech: &mut Speech) -> Option<CardAction> {
    match laid {
        Ok(LaidMeaning::Enter(action)) => return Some(CardAction::Enter(action.into())),
        Ok(LaidMeaning::Deal(action)) => return Some(CardAction::Deal(action.into())),
        Ok(LaidMeaning::Told(told)) | Err(told) => speech.say(told),
    }
    None
}

/// Announces why dealt cards stay sealed; does nothing for `None`.
pub(super) fn tell_closed(why: Option<&KeyError>, speech: &mut Speech) {
    if let Some(error) = why {
        let error = error.to_string();
        speech.say(say!(
            "cards-closed",
            "cards that were dealt stay sealed: {error}; play goes on without these cards",
            error
        ));
    }
}
