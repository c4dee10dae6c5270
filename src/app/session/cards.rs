//! Cards that were laid on a reader: what is turned over in placement is logged by itself.
//!
//! Source: record, `reveal` (`how`, `copy`); ruling 16 in `docs/rules.md`; the checks of `docs/cards.md`. A card that comes
//! at another time stays hidden: no sentence says which it was.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Fault, Session};
use crate::app::words::{self, turns_over};
use crate::clock::Instant;
use crate::devices::TagNews;
use crate::devices::cards::deck::{CardFault, Deck, Face};
use crate::devices::cards::{CardEvent, Content, ReaderName, Tap, Uid, ndef};
use crate::rules::{Color, Seat, say};
use crate::table::{Common, Input};

/// The deck in play and the readers it is read with.
#[derive(Debug)]
pub(super) struct Readers {
    deck: Deck,
    /// The readers that are there, and whose each is, as far as taps have told.
    there: BTreeMap<ReaderName, Option<Seat>>,
    /// What lay last on each reader behind a board or in a box: those tell everything anew with each connection.
    behind: BTreeMap<Behind, Uid>,
}

/// A reader that is no PC/SC reader, by its number in the device that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Behind {
    /// The board's own.
    Board(u8),
    /// One in the box beside the board.
    Box(u8),
}

impl Readers {
    /// Whose reader this is. One alone is shared; of several, one becomes a player's by the first card of the deck that
    /// is laid on it in his turn, and the other of two is then his opponent's.
    fn owner(&mut self, reader: &ReaderName, turn: Option<Seat>) -> Option<Seat> {
        if self.there.len() < 2 {
            return None;
        }
        let taken = |seat: Seat| self.there.values().any(|owner| *owner == Some(seat));
        if let (None, Some(seat)) =
            (self.there.get(reader).copied().flatten(), turn.filter(|seat| !taken(*seat)))
        {
            self.there.insert(reader.clone(), Some(seat));
            let others: Vec<ReaderName> =
                self.there.keys().filter(|other| *other != reader).cloned().collect();
            if let [other] = others.as_slice() {
                self.there.insert(other.clone(), Some(seat.other()));
            }
        }
        self.there.get(reader).copied().flatten()
    }
}

