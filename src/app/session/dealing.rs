//! Reads cards while they are dealt: each card is laid on a reader for a moment on its way to its player. The faces go
//! only into the record's sealed deal; no message in this file names a face.
//!
//! Sources: `docs/rules.md`, the order of the deal and ruling 16; `docs/record.md`, `deal` and "Secrets".

use tabiya_cards::ReaderName;
use tabiya_cards::deck::Face;
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Action, Dealt, DealtCards, Faces};
use tabiya_engine::table::{Input, Table};
use tabiya_types::{Color, Seat, Sentence, say};

use super::readers::Readers;
use super::speech::Speech;
use crate::view::Owner;

/// A street (one betting round): the number of its game in the match, and the number of the street in that game, both
/// counted from 0.
type Street = (usize, usize);

/// The cards that were read in the street being dealt, and the cards that were dealt before.
#[derive(Debug, Default)]
pub(super) struct Dealing {
    street: Street,
    /// The cards of this street in the order of the deal, each with the colour that received it; `None` is a card that
    /// could not be read.
    cards: Vec<(Color, Option<Face>)>,
    /// The reader on which the street's first card was laid.
    first_on: Option<ReaderName>,
    /// Whether the cards of this street have shown to which player each reader belongs.
    taught: bool,
    /// The cards of earlier deals, each with the number of its `deal` line in the record and the colour that received
    /// it. Some of these lines may have been undone; the table knows which of them are still valid.
    before: Vec<(u32, Color, Face)>,
    /// The card that completed the last deal; `None` after the next input. The card is kept because a card that is
    /// lifted slowly may be read twice.
    just_dealt: Option<Face>,
}

impl Dealing {
    /// Switches to the street that must be dealt now. Cards that were read in another street are forgotten.
    fn turn_to(&mut self, table: &Table) {
        let street = street(table);
        if self.street != street {
            *self = Self { street, before: std::mem::take(&mut self.before), ..Self::default() };
        }
    }

    /// The cards of the street, grouped by the colour that received them.
    fn by_color(&self, order: &[Color]) -> DealtCards {
        let face = |nth: usize| self.cards.get(nth).and_then(|(_, face)| *face);
        DealtCards::new(|color| {
            let cards = order.iter().enumerate().filter(|(_, due)| **due == color);
            Some(cards.map(|(nth, _)| Dealt(face(nth).and_then(|face| face.shows().piece()))).collect())
        })
    }

    /// The cards that were read while the game in progress or the last game was dealt, each with the colour that
    /// received it.
    pub(super) fn received(&self, table: &Table) -> Vec<(Color, Face)> {
        let games = table.actions_by_game();
        let this = games.last().map(Vec::as_slice).unwrap_or_default();
        let counts = |of: u32| this.iter().any(|(line, action)| *line == of && is_deal(action));
        let dealt = self.before.iter().filter(|(line, ..)| counts(*line));
        dealt.map(|(_, color, face)| (*color, *face)).collect()
    }

    /// Whether this card completed the last deal, and no input has been recorded since then.
    pub(super) fn was_just_dealt(&self, face: Face) -> bool {
        self.just_dealt == Some(face)
    }

    /// Whether this card was dealt before in this game.
    fn was_dealt(&self, face: Face, table: &Table) -> bool {
        let games = table.actions_by_game();
        let this = games.last().map(Vec::as_slice).unwrap_or_default();
        let fouled = this.last().is_some_and(|(_, action)| matches!(action, Action::Fouled { .. }));
        let counts = |of: u32| !fouled && this.iter().any(|(line, action)| *line == of && is_deal(action));
        self.cards.iter().any(|(_, read)| *read == Some(face))
            || self.before.iter().any(|(line, _, before)| *before == face && counts(*line))
    }

    /// The colour that receives the card on the reader. `Err` says why the card cannot be dealt.
    pub(super) fn recipient(&mut self, face: Face, table: &Table) -> Result<Color, Sentence> {
        self.turn_to(table);
        if self.was_dealt(face, table) {
            return Err(say!(
                "deal-twice",
                "this card was dealt before in this game: lay down the next card, or begin the street again with `misdeal`"
            ));
        }
        deal_order(table).get(self.cards.len()).copied().ok_or_else(all_dealt)
    }

