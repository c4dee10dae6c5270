//! What a ruling sets that only Chess Joker has: the score, the deck and the cards before the players.
//!
//! Source: `docs/record-chess-joker.md`, "Lines" and "How lines act", 13.

use tabiya_types::{ByColor, BySeat, Color, Seat, Sentence, say};

use super::card::JokerCard;
use super::state::ENOUGH;
use crate::rules::change::ChangeData;
use crate::rules::datum::{Datum, Group};
use crate::rules::fields::{Fields, FormError};

/// The most cards that a ruling may leave in the deck.
const MOST_CARDS: u64 = 1000;

/// The card that a ruling puts before a player: `Some(None)` takes it away, `None` leaves it as it is.
pub(super) type RuledCard = Option<Option<JokerCard>>;

/// What a ruling sets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ruled {
    /// The points of the seats, 0 to 799.
    pub score: Option<BySeat<Option<u32>>>,
    /// The cards left in the deck.
    pub deck: Option<u32>,
    /// The cards before the players.
    pub cards: Option<ByColor<RuledCard>>,
}

impl Ruled {
    /// Takes the fields of this game from those of a ruling; `None` if there are none.
    pub(super) fn read(set: &mut Fields) -> Result<Option<Self>, FormError> {
        let score = set.take("score").map(read_score).transpose()?;
        let deck = set.number("deck", MOST_CARDS)?.and_then(|deck| u32::try_from(deck).ok());
        let cards = set.take("cards").map(read_cards).transpose()?;
        let ruled = Self { score, deck, cards };
        Ok((ruled != Self::default()).then_some(ruled))
    }
}

fn read_score(value: Datum) -> Result<BySeat<Option<u32>>, FormError> {
    let mut seats = Fields::of_value("`score`", value)?;
    let mut points = |seat: Seat| {
        let points = seats.number(seat.word(), u64::from(ENOUGH) - 1)?;
        Ok::<_, FormError>(points.and_then(|points| u32::try_from(points).ok()))
    };
    let score = BySeat { a: points(Seat::A)?, b: points(Seat::B)? };
    seats.finish()?;
    Ok(score)
}

fn read_cards(value: Datum) -> Result<ByColor<RuledCard>, FormError> {
    let mut colors = Fields::of_value("`cards`", value)?;
    let mut card = |color: Color| match colors.take(color.word()) {
        None => Ok(None),
        Some(Datum::Nothing) => Ok(Some(None)),
        Some(value) => {
            let mut fields = Fields::of_value("a card of the ruling", value)?;
            let card = JokerCard::read(&mut fields)?;
            fields.finish()?;
            Ok::<_, FormError>(Some(Some(card)))
        }
    };
    let cards = ByColor { white: card(Color::White)?, black: card(Color::Black)? };
    colors.finish()?;
    Ok(cards)
}

impl ChangeData for Ruled {
    fn describe(&self, players: &BySeat<String>) -> Vec<Sentence> {
        let score = Seat::ALL.into_iter().filter_map(|seat| {
            let (name, points) = (players[seat].clone(), self.score?[seat]?);
            Some(say!("ruled-score", "points of {name}: {points}", name, points))
        });
        let deck = self.deck.map(|deck| say!("ruled-deck", "deck: {deck}", deck));
        let cards =
            self.cards.iter().flat_map(ByColor::iter).filter_map(|(by, card)| match card.as_ref()? {
                Some(card) => {
                    Some(say!("ruled-card", "before {by} lies the card {card}", by, card = card.told()))
                }
                None => Some(say!("ruled-no-card", "before {by} lies no card", by)),
            });
        score.chain(deck).chain(cards).collect()
    }

    fn fields(&self) -> Group {
        let mut fields = Group::new();
        if let Some(score) = &self.score {
            let seats =
                Seat::ALL.into_iter().filter_map(|seat| Some((seat.word().to_owned(), score[seat]?.into())));
            fields.set("score", seats.collect::<Group>());
        }
        if let Some(deck) = self.deck {
            fields.set("deck", deck);
        }
        if let Some(cards) = &self.cards {
            let written = |card: &Option<JokerCard>| card.as_ref().map(|card| card.write(Group::new()));
            let colors = cards
                .iter()
                .filter_map(|(color, card)| Some((color.word().to_owned(), written(card.as_ref()?).into())));
            fields.set("cards", colors.collect::<Group>());
        }
        fields
    }
}