impl Session {
    /// From now on cards of this deck are known by their chips.
    pub fn use_deck(&mut self, deck: Deck) {
        self.readers = Some(Readers { deck, there: BTreeMap::new(), behind: BTreeMap::new() });
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
                self.say(say!(
                    "reader-gone",
                    "the card reader {reader} is gone: plug it in again, or type the cards",
                    reader = reader.to_string()
                ));
            }
            CardEvent::Tapped(Tap { reader, uid, content }) => self.tapped(Some(reader), *uid, content, at),
            CardEvent::Lying(_) => {
                if turns_over(self.table()).is_some() {
                    self.say(say!(
                        "card-lies",
                        "a card lies on the reader already: lift it, and lay down the one that is turned over"
                    ));
                }
            }
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
            CardEvent::Lifted(_) | CardEvent::Written(_) | CardEvent::NotWritten { .. } => {}
        }
    }

    /// What lies on a reader behind a board or in a box.
    pub(super) fn tag(&mut self, reader: Behind, news: &TagNews, at: Instant) {
        let Some(readers) = &mut self.readers else { return };
        match news {
            TagNews::Here { uid, ndef } => {
                let Ok(uid) = Uid::new(uid) else { return };
                if readers.behind.insert(reader, uid) == Some(uid) {
                    return;
                }
                let content = ndef.as_deref().map_or(Content::Closed, ndef::content_of_message);
                self.tapped(None, uid, &content, at);
            }
            TagNews::Gone { .. } | TagNews::Empty => {
                readers.behind.remove(&reader);
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
        let of =
            reader.zip(self.readers.as_mut()).and_then(|(reader, readers)| readers.owner(reader, turn_of));
        if let Err(fault) = self.card(of, face, turn, at) {
            self.tell_failure(&fault);
        }
    }

    /// A card of the deck was laid on this player's reader, or on one that both share. `turn` is who is to turn one
    /// over: by him it is; without one people are told that it counts for nothing. On `Err` nothing was taken.
    fn card(&mut self, of: Option<Seat>, face: Face, turn: Option<Color>, at: Instant) -> Result<(), Fault> {
        let Some(by) = turn else {
            self.say(say!(
                "card-not-now",
                "a card was laid on the reader, but none is to be turned over now: nothing was logged"
            ));
            return Ok(());
        };
        if of.is_some_and(|seat| seat != self.table().seat_of(by)) {
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
        let line = json!({"do": "reveal", "by": by.word(), "card": face.card().letter().to_string(), "how": "read", "copy": face.copy()});
        match words::read_line(line, self.replay().header()) {
            Ok(input) => self.enter(&input, at),
            // The game knows no cards; then none is to be turned over either.
            Err(_) => Ok(()),
        }
    }

    /// Whether this very card was read in this game already.
    fn was_turned_over(&self, read: Face) -> bool {
        let mut before = false;
        for (_, input) in self.table().counted() {
            match input {
                Input::Common(Common::Next(_)) => before = false,
                Input::Game(action) if action.verb() == "fouled" => before = false,
                Input::Game(action) if action.verb() == "reveal" => {
                    let mut fields = Map::new();
                    action.fields(&mut fields);
                    let face = fields.get("card").and_then(Value::as_str);
                    let same = fields.get("copy").and_then(Value::as_u64) == Some(u64::from(read.copy()));
                    before |= same && face == Some(read.card().letter().to_string().as_str());
                }
                Input::Common(_) | Input::Game(_) => {}
            }
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::BoardEvent;
    use crate::devices::cards::CardId;
    use crate::devices::cards::deck::DeckCard;
    use crate::devices::link::LinkError;
    use crate::record::Header;
    use crate::rules::{Board, Card, GAMES};
    use crate::sense::Observation;

    const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":200,"B":200},"small_blind":1}}"#;
    /// The betting, up to the first card that is turned over.
    const BETTING: [&str; 9] =
        ["deal", "raise 6", "call", "deal", "check", "check", "deal", "check", "check"];

    fn typed(session: &mut Session, text: &str) {
        let order =
            words::read(text, session, Instant::ZERO).unwrap_or_else(|error| panic!("{text}: {error}"));
        let words::Order::Do(inputs) = order else { panic!("{text} is no input") };
        for input in inputs {
            session.enter(&input, Instant::ZERO).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        }
        session.take_said();
    }

    fn placing() -> Session {
        let mut session = Session::new(Header::parse(HEADER, GAMES).expect("a header"), None, None);
        for text in BETTING {
            typed(&mut session, text);
        }
        session
    }

    fn laid(session: &mut Session, seat: Option<Seat>, card: Card, copy: u8) -> String {
        session.take_said();
        let (face, turn) = (Face::new(card, copy).expect("a face"), turns_over(session.table()));
        session.card(seat, face, turn, Instant::ZERO).expect("it is taken");
        session.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("; ")
    }

    fn last(session: &Session) -> String {
        session.lines().last().expect("a line").to_string()
    }

    #[test]
    fn a_card_that_is_laid_down_is_turned_over_by_whose_turn_it_is() {
        let mut session = placing();
        laid(&mut session, None, Card::Queen, 3);
        assert!(last(&session).contains(r#""do":"reveal","by":"white","card":"Q","how":"read","copy":3"#));
        typed(&mut session, "Q d1");
        typed(&mut session, "press white");
        laid(&mut session, Some(Seat::B), Card::Rook, 1);
        assert!(last(&session).contains(r#""by":"black","card":"R","how":"read","copy":1"#));
    }

    #[test]
    fn a_card_at_another_time_stays_hidden() {
        let mut session = Session::new(Header::parse(HEADER, GAMES).expect("a header"), None, None);
        let told = laid(&mut session, None, Card::Queen, 1);
        assert!(told.contains("nothing was logged") && !told.to_lowercase().contains("queen"), "{told}");
        assert!(session.lines().is_empty());
        let mut session = placing();
        let before = last(&session);
        let told = laid(&mut session, Some(Seat::B), Card::Queen, 1);
        assert!(told.contains("White's turn") && !told.to_lowercase().contains("queen"), "{told}");
        assert_eq!(last(&session), before);
    }

    #[test]
    fn the_same_card_twice_in_a_game_is_told_and_not_logged() {
        let mut session = placing();
        laid(&mut session, None, Card::Queen, 3);
        typed(&mut session, "Q d1");
        typed(&mut session, "press white");
        let before = last(&session);
        let told = laid(&mut session, None, Card::Queen, 3);
        assert!(told.contains("was turned over before"), "{told}");
        assert_eq!(last(&session), before);
        laid(&mut session, None, Card::Queen, 4);
        assert!(last(&session).contains(r#""by":"black","card":"Q","how":"read","copy":4"#));
    }

    /// A deck of adopted cards: Q1 has chip 1, Q2 chip 2 and so on.
    fn adopted() -> Deck {
        let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
        let card = |(nth, (card, copy)): (u8, (Card, u8))| DeckCard {
            uid: Uid::new(&[4, 0, 0, nth]).expect("four bytes"),
            id: None,
            face: Face::new(card, copy).expect("a face"),
        };
        let cards = (1..).zip(faces).map(card).collect();
        Deck::new(CardId([1; 16]), "Club", "2026-10-03", cards).expect("a deck")
    }

    fn tap(reader: &str, nth: u8) -> CardEvent {
        let uid = Uid::new(&[4, 0, 0, nth]).expect("four bytes");
        CardEvent::Tapped(Tap { reader: reader.into(), uid, content: Content::Empty })
    }

    #[test]
    fn of_two_readers_each_becomes_a_players_by_his_first_card() {
        let mut session = placing();
        session.use_deck(adopted());
        for reader in ["left", "right"] {
            session.cards(&CardEvent::Came(reader.into()), Instant::ZERO);
        }
        session.take_said();
        session.cards(&tap("right", 1), Instant::ZERO);
        assert!(last(&session).contains(r#""by":"white","card":"Q","how":"read","copy":1"#));
        typed(&mut session, "Q d1");
        typed(&mut session, "press white");
        let before = last(&session);
        session.cards(&tap("right", 2), Instant::ZERO);
        let told: Vec<_> = session.take_said().into_iter().map(|said| said.text.to_string()).collect();
        assert!(told.concat().contains("it is Black's turn") && last(&session) == before, "{told:?}");
        session.cards(&tap("left", 2), Instant::ZERO);
        assert!(last(&session).contains(r#""by":"black","card":"Q","how":"read","copy":2"#));
    }

    #[test]
    fn a_card_on_a_reader_behind_a_board_is_turned_over_once() {
        let mut session = placing();
        session.use_deck(adopted());
        let here = BoardEvent::Tag {
            antenna: 0,
            tag: TagNews::Here { uid: vec![4, 0, 0, 5], ndef: Some(Vec::new()) },
        };
        session.board(&here, Instant::ZERO);
        assert!(
            last(&session).contains(r#""by":"white","card":"R","how":"read","copy":1"#),
            "{}",
            last(&session)
        );
        typed(&mut session, "R a1");
        typed(&mut session, "press white");
        // The board was connected again and tells what lies there.
        let lines = session.lines().len();
        session.board(&here, Instant::ZERO);
        assert_eq!(session.lines().len(), lines);
    }

    #[test]
    fn a_box_beside_the_board_tells_cards_and_presses_and_no_squares() {
        let mut session = placing();
        session.use_deck(adopted());
        let here = BoardEvent::Tag {
            antenna: 0,
            tag: TagNews::Here { uid: vec![4, 0, 0, 1], ndef: Some(Vec::new()) },
        };
        session.beside(&here, Instant::ZERO);
        assert!(last(&session).contains(r#""by":"white","card":"Q","how":"read","copy":1"#));
        // What stands on squares of its own is nobody's business.
        let lines = session.lines().len();
        session.beside(&BoardEvent::Observed(Observation::Whole(Board::EMPTY)), Instant::ZERO);
        assert!(session.watch().seen().is_none());
        assert_eq!(session.lines().len(), lines);
        typed(&mut session, "Q d1");
        session.beside(&BoardEvent::Observed(Observation::Press(Color::White)), Instant::ZERO);
        assert!(last(&session).contains(r#""do":"press","by":"white""#), "{}", last(&session));
        session.take_said();
        let lost = LinkError::Silent { port: "/dev/ttyACM1".to_owned() };
        session.beside(&BoardEvent::Lost(lost), Instant::ZERO);
        let told = session.take_said();
        assert_eq!(told.len(), 1);
        assert!(told[0].text.to_string().starts_with("the box beside the board is gone: "), "{told:?}");
        typed(&mut session, "R");
        assert!(last(&session).contains(r#""do":"reveal","by":"black","card":"R""#), "{}", last(&session));
    }
}
