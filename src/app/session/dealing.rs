//! Cards that are dealt over a reader: each is laid on it for a moment on its way to its player. What they are goes
//! into the record's sealed deal, and nowhere else: nothing that is said here names a face.
//!
//! Sources: rules, the deal's order; ruling 16 in `docs/rules.md`; record, `deal` and "Secrets".

use super::cards::Readers;
use super::{Owner, Session};
use crate::store::journal::vault::KeyError;
use tabiya_cards::ReaderName;
use tabiya_cards::deck::Face;
use tabiya_engine::record::Body;
use tabiya_engine::record::chain::SEALS;
use tabiya_engine::record::secrets::GameCards;
use tabiya_engine::rules::{Action, Dealt, DealtCards, Verb};
use tabiya_engine::table::{Audience, Input, Ruling, Table, Voice};
use tabiya_types::{Color, Instant, Sentence, say};

/// A street of a game: the game's number in its match, and the street's in its game, both from 0.
type Street = (usize, usize);

/// The cards of the street that is being dealt, and those that were dealt.
#[derive(Debug, Default)]
pub(super) struct Dealing {
    street: Street,
    /// In the order dealt; `None` is a card that could not be read.
    cards: Vec<Option<Face>>,
    /// Where the first of them was laid.
    first_on: Option<ReaderName>,
    /// Whether this street told whose the readers are.
    taught: bool,
    /// What was dealt, each card with the line of its `deal`. Which of the lines count the table knows.
    before: Vec<(u32, Face)>,
    /// The card that completed the deal, until something else happens: lifted slowly, it may be read twice.
    just_dealt: Option<Face>,
}

impl Dealing {
    /// Looks at the street that is due now: cards of another one are of no use any more.
    fn turn_to(&mut self, street: Street) {
        if self.street != street {
            *self = Self { street, before: std::mem::take(&mut self.before), ..Self::default() };
        }
    }

    /// The cards by whom they were dealt to.
    fn by_color(&self, order: &[Color]) -> DealtCards {
        let face = |nth: usize| self.cards.get(nth).copied().flatten();
        DealtCards::new(|color| {
            let cards = order.iter().enumerate().filter(|(_, due)| **due == color);
            Some(cards.map(|(nth, _)| Dealt(face(nth).map(Face::card))).collect())
        })
    }
}

/// The street whose cards are due.
fn street(table: &Table) -> Street {
    let games = table.actions_by_game();
    let last = games.last().map(Vec::as_slice).unwrap_or_default();
    if last.last().is_some_and(|(_, action)| matches!(action, Action::Fouled { .. })) {
        return (games.len(), 0);
    }
    (games.len().saturating_sub(1), last.iter().filter(|(_, action)| is_deal(action)).count())
}

fn is_deal(action: &Action) -> bool {
    matches!(action, Action::Deal(_))
}

