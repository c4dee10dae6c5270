//! The terms of a Chess Joker match.
//!
//! Source: `docs/record-chess-joker.md`, "Terms"; `docs/rules-chess-joker.md`, rules 1 and 28.

use std::sync::Arc;

use tabiya_types::{Color, Sentence, say};

use super::position::{JokerPosition, USUAL};
use super::state::JokerState;
use crate::rules::datum::Datum;
use crate::rules::fields::{Fields, FormError};
use crate::rules::game::Game;
use crate::rules::kind::{Agreed, Start};

/// The names of the terms that Chess Joker reads.
pub(super) const NAMES: &[&str] = &["deck", "simple", "confirm", "cards", "fen"];

/// How many cards the deck has, and without the starred ones.
const WHOLE_DECK: u32 = 256;
const SIMPLE_DECK: u32 = 128;
/// The most cards that may be agreed.
const MOST_CARDS: u64 = 1000;

/// The terms of a Chess Joker match.
#[derive(Clone, Debug)]
pub struct JokerTerms {
    /// The cards in the deck at the start of a game, 1 to 1000.
    pub deck: u32,
    /// Whether starred cards are left out.
    pub simple: bool,
    /// Whether the opponent confirms what no written effect decides.
    pub other_confirms: bool,
    /// The name of the card file, if it has one. The game never reads the file.
    pub cards: Option<CardFileNamed>,
    pub(super) position: JokerPosition,
    pub(super) turn: Color,
}

/// The card file that the players used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardFileNamed {
    /// The SHA-256 of its bytes, 64 small hexadecimal digits.
    pub sha256: String,
    /// Its name, for people.
    pub name: Option<String>,
}

impl JokerTerms {
    pub(super) fn read(terms: &mut Fields) -> Result<Self, FormError> {
        let simple = terms.flag("simple")?.unwrap_or(false);
        let deck = match terms.number("deck", MOST_CARDS)? {
            Some(0) => return Err(terms.wrong("deck", "a whole number from 1 to 1000")),
            Some(deck) => u32::try_from(deck).expect("bounded by MOST_CARDS"),
            None if simple => SIMPLE_DECK,
            None => WHOLE_DECK,
        };
        let other_confirms = terms.need_or("confirm", "`other` or `none`", true, |word| match word {
            "other" => Some(true),
            "none" => Some(false),
            _ => None,
        })?;
        let cards = terms.take("cards").map(CardFileNamed::read).transpose()?;
        let fen = terms.text("fen")?;
        let (position, turn) = JokerPosition::from_fen(fen.as_deref().unwrap_or(USUAL)).ok_or_else(|| {
            FormError::new(
                "the term `fen` is not usable: it must be a position with one king each that can be played",
            )
        })?;
        // Unlike in other games, the terms of other games are unknown here.
        if let Some(name) = terms.names().next() {
            return Err(FormError(format!("`terms` of this game has the unknown field `{name}`")));
        }
        Ok(Self { deck, simple, other_confirms, cards, position, turn })
    }
}

impl CardFileNamed {
    fn read(value: Datum) -> Result<Self, FormError> {
        let mut fields = Fields::of_value("the term `cards`", value)?;
        let hex = |text: &str| {
            let small = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            (text.len() == 64 && text.bytes().all(small)).then(|| text.to_owned())
        };
        let sha256 = fields.need("sha256", "64 small hexadecimal digits", hex)?;
        let name = fields.text("name")?;
        fields.finish()?;
        Ok(Self { sha256, name })
    }
}

impl Agreed for JokerTerms {
    fn changed(&self, _: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(self.clone()))
    }

    fn begin(&self, start: Start) -> Box<dyn Game> {
        Box::new(JokerState::new(Arc::new(self.clone()), start))
    }

    fn sheet(&self) -> Vec<Sentence> {
        let fen = self.position.fen(self.turn, 1);
        let mut sheet = vec![if fen == USUAL {
            say!("joker-sheet-usual-position", "from the usual position")
        } else {
            say!("joker-sheet-position", "from the position {fen}", fen)
        }];
        let deck = self.deck;
        sheet.push(if self.simple {
            say!("sheet-simple-deck", "the deck has {deck} cards, none of them starred", deck)
        } else {
            say!("sheet-deck", "the deck has {deck} cards", deck)
        });
        sheet.push(if self.other_confirms {
            say!("sheet-other-confirms", "the opponent confirms what an unwritten card does")
        } else {
            say!("sheet-none-confirms", "nobody has to confirm what an unwritten card does")
        });
        if let Some(CardFileNamed { sha256, name }) = &self.cards {
            let hash = sha256.clone();
            sheet.push(match name.clone() {
                Some(name) => {
                    say!("sheet-cards-named", "the effects are those of {name} (SHA-256 {hash})", name, hash)
                }
                None => {
                    say!("sheet-cards", "the effects are those of a file with the SHA-256 {hash}", hash)
                }
            });
        }
        sheet
    }
}
