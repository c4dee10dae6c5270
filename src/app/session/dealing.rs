//! Cards that are dealt over a reader: each is laid on it for a moment on its way to its player. What they are goes
//! into the record's sealed deal, and nowhere else: nothing that is said here names a face.
//!
//! Sources: rules, the deal's order; ruling 16 in `docs/rules.md`; record, `deal` and "Secrets".

use serde_json::{Value, json};

use super::Session;
use crate::app::words;
use crate::clock::Instant;
use crate::devices::cards::ReaderName;
use crate::devices::cards::deck::Face;
use crate::record::secrets::GameCards;
use crate::rules::{Color, Sentence, say};
use crate::table::{Audience, Input, Table, Voice};

/// A street of a game: the game's number in its match, and the street's in its game, both from 0.
type Street = (usize, usize);

/// The cards of the street that is being dealt, and those of this game's streets before it.
#[derive(Debug, Default)]
pub(super) struct Dealing {
    street: Street,
    /// In the order dealt; `None` is a card that could not be read.
    cards: Vec<Option<Face>>,
    /// Where the first of them was laid.
    first_on: Option<ReaderName>,
    before: Vec<(Street, Face)>,
}

impl Dealing {
    /// Looks at the street that is due now: cards of another one are of no use any more.
    fn turn_to(&mut self, street: Street) {
        if self.street != street {
            self.cards.clear();
            self.first_on = None;
        }
        self.before.retain(|((game, nth), _)| *game == street.0 && *nth < street.1);
        self.street = street;
    }

    fn has(&self, face: Face) -> bool {
        self.cards.contains(&Some(face)) || self.before.iter().any(|(_, before)| *before == face)
    }

    /// The cards in the record's form, by whom they were dealt to.
    fn by_color(&self, order: &[Color]) -> Value {
        let of = |color: Color| -> Vec<String> {
            let cards = order.iter().enumerate().filter(|(_, due)| **due == color);
            let face = |nth: usize| self.cards.get(nth).copied().flatten();
            cards.map(|(nth, _)| face(nth).map_or('?', |face| face.card().letter()).to_string()).collect()
        };
        json!({"white": of(Color::White), "black": of(Color::Black)})
    }
}

/// The street whose cards are due.
fn street(table: &Table) -> Street {
    let games = table.actions_by_game();
    let last = games.last().map(Vec::as_slice).unwrap_or_default();
    if last.last().is_some_and(|(_, action)| action.verb() == "fouled") {
        return (games.len(), 0);
    }
    (games.len().saturating_sub(1), last.iter().filter(|(_, action)| action.verb() == "deal").count())
}

impl Session {
    /// From now on cards are dealt over a reader, too.
    pub fn read_deals(&mut self) {
        self.dealing = Some(Dealing::default());
    }

    /// Whether cards are dealt over a reader.
    pub fn reads_deals(&self) -> bool {
        self.dealing.is_some()
    }

    /// Whether a card that is laid on a reader now is one that is dealt.
    pub(crate) fn deals_now(&self) -> bool {
        self.dealing.is_some() && !self.table().game().deal_order().is_empty()
    }

    /// A card of the deck was laid on this reader, or behind a board, on its way to its player.
    pub(super) fn dealt(&mut self, reader: Option<&ReaderName>, face: Face, at: Instant) {
        let (order, street) = (self.table().game().deal_order(), street(self.table()));
        let Some(dealing) = &mut self.dealing else { return };
        dealing.turn_to(street);
        if dealing.has(face) {
            self.say(say!(
                "deal-twice",
                "this card was dealt before in this game: lay down the next one, or begin the street anew with `misdeal`"
            ));
            return;
        }
        let nth = dealing.cards.len();
        let Some(due) = order.get(nth).copied() else {
            self.say(say!("deal-surplus", "all cards of this street are dealt already; enter `deal`"));
            return;
        };
        if let Some(reader) = reader
            && let Err(told) = self.is_dealt_to(reader, due, nth)
        {
            self.say(told);
            return;
        }
        self.dealt_one(Some(face), order, at);
    }

    /// A card was dealt that no reader knows.
    pub fn dealt_unread(&mut self, at: Instant) {
        let (order, street) = (self.table().game().deal_order(), street(self.table()));
        match &mut self.dealing {
            Some(dealing) if !order.is_empty() => {
                dealing.turn_to(street);
                self.dealt_one(None, order, at);
            }
            _ => self.say(say!(
                "unread-nothing",
                "no card is dealt over a reader now; {prompt}",
                prompt = self.table().prompt()
            )),
        }
    }

