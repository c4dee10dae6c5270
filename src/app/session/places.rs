//! Where the cards of a deck lie in a game whose moves use up cards, as far as readers have seen them.
//!
//! The record says where a used card and a card of the row came from (`copy`); which cards were dealt and shown only the
//! readers have seen, so that is kept here for as long as the program runs. What was typed has no card: if the row shows
//! fewer cards of a face than readers saw, none of them is believed.
//!
//! Source: `docs/record-pokerdrez.md`, "How lines act", 2, 5, 6, 9 and 10.

use std::collections::BTreeMap;

use tabiya_cards::deck::Face;
use tabiya_engine::rules::pokerdrez::{CardPlace, DrezAction, DrezCard, DrezRuled, SwapWith};
use tabiya_engine::rules::{Action, Cards, HeapPlace};
use tabiya_engine::table::{Common, Input, Table};
use tabiya_types::{CardFace, Color, Pack};

/// The place of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CardSpot {
    /// The card lies open.
    Row,
    /// The card is this player's own.
    Hand(Color),
    /// The card is out of play.
    Used,
}

/// A card, and where a line of the record brought it.
pub(super) type SpottedCard = (Face, CardSpot);

/// The cards that readers have seen.
#[derive(Debug, Default)]
pub(super) struct CardPlaces {
    /// What readers saw of lines that do not say it themselves, each with the line's number in the record. Lines that
    /// were taken back do not count; the table knows them.
    seen: Vec<(u32, SpottedCard)>,
}

impl CardPlaces {
    /// Keeps where the line with this number brought these cards.
    pub(super) fn keep(&mut self, line: u32, cards: Vec<SpottedCard>) {
        self.seen.extend(cards.into_iter().map(|card| (line, card)));
    }

    /// The place of each card that is known now.
    pub(super) fn now(&self, table: &Table) -> BTreeMap<Face, CardSpot> {
        let mut places = BTreeMap::new();
        let Some(pack) = table.agreement().agreed.pack() else { return places };
        let games = table.actions_by_game();
        let mut rulings = row_rulings(table).into_iter().peekable();
        for (line, action) in games.last().into_iter().flatten() {
            while rulings.next_if(|ruled| ruled < line).is_some() {
                places.retain(|_, place| *place != CardSpot::Row);
            }
            if let Action::Own(own) = action
                && let Some(action) = own.of::<DrezAction>()
            {
                follow(&mut places, action, pack);
            }
            places.extend(self.seen.iter().filter(|(of, _)| of == line).map(|(_, card)| *card));
        }
        if rulings.next().is_some() {
            places.retain(|_, place| *place != CardSpot::Row);
        }
        forget_doubtful(&mut places, table);
        places
    }

    /// The cards that were a player's own when they were dealt or drawn in the last game, and that are so still.
    pub(super) fn received(&self, table: &Table) -> Vec<(Color, Face)> {
        let games = table.actions_by_game();
        let this = games.last().map(Vec::as_slice).unwrap_or_default();
        let counts = |of: u32| this.iter().any(|(line, _)| *line == of);
        let now = self.now(table);
        let own =
            self.seen.iter().filter(|(line, _)| counts(*line)).filter_map(|(_, (face, place))| match place {
                CardSpot::Hand(color) => Some((*color, *face)),
                CardSpot::Row | CardSpot::Used => None,
            });
        own.filter(|(color, face)| now.get(face) == Some(&CardSpot::Hand(*color))).collect()
    }
}

/// Follows a line of the record that names a card, or after which nobody knows any more where a card lies.
fn follow(places: &mut BTreeMap<Face, CardSpot>, action: &DrezAction, pack: Pack) {
    match action {
        DrezAction::Reveal { by, card, from, source } => {
            let from = match from {
                CardPlace::Own => CardSpot::Hand(*by),
                CardPlace::Common => CardSpot::Row,
            };
            left(places, from, *card, face_of(*card, source.copy, pack).map(|face| (face, CardSpot::Used)));
        }
        DrezAction::Return { by, card, source } => {
            let card_laid = face_of(*card, source.copy, pack).map(|face| (face, CardSpot::Row));
            left(places, CardSpot::Hand(*by), *card, card_laid);
        }
        // A hidden card changes hands.
        DrezAction::Swap { from: CardPlace::Own, with: SwapWith::Opponent, .. } => {
            places.retain(|_, place| !matches!(place, CardSpot::Hand(_)));
        }
        DrezAction::Swap { by, from: CardPlace::Common, with: SwapWith::Opponent, .. } => {
            places.retain(|_, place| *place != CardSpot::Hand(by.other()));
            left(places, CardSpot::Row, DrezCard::Neutral, None);
        }
        DrezAction::Swap { from: CardPlace::Common, .. } => {
            left(places, CardSpot::Row, DrezCard::Neutral, None);
        }
        // A neutral card of the hand leaves it; which one, nobody has seen.
        DrezAction::Swap { by, from: CardPlace::Own, with, card } => {
            places.retain(|face, place| {
                let taken = *with == SwapWith::Common
                    && card.is_some_and(|card| CardFace::from(card) == face.shows());
                let neutral = face.shows() == CardFace::from(DrezCard::Neutral);
                !(*place == CardSpot::Hand(*by) && neutral || *place == CardSpot::Row && taken)
            });
        }
        DrezAction::Remove { .. }
        | DrezAction::Deal { .. }
        | DrezAction::Roll { .. }
        | DrezAction::Show { .. } => {}
    }
}

/// A card has left a place. Which one is known only if a reader read it; otherwise it may be any with its face there.
fn left(places: &mut BTreeMap<Face, CardSpot>, place: CardSpot, card: DrezCard, read: Option<SpottedCard>) {
    match read {
        Some((face, to)) => drop(places.insert(face, to)),
        None => places.retain(|face, spot| *spot != place || face.shows() != CardFace::from(card)),
    }
}

/// The lines of the rulings that say which cards lie in the row: nobody has read these.
fn row_rulings(table: &Table) -> Vec<u32> {
    let sets_row = |input: &Input| {
        matches!(input, Input::Common(Common::Rule(ruling))
            if ruling.own.as_ref().and_then(|own| own.of::<DrezRuled>()).is_some_and(|ruled| ruled.common.is_some()))
    };
    table.counted_inputs().filter(|(_, input)| sets_row(input)).map(|(line, _)| line).collect()
}

fn face_of(card: DrezCard, copy: Option<u64>, pack: Pack) -> Option<Face> {
    Face::new(pack, CardFace::from(card), u8::try_from(copy?).ok()?)
}

/// Forgets the cards of the row whose face lies there less often than readers saw: one of them has gone, but nobody
/// knows which.
fn forget_doubtful(places: &mut BTreeMap<Face, CardSpot>, table: &Table) {
    let faces: Vec<CardFace> = places.keys().map(|face| face.shows()).collect();
    for face in faces {
        let here = |(card, place): (&Face, &CardSpot)| card.shows() == face && *place == CardSpot::Row;
        if places.iter().filter(|entry| here(*entry)).count() > in_row(face, table) {
            places.retain(|card, place| !here((card, place)));
        }
    }
}

/// How many cards with this face lie in the row.
pub(super) fn in_row(face: CardFace, table: &Table) -> usize {
    let heaps = table.game().cards().map(Cards::heaps).unwrap_or_default();
    let letter = face.letter().to_string();
    let rows = heaps.iter().filter(|heap| heap.place == HeapPlace::Middle);
    rows.flat_map(|heap| &heap.up).filter(|up| **up == letter).count()
}
