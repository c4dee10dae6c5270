//! Cards of a deck that are laid on a reader in a game whose moves use up cards: each becomes the line that the table
//! waits for. The game says which lines these are (`rules::Laying`); `places.rs` knows where the deck's cards lie.
//!
//! A card that is laid down at another time stays hidden: no sentence names a face before its line is entered.
//!
//! Source: `docs/cards.md`, "At the table".

use std::collections::BTreeMap;

use tabiya_cards::deck::Face;
use tabiya_engine::rules::{Action, CardPlace, CardSource, CardSpot, CardsDue, HiddenFaces, Laying, Offer};
use tabiya_engine::table::{Common, Input, LegalInput, Table};
use tabiya_types::{ByColor, CardFace, Color, Fact, Instant, Millis, Sentence, say};

use super::dealing::{not_on_this_reader, one_dealt};
use super::places::{CardPlaces, SpottedCard, in_row};
use crate::view::Owner;

/// A card that is lifted slowly may be read twice within this time.
const LIFTED: Millis = Millis(2_000);

/// What a card on a reader leads to.
#[derive(Debug)]
pub(super) enum LaidMeaning {
    /// The line to enter.
    Enter(Action),
    /// The deal to enter: play begins with it.
    Deal(Action),
    /// Nothing is entered yet; what people are told.
    Told(Sentence),
}

/// The cards on the readers, in a game whose moves use up cards.
#[derive(Debug, Default)]
pub(super) struct LaidCards {
    places: CardPlaces,
    /// The cards of the deal so far, in its order; `None` is a card that could not be read.
    dealt: Vec<Option<Face>>,
    /// The cards that the player to move has shown so far.
    shown: Vec<Face>,
    /// The line that is being entered, and the cards that it is about.
    entering: Option<(Action, Vec<SpottedCard>)>,
    /// The card of the last line that a reader entered, and when it was read.
    last: Option<(Face, Instant)>,
}

/// What the table waits for; nothing in a game whose moves use up no cards.
fn due_of(table: &Table) -> CardsDue {
    let Some(laying) = table.game().laying() else { return CardsDue::default() };
    let offers = table.legal().into_iter().filter_map(|legal| match legal {
        LegalInput::Game(offer) => Some(offer),
        LegalInput::Press(_) | LegalInput::ClaimFlag(_) | LegalInput::Next => None,
    });
    laying.due(&offers.collect::<Vec<Offer>>())
}

/// Whether a game whose moves use up cards has to be dealt now.
pub(super) fn deals_now(table: &Table) -> bool {
    due_of(table).deal
}

/// The player who lays a card now, if anybody does.
pub(super) fn layer(table: &Table) -> Option<Color> {
    due_of(table).by
}

/// Whether moves use up cards in this game.
pub(super) fn uses_cards_up(table: &Table) -> bool {
    table.game().laying().is_some()
}

fn read(face: Face) -> CardSource {
    CardSource { read: Some(true), copy: Some(face.copy().into()) }
}

impl LaidCards {
    /// The line that follows from a card of the deck on a reader of this owner at this moment. `deals`: whether hidden
    /// cards are read, too. `Err` is a sentence: why nothing follows.
    pub(super) fn laid(
        &mut self,
        (face, at): (Face, Instant),
        of: Owner,
        deals: bool,
        table: &Table,
    ) -> Result<LaidMeaning, Sentence> {
        if self.last.is_some_and(|(last, then)| last == face && at < then + LIFTED) {
            return Err(read_once_more());
        }
        let meaning = self.meaning((face, at), of, deals, table);
        match &meaning {
            Ok(LaidMeaning::Enter(_) | LaidMeaning::Deal(_)) => self.last = Some((face, at)),
            Ok(LaidMeaning::Told(_)) => {}
            Err(_) => self.shown.clear(),
        }
        meaning
    }

