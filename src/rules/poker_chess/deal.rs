//! Deals: which card lies under which square of the board.
//!
//! Source: `docs/rules-poker-chess.md`, rules 2 to 7; `docs/record-poker-chess.md`, "Header".

use tabiya_types::{Color, Square};

use super::card::{PlayingCard, Rank, Suit};
use super::terms::DEAL;
use crate::rules::capability::SquareDeals;
use crate::rules::datum::Datum;
use crate::rules::fields::{Fields, FormError};

/// The name of the deal that is used if the terms contain none.
const USUAL: &str = "corner-aces";

/// The four named deals: the ranks on White's ranks 1 to 4, each from a to h. A point is a square without a card.
const NAMED: [(&str, [&str; 4]); 4] = [
    (USUAL, ["A36TT63A", "259KK952", "48Q..Q84", "7J....J7"]),
    ("rande-schande", ["54322345", "98766789", "QJT..TJQ", "AK....KA"]),
    ("twisted-corner-aces", ["A36TA36T", "259K259K", "48Q..48Q", "7J....7J"]),
    ("royal-flush", ["JQKAAKQJ", "T987789T", "654..456", "32....23"]),
];

/// How many cards of a deck lie on each half of the board.
const HALF: usize = 26;

/// Which card lies under which square, and how the terms say so.
#[derive(Clone, PartialEq, Debug)]
pub struct Deal {
    written: Datum,
    cards: [Option<PlayingCard>; 64],
}

impl Deal {
    /// The deal that is used if the terms contain none.
    pub(super) fn usual() -> Self {
        Self::named(USUAL).expect("it is in the list")
    }

    /// The names of the named deals, the usual one first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.into_iter().map(|(name, _)| name)
    }

    /// The deal with this name; `None` if no deal has it.
    pub fn named(name: &str) -> Option<Self> {
        let (_, ranks) = NAMED.into_iter().find(|(known, _)| *known == name)?;
        let letters = ranks.into_iter().flat_map(str::chars).filter(|letter| *letter != '.');
        let red: Option<Vec<PlayingCard>> = carded_squares(Color::White)
            .zip(letters)
            .map(|(square, letter)| {
                let suit = if square.file() < 4 { Suit::Diamonds } else { Suit::Hearts };
                Some(PlayingCard { rank: Rank::from_letter(letter)?, suit })
            })
            .collect();
        Some(Self::laid(name.into(), &red?, None))
    }

    /// The deal of a list of 26 red cards, or of 26 red and 26 black ones, in the order of the record; `None` for any
    /// other list.
    pub fn listed(cards: &[PlayingCard]) -> Option<Self> {
        let (red, black) = cards.split_at_checked(HALF)?;
        let halves = is_half(red, true) && (black.is_empty() || is_half(black, false));
        let written: Vec<String> = cards.iter().map(ToString::to_string).collect();
        halves.then(|| Self::laid(written.into(), red, (!black.is_empty()).then_some(black)))
    }

    /// Reads the term `deal`; `None` if the terms do not contain it.
    pub(super) fn read(terms: &mut Fields) -> Result<Option<Self>, FormError> {
        let Some(written) = terms.take(DEAL.name) else { return Ok(None) };
        let deal = match &written {
            Datum::Text(name) => Self::named(name),
            Datum::List(list) => {
                let card = |item: &Datum| item.as_text().and_then(PlayingCard::parse);
                let cards: Option<Vec<PlayingCard>> = list.iter().map(card).collect();
                cards.and_then(|cards| Self::listed(&cards))
            }
            _ => None,
        };
        let names = Self::names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let wanted =
            format!("one of {names}, or a list of the 26 red cards, or of all 52 with the red ones first");
        deal.map(Some).ok_or_else(|| terms.wrong(DEAL.name, &wanted))
    }

    /// Lays the red cards on White's half. Without black cards, Black's half mirrors White's.
    fn laid(written: Datum, red: &[PlayingCard], black: Option<&[PlayingCard]>) -> Self {
        let mirrored: Vec<PlayingCard> =
            red.iter().map(|card| PlayingCard { suit: card.suit.mirrored(), ..*card }).collect();
        let mut cards = [None; 64];
        for (color, half) in [(Color::White, red), (Color::Black, black.unwrap_or(&mirrored))] {
            for (square, card) in carded_squares(color).zip(half) {
                cards[square.index()] = Some(*card);
            }
        }
        Self { written, cards }
    }

    /// The card under this square; `None` for the twelve squares without a card.
    pub fn card(&self, at: Square) -> Option<PlayingCard> {
        self.cards[at.index()]
    }

    /// The deal as the terms contain it: its name, or the list of its cards.
    pub fn written(&self) -> &Datum {
        &self.written
    }

    /// The name of the deal; `None` if the terms list its cards.
    pub fn name(&self) -> Option<&str> {
        self.written.as_text()
    }
}

/// The deals that the term `deal` names or lists.
#[derive(Debug)]
pub(super) struct KnownDeals;

impl SquareDeals for KnownDeals {
    fn names(&self) -> Vec<&'static str> {
        Deal::names().collect()
    }

    fn cards(&self, deal: &str) -> Option<Vec<(Square, String)>> {
        let listed = || {
            let cards = deal.split(',').map(|card| PlayingCard::parse(card.trim()));
            Deal::listed(&cards.collect::<Option<Vec<PlayingCard>>>()?)
        };
        let deal = Deal::named(deal).or_else(listed)?;
        let card = |at: Square| deal.card(at).map(|card| (at, card.to_string()));
        Some(Square::all().filter_map(card).collect())
    }

    fn order(&self) -> Vec<Square> {
        carded_squares(Color::White).collect()
    }

    /// The 26 red cards; Black's half mirrors them.
    fn random(&self, below: &mut dyn FnMut(usize) -> Result<usize, String>) -> Result<Vec<String>, String> {
        let red = Suit::ALL.into_iter().filter(|suit| suit.is_red());
        let mut cards: Vec<PlayingCard> =
            red.flat_map(|suit| Rank::all().map(move |rank| PlayingCard { rank, suit })).collect();
        for last in (1..cards.len()).rev() {
            cards.swap(last, below(last + 1)?);
        }
        Ok(cards.iter().map(ToString::to_string).collect())
    }
}

/// The squares of this player's half that have a card, in the order of the record: from the player's first rank to his
/// fourth, each from a to h.
pub fn carded_squares(half: Color) -> impl Iterator<Item = Square> {
    let ranks: [u8; 4] = match half {
        Color::White => [0, 1, 2, 3],
        Color::Black => [7, 6, 5, 4],
    };
    let squares =
        ranks.into_iter().flat_map(|rank| (0..8).filter_map(move |file| Square::from_coords(file, rank)));
    squares.filter(|square| has_card(*square))
}

/// Whether a card lies under this square. The squares without a card are c4 d4 e4 f4 d3 e3 and c5 d5 e5 f5 d6 e6.
fn has_card(square: Square) -> bool {
    match square.rank() {
        3 | 4 => !(2..=5).contains(&square.file()),
        2 | 5 => !(3..=4).contains(&square.file()),
        _ => true,
    }
}

/// Whether these are the 26 red or the 26 black cards, each once.
fn is_half(cards: &[PlayingCard], red: bool) -> bool {
    let twice = cards.iter().enumerate().any(|(nth, card)| cards[..nth].contains(card));
    cards.len() == HALF && !twice && cards.iter().all(|card| card.suit.is_red() == red)
}