/// Whose each card of the street is that is due; empty where none is.
fn deal_order(table: &Table) -> &'static [Color] {
    table.game().cards().map_or(&[], |cards| cards.deal_order())
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
        self.dealing.is_some() && self.table().legal().iter().any(|legal| legal.verb() == Some(Verb::Deal))
    }

    /// Whether this is the card that completed the deal, and nothing has happened since.
    pub(super) fn was_just_dealt(&self, face: Face) -> bool {
        self.dealing.as_ref().is_some_and(|dealing| dealing.just_dealt == Some(face))
    }

    /// Whether this card was dealt before in this game.
    fn was_dealt(&self, face: Face) -> bool {
        let Some(dealing) = &self.dealing else { return false };
        let games = self.table().actions_by_game();
        let this = games.last().map(Vec::as_slice).unwrap_or_default();
        let fouled = this.last().is_some_and(|(_, action)| matches!(action, Action::Fouled { .. }));
        let counts = |of: u32| !fouled && this.iter().any(|(line, action)| *line == of && is_deal(action));
        dealing.cards.contains(&Some(face))
            || dealing.before.iter().any(|(line, before)| *before == face && counts(*line))
    }

    /// A card of the deck was laid on this reader, or behind a board, on its way to its player.
    pub(super) fn dealt(&mut self, reader: Option<&ReaderName>, face: Face, at: Instant) {
        let (order, street) = (deal_order(self.table()), street(self.table()));
        let Some(dealing) = &mut self.dealing else { return };
        dealing.turn_to(street);
        if self.was_dealt(face) {
            self.say(say!(
                "deal-twice",
                "this card was dealt before in this game: lay down the next one, or begin the street anew with `misdeal`"
            ));
            return;
        }
        let nth = self.dealing.as_ref().map_or(0, |dealing| dealing.cards.len());
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
        let due = self.deals_now();
        let (order, street) = (deal_order(self.table()), street(self.table()));
        match &mut self.dealing {
            Some(dealing) if due => {
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
        if nth + 1 < order.len() {
            return;
        }
        let inputs = [Action::Deal(DealtCards::default()).into()];
        if let Some(wait) = self.hold(&inputs) {
            self.say_to(self.table().audience_of_faults(), wait);
            return;
        }
        if let Err(fault) = inputs.iter().try_for_each(|input| self.enter(input, at)) {
            self.say_to(self.audience_of(&fault), fault.sentence());
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
            dealing.taught |= readers.two_were_dealt((&first, seat.other()), (reader, seat));
        }
        match readers.owner(reader) {
            Owner::Seat(owner) if owner != seat => Err(say!(
                "deal-order",
                "a card was laid on the other player's reader, but the next one is {by}'s: nothing was logged; `misdeal` begins the street anew",
                by = due
            )),
            Owner::Seat(_) | Owner::Nobody if readers.dealer_is_another(reader) => Err(say!(
                "deal-other-reader",
                "a card was laid on another reader than the dealer's: nothing was logged"
            )),
            Owner::Seat(_) | Owner::Nobody | Owner::Dealer | Owner::Both => Ok(()),
        }
    }

    /// The cards of this street that were read so far count for nothing: a card was exposed, or dealt to the wrong
    /// player. What they told of the readers counts for nothing either.
    pub fn misdeal(&mut self) {
        let street = street(self.table());
        let was_read = self.dealing.as_mut().is_some_and(|dealing| {
            dealing.turn_to(street);
            if std::mem::take(&mut dealing.taught) {
                self.readers.iter_mut().for_each(Readers::forget_owners);
            }
            dealing.first_on = None;
            !std::mem::take(&mut dealing.cards).is_empty()
        });
        self.say(if was_read {
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
        let Input::Game(Action::Deal(told)) = input else { return None };
        let (order, street) = (deal_order(self.table()), street(self.table()));
        let nothing_told = *told == DealtCards::default();
        let dealing = self.dealing.as_mut().filter(|_| nothing_told)?;
        dealing.turn_to(street);
        if dealing.cards.iter().all(Option::is_none) {
            return None;
        }
        Some(Action::Deal(dealing.by_color(order)).into())
    }

    /// Something stands on the record: a deal, whose cards cannot come again in its game, or anything else.
    pub(super) fn follow_deals(&mut self, line: u32, body: &Body) {
        let (Some(dealing), Body::Acted(input)) = (&mut self.dealing, body) else { return };
        dealing.just_dealt = None;
        if let Input::Game(Action::Deal(_)) = input {
            let cards = std::mem::take(&mut dealing.cards);
            dealing.just_dealt = cards.last().copied().flatten();
            dealing.before.extend(cards.into_iter().flatten().map(|face| (line, face)));
        }
    }

    /// The arbiter opens the sealed cards of a game, for his own view: the ruling says so in the record, and whoever
    /// has the record's file and its key looks at them there. Without a number it is the last game that has any.
    pub fn open_sealed(&mut self, game: Option<u64>, reason: &str, at: Instant) {
        let sealed = self.sealed_games();
        let game = game.or(sealed.last().copied()).filter(|game| sealed.contains(game));
        let Some(game) = game else {
            self.say_to(
                self.table().audience_of_faults(),
                say!("open-nothing", "no dealt card is known there, so that there is nothing to open"),
            );
            return;
        };
        self.opening = Some(game);
        let entered = self.enter(&Ruling::because(reason).into(), at);
        self.opening = None;
        match entered {
            Ok(()) => self.say_to(
                Audience::Arbiter,
                say!("cards-opened", "the sealed cards of game {game} may be looked at: `tabiya hands` with the record's file, where no player sees it", game),
            ),
            Err(fault) => self.say_to(self.audience_of(&fault), fault.sentence()),
        }
    }

    /// The games whose deal a reader saw, counted from 1, whether their cards can be opened here or not.
    fn sealed_games(&self) -> Vec<u64> {
        let sealed = |line: u32| {
            let index = usize::try_from(line).ok().and_then(|line| line.checked_sub(2));
            let line = index.and_then(|index| self.lines.get(index));
            line.is_some_and(|line| line.own.contains_key(SEALS))
        };
        let cards = GameCards::of_games(self.table());
        let games = (1..).zip(self.table().actions_by_game()).zip(cards);
        games
            .filter(|((_, actions), cards)| {
                cards.any_known() || actions.iter().any(|(line, _)| sealed(*line))
            })
            .map(|((number, _), _)| number)
            .collect()
    }

    /// Why cards that were dealt stay closed, if they do.
    pub fn tell_closed(&mut self, why: Option<&KeyError>) {
        if let Some(error) = why {
            let error = error.to_string();
            self.say(say!(
                "cards-closed",
                "cards that were dealt stay sealed: {error}; play goes on without them",
                error
            ));
        }
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