    fn meaning(
        &mut self,
        (face, at): (Face, Instant),
        of: Owner,
        deals: bool,
        table: &Table,
    ) -> Result<LaidMeaning, Sentence> {
        let Some(laying) = table.game().laying() else { return Err(not_now()) };
        let due = due_of(table);
        if due.deal {
            return self.dealt(Some(face), of, deals, table);
        }
        let places = self.places.now(table);
        let place = places.get(&face).copied();
        if place == Some(CardSpot::Used) {
            return Err(say!(
                "card-used",
                "exactly this card was used before in this game: nothing was logged; used cards stay out of play"
            ));
        }
        if deals
            && place.is_none()
            && let Some(by) = drawn_by(&places, &due, of, (laying, table))?
        {
            return Ok(self.drawn(face, by, laying));
        }
        let by = due.by.filter(|_| of != Owner::Dealer).ok_or_else(not_now)?;
        if let Owner::Seat(seat) = of
            && seat != table.seat_of(by)
        {
            return Err(say!(
                "card-other-lays",
                "a card was laid on the other player's reader: it is {by}'s turn to lay a card; nothing was logged",
                by
            ));
        }
        match place {
            Some(CardSpot::Hand(holder)) if holder != by => Err(say!(
                "card-of-other",
                "this card was dealt to {holder}, but it is {by}'s turn to lay a card: nothing was logged",
                holder,
                by
            )),
            _ if due.returns.is_empty() => {
                let from = self.lies(face, place, &due, table)?;
                let accepts = |show: &Action| table.refusal(&show.clone().into(), at).is_none();
                self.used((face, from), by, &due, laying, &accepts)
            }
            _ => self.returned((face, place), by, &due, laying),
        }
    }

    // ---- the deal ----

    /// Takes the next card of the deal; `None` is a card that no reader has read.
    pub(super) fn dealt(
        &mut self,
        face: Option<Face>,
        of: Owner,
        deals: bool,
        table: &Table,
    ) -> Result<LaidMeaning, Sentence> {
        let Some(laying) = table.game().laying() else { return Err(not_now()) };
        let hands = if deals { laying.hidden_order() } else { &[] };
        let to = hands.get(self.dealt.len()).copied();
        match (to, of, face) {
            // All cards were read, but the deal was not entered, because the board was not ready.
            (_, _, face) if self.dealt.len() >= hands.len() + laying.open_count() => match face {
                Some(_) if self.dealt.contains(&face) => Ok(self.go_on_dealing(hands, laying)),
                Some(_) | None => Err(all_read()),
            },
            (Some(by), Owner::Seat(seat), _) if seat != table.seat_of(by) => Err(not_on_this_reader(by)),
            (_, _, Some(face)) if self.dealt.contains(&Some(face)) => Err(say!(
                "deal-card-again",
                "this card lies in this deal already: lay down the next card, or begin the deal again with `misdeal`"
            )),
            (None, _, None) => Err(say!(
                "deal-open-unread",
                "an open card has to be known: lay it down again, or type `deal` with all five open cards"
            )),
            _ => {
                self.dealt.push(face);
                Ok(self.go_on_dealing(hands, laying))
            }
        }
    }

    /// What follows from the cards of the deal so far.
    fn go_on_dealing(&mut self, hands: &[Color], laying: &dyn Laying) -> LaidMeaning {
        let open_count = laying.open_count();
        let (nth, count) = (self.dealt.len(), hands.len() + open_count);
        if nth >= count {
            let row: Vec<CardFace> =
                self.dealt.iter().skip(hands.len()).flatten().map(|face| face.shows()).collect();
            return LaidMeaning::Deal(self.deal_line(&row, hands, laying));
        }
        let open = self.dealt.last().copied().flatten().map(|face| Fact::from(face.shows()));
        LaidMeaning::Told(match (nth.checked_sub(1).and_then(|nth| hands.get(nth)), open) {
            (Some(by), _) => one_dealt(nth, count, *by),
            (None, Some(card)) => {
                let nth = nth - hands.len();
                say!("deal-open", "open card {nth} of {count}: {card}", nth, count = open_count, card)
            }
            (None, None) => say!("deal-begins", "lay down the cards of the deal"),
        })
    }

    /// The deal with this row and the hidden cards that were read.
    fn deal_line(&mut self, row: &[CardFace], hands: &[Color], laying: &dyn Laying) -> Action {
        let dealt: Vec<(Color, Option<Face>)> =
            hands.iter().copied().zip(self.dealt.iter().copied().chain(std::iter::repeat(None))).collect();
        let told = ByColor::new(|color| -> HiddenFaces {
            let cards = dealt.iter().filter(|(to, _)| *to == color);
            (!hands.is_empty()).then(|| cards.map(|(_, face)| face.map(Face::shows)).collect())
        });
        let hidden = dealt.iter().filter_map(|(color, face)| Some(((*face)?, CardSpot::Hand(*color))));
        let open = self.dealt.iter().skip(hands.len()).flatten().map(|face| (*face, CardSpot::Row));
        let cards = hidden.chain(open).collect();
        self.entering(laying.deal(row, &told), cards)
    }

