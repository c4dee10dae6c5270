//! Cards that are dealt over a reader: each is laid on it for a moment on its way to its player. What they are goes
//! into the record's sealed deal, and nowhere else: nothing that is said here names a face.
//!
//! Sources: rules, the deal's order; ruling 16 in `docs/rules.md`; record, `deal` and "Secrets".

use tabiya_cards::ReaderName;
use tabiya_cards::deck::Face;
use tabiya_engine::record::Line;
use tabiya_engine::record::secrets::GameCards;
use tabiya_engine::rules::{Action, Dealt, DealtCards};
use tabiya_engine::table::{Input, Table};
use tabiya_types::{Color, Seat, Sentence, say};

use super::readers::{Owner, Readers};
use super::speech::Speech;

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
    fn turn_to(&mut self, table: &Table) {
        let street = street(table);
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

    /// Whether this is the card that completed the deal, and nothing has happened since.
    pub(super) fn was_just_dealt(&self, face: Face) -> bool {
        self.just_dealt == Some(face)
    }

    /// Whether this card was dealt before in this game.
    fn was_dealt(&self, face: Face, table: &Table) -> bool {
        let games = table.actions_by_game();
        let this = games.last().map(Vec::as_slice).unwrap_or_default();
        let fouled = this.last().is_some_and(|(_, action)| matches!(action, Action::Fouled { .. }));
        let counts = |of: u32| !fouled && this.iter().any(|(line, action)| *line == of && is_deal(action));
        self.cards.contains(&Some(face))
            || self.before.iter().any(|(line, before)| *before == face && counts(*line))
    }

    /// Whose the card is that was laid down on its way to its player. `Err` says why it is nobody's.
    pub(super) fn due(&mut self, face: Face, table: &Table) -> Result<Color, Sentence> {
        self.turn_to(table);
        if self.was_dealt(face, table) {
            return Err(say!(
                "deal-twice",
                "this card was dealt before in this game: lay down the next one, or begin the street anew with `misdeal`"
            ));
        }
        deal_order(table)
            .get(self.cards.len())
            .copied()
            .ok_or_else(|| say!("deal-surplus", "all cards of this street are dealt already; enter `deal`"))
    }

    /// Whether this player's next card may be laid on this reader. Of several readers the first two cards tell what
    /// they are: laid on one, it is the dealer's; laid on two, each is its player's.
    pub(super) fn is_dealt_to(
        &mut self,
        reader: &ReaderName,
        due: Color,
        seat: Seat,
        readers: &mut Readers,
    ) -> Result<(), Sentence> {
        if self.cards.is_empty() {
            self.first_on = Some(reader.clone());
        }
        if self.cards.len() == 1
            && let Some(first) = &self.first_on
        {
            self.taught |= readers.two_were_dealt((first, seat.other()), (reader, seat));
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

    /// One more card is dealt; `None` is one that no reader knows. With the last one the deal is to be entered.
    pub(super) fn one(&mut self, card: Option<Face>, table: &Table, speech: &mut Speech) -> Option<Input> {
        self.turn_to(table);
        let (order, nth) = (deal_order(table), self.cards.len());
        if let Some(by) = order.get(nth).copied() {
            self.cards.push(card);
            let count = order.len();
            speech.say(say!("deal-one", "card {nth} of {count} is dealt, to {by}", nth = nth + 1, count, by));
        }
        (nth + 1 >= order.len()).then(|| Action::Deal(DealtCards::default()).into())
    }

    /// What was read of this street counts for nothing: whether anything was, and whether it had told whose the
    /// readers are.
    pub(super) fn begin_anew(&mut self, table: &Table) -> (bool, bool) {
        self.turn_to(table);
        self.first_on = None;
        (!std::mem::take(&mut self.cards).is_empty(), std::mem::take(&mut self.taught))
    }

    /// The deal of this street with the cards that were read, if any was.
    pub(super) fn cards_read(&mut self, table: &Table) -> Option<Input> {
        self.turn_to(table);
        if self.cards.iter().all(Option::is_none) {
            return None;
        }
        Some(Action::Deal(self.by_color(deal_order(table))).into())
    }

    /// Something stands on the record: a deal, whose cards cannot come again in its game, or anything else.
    pub(super) fn follow(&mut self, line: u32, input: &Input) {
        self.just_dealt = None;
        if let Input::Game(Action::Deal(_)) = input {
            let cards = std::mem::take(&mut self.cards);
            self.just_dealt = cards.last().copied().flatten();
            self.before.extend(cards.into_iter().flatten().map(|face| (line, face)));
        }
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

/// The games whose deal a reader saw, counted from 1, whether their cards can be opened here or not.
pub(super) fn sealed_games(table: &Table, lines: &[Line]) -> Vec<u64> {
    let sealed = |line: u32| {
        let index = usize::try_from(line).ok().and_then(|line| line.checked_sub(2));
        let line = index.and_then(|index| lines.get(index));
        line.is_some_and(Line::is_sealed)
    };
    let cards = GameCards::of_games(table);
    let games = (1..).zip(table.actions_by_game()).zip(cards);
    games
        .filter(|((_, actions), cards)| cards.any_known() || actions.iter().any(|(line, _)| sealed(*line)))
        .map(|((number, _), _)| number)
        .collect()
}
