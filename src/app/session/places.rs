//! Where the cards of a deck lie in a game whose moves use up cards, as far as readers have seen them.
//!
//! The record says where a used card and a card of the row came from (`copy`); which cards were dealt and shown only the
//! readers have seen, so that is kept here for as long as the program runs. What was typed has no card: if the row shows
//! fewer cards of a face than readers saw, none of them is believed. The game says where its lines brought cards
//! (`rules::Laying`).

use std::collections::BTreeMap;

use tabiya_cards::deck::Face;
use tabiya_engine::rules::{Action, CardSpot, CardTravel, Cards, HeapPlace, Laying};
use tabiya_engine::table::{Common, Input, Table};
use tabiya_types::{CardFace, Color, Pack};

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
        let (Some(pack), Some(laying)) = (table.agreement().agreed.pack(), table.game().laying()) else {
            return places;
        };
        let games = table.actions_by_game();
        let mut rulings = row_rulings(laying, table).into_iter().peekable();
        for (line, action) in games.last().into_iter().flatten() {
            while rulings.next_if(|ruled| ruled < line).is_some() {
                places.retain(|_, place| *place != CardSpot::Row);
            }
            if let Action::Own(own) = action {
                laying.travels(own).into_iter().for_each(|travel| follow(&mut places, travel, pack));
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

/// Follows a card that a line of the record names, or after which nobody knows any more where a card lies. A card that no
/// reader read may be any with its face there.
fn follow(places: &mut BTreeMap<Face, CardSpot>, travel: CardTravel, pack: Pack) {
    let (left, card) = match travel {
        CardTravel::Went { card, copy, from, to } => match face_of(card, copy, pack) {
            Some(face) => {
                places.insert(face, to);
                return;
            }
            None => (from, Some(card)),
        },
        CardTravel::LeftUnseen { from, card } => (from, card),
    };
    places.retain(|face, spot| *spot != left || card.is_some_and(|card| face.shows() != card));
}

/// The lines of the rulings that say which cards lie in the row: nobody has read these.
fn row_rulings(laying: &dyn Laying, table: &Table) -> Vec<u32> {
    let sets_row = |input: &Input| {
        matches!(input, Input::Common(Common::Rule(ruling))
            if ruling.own.as_ref().is_some_and(|own| laying.sets_row(own)))
    };
    table.counted_inputs().filter(|(_, input)| sets_row(input)).map(|(line, _)| line).collect()
}

fn face_of(card: CardFace, copy: Option<u64>, pack: Pack) -> Option<Face> {
    Face::new(pack, card, u8::try_from(copy?).ok()?)
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