    /// A typed deal with the hidden cards that were read; `None` if the input is another, or if none was read.
    pub(super) fn with_cards_read(&mut self, input: &Input, table: &Table) -> Option<Input> {
        let Input::Game(Action::Own(own)) = input else { return None };
        let laying = table.game().laying()?;
        let row = laying.open_deal(own)?;
        let hands = laying.hidden_order();
        if !self.dealt.iter().take(hands.len()).any(Option::is_some) {
            return None;
        }
        self.dealt.truncate(hands.len());
        Some(self.deal_line(&row, hands, laying).into())
    }

    /// Forgets the cards of the deal and those that were about to be shown. Returns whether a dealt one was read.
    pub(super) fn misdeal(&mut self) -> bool {
        self.shown.clear();
        self.entering = None;
        !std::mem::take(&mut self.dealt).is_empty()
    }

    // ---- a turn ----

    /// The line that tells a drawn card.
    fn drawn(&mut self, face: Face, by: Color, laying: &dyn Laying) -> LaidMeaning {
        LaidMeaning::Enter(self.entering(laying.tell(by, face.shows()), vec![(face, CardSpot::Hand(by))]))
    }

    /// The line that lays an own card into the row.
    fn returned(
        &mut self,
        (face, place): (Face, Option<CardSpot>),
        by: Color,
        due: &CardsDue,
        laying: &dyn Laying,
    ) -> Result<LaidMeaning, Sentence> {
        if place == Some(CardSpot::Row) {
            return Err(say!(
                "card-in-row",
                "this card lies in the row already: {by} lays one of the three own cards into it",
                by
            ));
        }
        if !due.returns.contains(&face.shows()) {
            return Err(impossible(by));
        }
        let action = laying.put_back(by, face.shows(), read(face));
        Ok(LaidMeaning::Enter(self.entering(action, Vec::new())))
    }

    /// Where a card lies that a player lays. `Err` asks for it if nobody can know.
    fn lies(
        &self,
        face: Face,
        place: Option<CardSpot>,
        due: &CardsDue,
        table: &Table,
    ) -> Result<CardPlace, Sentence> {
        match place {
            Some(CardSpot::Row) => return Ok(CardPlace::Common),
            Some(CardSpot::Hand(_) | CardSpot::Used) => return Ok(CardPlace::Own),
            None => {}
        }
        let places = self.places.now(table);
        let here =
            |(card, place): (&Face, &CardSpot)| card.shows() == face.shows() && *place == CardSpot::Row;
        let strange = in_row(face.shows(), table) > places.iter().filter(|entry| here(*entry)).count();
        let own = due.lays.contains(&(face.shows(), CardPlace::Own));
        match (own, strange) {
            (true, true) => Err(say!(
                "card-from-where",
                "this card can be an open card or an own one: click it, or type `row` or `own` with its letter"
            )),
            (false, true) => Ok(CardPlace::Common),
            (_, false) => Ok(CardPlace::Own),
        }
    }

    /// The line that uses a card from there, or that shows both own cards once the second of them lies.
    fn used(
        &mut self,
        (face, from): (Face, CardPlace),
        by: Color,
        due: &CardsDue,
        laying: &dyn Laying,
        accepts: &dyn Fn(&Action) -> bool,
    ) -> Result<LaidMeaning, Sentence> {
        if due.lays.contains(&(face.shows(), from)) {
            let action = laying.lay(by, face.shows(), from, read(face));
            return Ok(LaidMeaning::Enter(self.entering(action, Vec::new())));
        }
        if !due.shows || from == CardPlace::Common {
            return Err(impossible(by));
        }
        if !self.shown.contains(&face) {
            self.shown.push(face);
        }
        let cards: Vec<CardFace> = self.shown.iter().map(|face| face.shows()).collect();
        let Some(show) = laying.show(by, &cards) else {
            if !laying.shows_with(by, face.shows()).iter().any(accepts) {
                return Err(impossible(by));
            }
            return Ok(LaidMeaning::Told(say!(
                "show-the-other",
                "this card moves nothing: {by} lays down the other own card, too, to show both",
                by
            )));
        };
        if !accepts(&show) {
            return Err(impossible(by));
        }
        let used = std::mem::take(&mut self.shown).into_iter().map(|face| (face, CardSpot::Used));
        let used = used.collect();
        Ok(LaidMeaning::Enter(self.entering(show, used)))
    }