    fn dealt_one(&mut self, card: Option<Face>, order: &'static [Color], at: Instant) {
        let Some(dealing) = &mut self.dealing else { return };
        let nth = dealing.cards.len();
        if let Some(by) = order.get(nth).copied() {
            dealing.cards.push(card);
            let count = order.len();
            self.say(say!("deal-one", "card {nth} of {count} is dealt, to {by}", nth = nth + 1, count, by));
        }
        if nth + 1 >= order.len()
            && let Ok(input) = words::read_line(json!({"do": "deal"}), self.replay().header())
            && let Err(fault) = self.enter(&input, at)
        {
            self.tell_failure(&fault);
        }
    }

    /// Whether this player's next card may be laid on this reader. Of several readers the first two cards tell what
    /// they are: laid on one, it is the dealer's; laid on two, each is its player's.
    fn is_dealt_to(&mut self, reader: &ReaderName, due: Color, nth: usize) -> Result<(), Sentence> {
        let seat = self.table().seat_of(due);
        let (Some(readers), Some(dealing)) = (&mut self.readers, &mut self.dealing) else { return Ok(()) };
        if nth == 0 {
            dealing.first_on = Some(reader.clone());
        }
        if nth == 1
            && let Some(first) = dealing.first_on.clone()
        {
            readers.two_were_dealt((&first, seat.other()), (reader, seat));
        }
        match readers.seat_of(reader) {
            Some(owner) if owner != seat => Err(say!(
                "deal-order",
                "a card was laid on the other player's reader, but the next one is {by}'s: nothing was logged; `misdeal` begins the street anew",
                by = due
            )),
            None if readers.dealer_is_another(reader) => Err(say!(
                "deal-other-reader",
                "a card was laid on another reader than the dealer's: nothing was logged"
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// The cards of this street that were read so far count for nothing: a card was exposed, or dealt to the wrong
    /// player.
    pub fn misdeal(&mut self) {
        let street = street(self.table());
        let dealing = self.dealing.as_mut().map(|dealing| {
            dealing.turn_to(street);
            let read = !dealing.cards.is_empty();
            dealing.cards.clear();
            read
        });
        self.say(if dealing == Some(true) {
            say!("misdealt", "the cards of this street count for nothing: deal them anew, in their order")
        } else {
            say!(
                "misdeal-nothing",
                "no card of this street was read yet; a deal that is recorded is taken back with `undo`, a wrong one is declared with `fouled` and a reason"
            )
        });
    }

    /// A deal that was entered without its cards has those that were read; what was not read nobody knows.
    pub(super) fn with_cards_read(&mut self, input: &Input) -> Option<Input> {
        let Input::Game(action) = input else { return None };
        if action.verb() != "deal" {
            return None;
        }
        let mut fields = serde_json::Map::new();
        action.fields(&mut fields);
        let (order, street) = (self.table().game().deal_order(), street(self.table()));
        let dealing = self.dealing.as_mut().filter(|_| !fields.contains_key("cards"))?;
        dealing.turn_to(street);
        if dealing.cards.iter().all(Option::is_none) {
            return None;
        }
        let cards = dealing.by_color(order);
        words::read_line(json!({"do": "deal", "cards": cards}), self.replay().header()).ok()
    }

    /// A deal is on record: its cards cannot come again in this game.
    pub(super) fn street_is_dealt(&mut self) {
        let Some(dealing) = &mut self.dealing else { return };
        let street = dealing.street;
        let cards = std::mem::take(&mut dealing.cards);
        dealing.before.extend(cards.into_iter().flatten().map(|face| (street, face)));
    }

    /// The arbiter opens this game's sealed cards, for his own view: the ruling says so in the record, and whoever
    /// has the record's file and its key looks at them there.
    pub fn open_sealed(&mut self, reason: &str, at: Instant) -> Result<(), String> {
        if !GameCards::of_last(self.table()).any_known() {
            return Err(
                "no card of this game is known from a reader, so that there is nothing to open".to_owned()
            );
        }
        let ruling = json!({"do": "rule", "by": "arbiter", "reason": reason, "set": {}});
        let input = words::read_line(ruling, self.replay().header())?;
        self.opening = self.table().actions_by_game().len().try_into().ok();
        let entered = self.enter(&input, at);
        self.opening = None;
        entered.map_err(|fault| fault.to_string())?;
        self.say_to(
            Audience::Arbiter,
            say!("cards-opened", "the sealed cards of this game may be looked at: `tabiya hands` with the record's file, where no player sees it"),
        );
        Ok(())
    }

    /// A card that was turned over although it was not dealt: at events the arbiter is told at once, casually
    /// everybody after the game.
    pub(super) fn hold_against_deal(&mut self, over: bool) {
        let event = self.table().terms().voice == Voice::Event;
        if !event && !over {
            return;
        }
        let wrong = GameCards::of_last(self.table()).contradictions();
        for (line, by) in wrong {
            if self.contradicted.insert(line) {
                let to = if event { Audience::Arbiter } else { Audience::Players };
                self.say_to(
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
