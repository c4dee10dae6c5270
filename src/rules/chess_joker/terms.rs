//! The terms of a Chess Joker match.
//!
//! Source: `docs/record-chess-joker.md`, "Terms"; `docs/rules-chess-joker.md`, rules 1 and 28.

use std::sync::Arc;

use tabiya_types::{Color, Sentence, say};

use super::position::{JokerPosition, USUAL};
use super::state::JokerState;
use crate::rules::chess::FEN;
use crate::rules::datum::Datum;
use crate::rules::fields::{Fields, FormError};
use crate::rules::game::Game;
use crate::rules::kind::{Agreed, Start};
use crate::rules::said::TermReader;
use crate::rules::sheet_line::SheetLine;
use crate::rules::term::{OneWord, TermKind, TermSpec, TermWord, UsualNumber, WholeNumber, YesNo};

/// How many cards the deck has, and without the starred ones.
const WHOLE_DECK: u32 = 256;
const SIMPLE_DECK: u32 = 128;

const CARDS: TermSpec = TermSpec::new("cards", TermKind::CardFile).option(
    "cards",
    "FILE",
    "Chess Joker: the file with your cards (TOML, JSON or CSV; `tabiya joker check` says what is wrong with it). The code \
     of a card is then enough",
);

const DECK: TermSpec<WholeNumber> = TermSpec::new(
    "deck",
    WholeNumber {
        least: 1,
        most: 1000,
        usual: UsualNumber::Follows(|terms| if SIMPLE.of(terms) { SIMPLE_DECK } else { WHOLE_DECK }),
        line: None,
    },
);

const SIMPLE: TermSpec<YesNo> = TermSpec::new("simple", YesNo { usual: false, line: None }).option(
    "simple",
    "",
    "Chess Joker: the simple game, without the starred cards",
);

const CONFIRM: TermSpec<OneWord> = TermSpec::new(
    "confirm",
    OneWord(&[
        TermWord {
            word: "other",
            line: Some(|| say!("sheet-other-confirms", "the opponent confirms what an unwritten card does")),
        },
        TermWord {
            word: "none",
            line: Some(|| say!("sheet-none-confirms", "nobody has to confirm what an unwritten card does")),
        },
    ]),
)
.option("confirm", "WHO", "Chess Joker: who confirms what an unwritten card does: other or none");

/// The terms of Chess Joker.
pub(super) const TERMS: &[TermSpec] = &[FEN, CARDS, DECK.spec(), SIMPLE.spec(), CONFIRM.spec()];

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
    sheet: Vec<SheetLine>,
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
        let mut said = TermReader::new(terms);
        let (position, turn) = start(said.fields())?;
        let fen = position.fen(turn, 1);
        said.say(if fen == USUAL {
            say!("joker-sheet-usual-position", "from the usual position")
        } else {
            say!("joker-sheet-position", "from the position {fen}", fen)
        });
        let simple = said.flag(&SIMPLE)?;
        let deck = said.number(&DECK)?;
        said.say(if simple {
            say!("sheet-simple-deck", "the deck has {deck} cards, none of them starred", deck)
        } else {
            say!("sheet-deck", "the deck has {deck} cards", deck)
        });
        let other_confirms = said.word(&CONFIRM)? == "other";
        let cards = said.fields().take(CARDS.name).map(CardFileNamed::read).transpose()?;
        if let Some(cards) = &cards {
            said.say(cards.in_words());
        }
        let sheet = said.sheet();
        // Unlike in other games, the terms of other games are unknown here.
        if let Some(name) = terms.names().next() {
            return Err(FormError(format!("`terms` of this game has the unknown field `{name}`")));
        }
        Ok(Self { deck, simple, other_confirms, cards, position, turn, sheet })
    }
}

/// The position in which a game begins, and who moves first.
fn start(terms: &mut Fields) -> Result<(JokerPosition, Color), FormError> {
    let fen = terms.text(FEN.name)?;
    JokerPosition::from_fen(fen.as_deref().unwrap_or(USUAL)).ok_or_else(|| {
        FormError::new(
            "the term `fen` is not usable: it must be a position with one king each that can be played",
        )
    })
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

    fn in_words(&self) -> Sentence {
        let hash = self.sha256.clone();
        match self.name.clone() {
            Some(name) => {
                say!("sheet-cards-named", "the effects are those of {name} (SHA-256 {hash})", name, hash)
            }
            None => say!("sheet-cards", "the effects are those of a file with the SHA-256 {hash}", hash),
        }
    }
}

impl Agreed for JokerTerms {
    fn changed(&self, _: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(self.clone()))
    }

    fn begin(&self, start: Start) -> Box<dyn Game> {
        Box::new(JokerState::new(Arc::new(self.clone()), start))
    }

    fn sheet(&self) -> Vec<SheetLine> {
        self.sheet.clone()
    }
}