    // ---- the record ----

    fn entering(&mut self, action: Action, cards: Vec<SpottedCard>) -> Action {
        self.entering = Some((action.clone(), cards));
        action
    }

    /// The line of a card was refused.
    pub(super) fn refused(&mut self) {
        self.entering = None;
    }

    /// Takes note of a recorded input.
    pub(super) fn follow(&mut self, number: u32, input: &Input) {
        self.shown.clear();
        let action = match input {
            Input::Game(action) => action,
            Input::Common(common) => {
                if ends_a_game(common) {
                    self.dealt.clear();
                }
                return;
            }
        };
        if let Some((_, cards)) = self.entering.take_if(|(entered, _)| entered == action) {
            self.places.keep(number, cards);
        }
        if matches!(action, Action::Fouled { .. })
            || matches!(action, Action::Own(own) if own.deals().is_some())
        {
            self.dealt.clear();
        }
    }

    /// The cards that each player got in the last game, as readers saw them, and still has: a used card lies where
    /// anybody can take it.
    pub(super) fn received(&self, table: &Table) -> Vec<(Color, Face)> {
        self.places.received(table)
    }
}

/// The player who has drawn the card on the reader, which lies nowhere as far as readers know. `Err` asks for it if it may
/// be a card that the one lays or one that the other has drawn: the second must not be shown.
fn drawn_by(
    places: &BTreeMap<Face, CardSpot>,
    due: &CardsDue,
    of: Owner,
    (laying, table): (&dyn Laying, &Table),
) -> Result<Option<Color>, Sentence> {
    let untold = laying.untold();
    let owns = |color: Color| match of {
        Owner::Seat(seat) => table.seat_of(color) == seat,
        Owner::Nobody | Owner::Both | Owner::Dealer => true,
    };
    let mut draws = Color::ALL.into_iter().filter(|color| untold[*color] > 0 && owns(*color));
    let Some(by) = due.by else { return Ok(draws.next()) };
    if untold[by] > 0 && owns(by) {
        return Ok(Some(by));
    }
    // A player whose cards are all known lays none of them with an unknown one, so the other has drawn it.
    let known = places.values().filter(|place| **place == CardSpot::Hand(by)).count();
    let other = draws.next();
    let unsure = matches!(of, Owner::Both | Owner::Nobody) && known < laying.hand_size();
    match other.filter(|_| unsure) {
        Some(other) => Err(say!(
            "card-whose",
            "this card may be one that {by} lays or the one that {other} has drawn: nothing was logged; {by} types the card, or each player has a reader",
            by,
            other
        )),
        None => Ok(other),
    }
}

/// Whether this line ends a game that may be in its deal, or begins the next one.
fn ends_a_game(common: &Common) -> bool {
    match common {
        Common::Rule(ruling) => ruling.result.is_some(),
        Common::Next(_) | Common::EndMatch { .. } => true,
        Common::Press(_)
        | Common::Pause(_)
        | Common::Resume(_)
        | Common::Undo { .. }
        | Common::Redo { .. }
        | Common::Tick
        | Common::ClaimFlag(_)
        | Common::Stands { .. }
        | Common::ClockReads(_)
        | Common::Consent(_)
        | Common::Signs(_) => false,
    }
}

/// All cards of a deal were read, but it was not entered.
pub(super) fn all_read() -> Sentence {
    say!(
        "deal-all-read",
        "all cards of this deal are read: lay one of them down once more to deal, or begin again with `misdeal`"
    )
}

/// A card that was read a moment ago was read again.
pub(super) fn read_once_more() -> Sentence {
    say!("card-just-dealt", "the card that was dealt last was read once more: nothing was logged")
}

fn not_now() -> Sentence {
    say!(
        "card-lays-nothing",
        "a card was laid on the reader, but no card is to be laid now: nothing was logged"
    )
}

fn impossible(by: Color) -> Sentence {
    say!(
        "card-cannot-be-laid",
        "this card cannot be laid now: it moves nothing, or {by} cannot have it; nothing was logged",
        by
    )
}