    /// Checks whether the next card, which is dealt to `due`, may be laid on this reader. `Err` says why not. If there
    /// are several readers, the first two cards of the street decide the owners of the readers. If both cards are laid
    /// on the same reader, it is the dealer's. If they are laid on two readers, each reader belongs to the player who
    /// receives its card.
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
            self.taught |= readers.learn_from_first_cards((first, seat.other()), (reader, seat));
        }
        match readers.owner(reader) {
            Owner::Seat(owner) if owner != seat => Err(not_on_this_reader(due)),
            Owner::Seat(_) | Owner::Nobody if readers.dealer_is_another(reader) => Err(say!(
                "deal-other-reader",
                "a card was laid on a reader that is not the dealer's: nothing was logged"
            )),
            Owner::Seat(_) | Owner::Nobody | Owner::Dealer | Owner::Both => Ok(()),
        }
    }

    /// Adds a dealt card; `None` is a card that no reader has read. If this is the last card of the street, returns
    /// the `deal` that has to be entered.
    pub(super) fn add_card(
        &mut self,
        card: Option<Face>,
        table: &Table,
        speech: &mut Speech,
    ) -> Option<Input> {
        self.turn_to(table);
        let (order, nth) = (deal_order(table), self.cards.len());
        if let Some(by) = order.get(nth).copied() {
            self.cards.push((by, card));
            let count = order.len();
            speech.say(one_dealt(nth + 1, count, by));
        }
        (nth + 1 >= order.len()).then(|| Action::Deal(DealtCards::default()).into())
    }

    /// Discards the cards that were read in this street. Returns whether any card was discarded, and whether the
    /// owners of the readers were learned from these cards.
    pub(super) fn discard_street(&mut self, table: &Table) -> (bool, bool) {
        self.turn_to(table);
        self.first_on = None;
        (!std::mem::take(&mut self.cards).is_empty(), std::mem::take(&mut self.taught))
    }

    /// The `deal` of this street with the cards that were read; `None` if no card was read.
    pub(super) fn cards_read(&mut self, table: &Table) -> Option<Input> {
        self.turn_to(table);
        if self.cards.iter().all(|(_, face)| face.is_none()) {
            return None;
        }
        Some(Action::Deal(self.by_color(deal_order(table))).into())
    }

    /// Takes note of a recorded input. The cards of a recorded `deal` cannot be dealt again in the same game.
    pub(super) fn follow(&mut self, line: u32, input: &Input) {
        self.just_dealt = None;
        if let Input::Game(Action::Deal(_)) = input {
            let cards = std::mem::take(&mut self.cards);
            self.just_dealt = cards.last().and_then(|(_, face)| *face);
            self.before.extend(cards.into_iter().filter_map(|(color, face)| Some((line, color, face?))));
        }
    }
}

/// A card of a deal was read.
pub(super) fn one_dealt(nth: usize, count: usize, by: Color) -> Sentence {
    say!("deal-one", "card {nth} of {count} is dealt, to {by}", nth, count, by)
}

/// A card was laid on the reader of a player who does not get it.
pub(super) fn not_on_this_reader(by: Color) -> Sentence {
    say!(
        "deal-order",
        "a card was laid on the other player's reader, but the next card is {by}'s: nothing was logged; `misdeal` begins the street again",
        by
    )
}

/// A card was laid down although all are dealt.
fn all_dealt() -> Sentence {
    say!("deal-surplus", "all cards of this street are dealt already; enter `deal`")
}

/// The street whose cards must be dealt now.
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

/// Whether this action deals cards in any game.
fn deals_any(action: &Action) -> bool {
    is_deal(action) || own_faces(action).is_some()
}

/// The cards of a deal that only one kind of game has.
fn own_faces(action: &Action) -> Option<Faces> {
    match action {
        Action::Own(own) => own.deals(),
        _ => None,
    }
}

/// The colours that receive the cards of the street to be dealt now, in the order of the deal; empty if no street must
/// be dealt.
fn deal_order(table: &Table) -> &'static [Color] {
    table.game().cards().map_or(&[], |cards| cards.deal_order())
}

/// Whether any cards were dealt in this record, taken back or not.
pub(super) fn was_ever_dealt(lines: &[Line]) -> bool {
    lines.iter().any(|line| matches!(&line.body, Body::Acted(Input::Game(action)) if deals_any(action)))
}

/// Whether a deal of this record, taken back or not, has cards whose faces are known or sealed.
pub(super) fn has_hidden_cards(lines: &[Line]) -> bool {
    let is_known = |card: &Dealt| card.0.is_some();
    lines.iter().any(|line| match &line.body {
        Body::Acted(Input::Game(Action::Deal(cards))) => {
            line.is_sealed() || cards.iter().any(|(_, cards)| cards.iter().flatten().any(is_known))
        }
        Body::Acted(Input::Game(action)) => {
            let known =
                |faces: &Faces| faces.iter().any(|(_, faces)| faces.iter().flatten().any(|face| face != "?"));
            own_faces(action).is_some_and(|faces| line.is_sealed() || known(&faces))
        }
        Body::Acted(_) | Body::Evidence(_) => false,
    })
}
