//! The terms of a PokerDrez match.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 2, 5, 20 and 25; `docs/record-pokerdrez.md`, "Header".

use std::sync::Arc;

use tabiya_types::{Pack, say};

use super::state::PokerDrezState;
use crate::rules::chips::{Chips, MOST_CHIPS, STACKS, stacks_line};
use crate::rules::fields::{Fields, FormError};
use crate::rules::game::Game;
use crate::rules::kind::{Agreed, Start};
use crate::rules::said::TermReader;
use crate::rules::sheet_line::{SheetLine, SheetTopic};
use crate::rules::term::{OneNumber, OneWord, TermKind, TermSpec, TermWord};

const DECKS: TermSpec<OneNumber> = TermSpec::new(
    "decks",
    OneNumber {
        numbers: &[1, 2],
        line: Some(|decks| say!("sheet-decks", "decks of 56 cards: {decks}", decks)),
    },
)
.option("decks", "DECKS", "PokerDrez: the number of decks, 1 or 2");

const BETS: TermSpec = TermSpec::new("bets", TermKind::Stakes).option(
    "bets",
    "LEAST-MOST",
    "PokerDrez: the least and the highest stake of a game, such as 5-20, with --stacks; without it no chips are played for",
);

const STUCK: TermSpec<OneWord> = TermSpec::new(
    "stuck",
    OneWord(&[
        TermWord {
            word: "redraw",
            line: Some(|| {
                say!(
                    "sheet-stuck-redraw",
                    "two new cards for a player who cannot move, until one of them moves a piece"
                )
            }),
        },
        TermWord {
            word: "draw",
            line: Some(|| {
                say!(
                    "sheet-stuck-draw",
                    "two new cards for a player who cannot move; if they do not help, a draw"
                )
            }),
        },
    ]),
)
.option("stuck", "STUCK", "PokerDrez: redraw or draw: what happens to a player whom no card helps");

const DEALER: TermSpec<OneWord> = TermSpec::new(
    "dealer",
    OneWord(&[
        TermWord { word: "black", line: None },
        TermWord {
            word: "arbiter",
            line: Some(|| say!("sheet-arbiter-deals", "the arbiter deals the cards")),
        },
    ]),
)
.unasked();

/// The terms of PokerDrez.
pub(super) const TERMS: &[TermSpec] = &[DECKS.spec(), BETS, STACKS, STUCK.spec(), DEALER.spec()];

/// What a game is played for, in chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrezBets {
    /// What each player puts in at the deal; at least 1.
    pub least: Chips,
    /// The highest stake of a player; not less than `least`.
    pub most: Chips,
    /// The chips that each seat starts with, A first.
    pub stacks: [Chips; 2],
}

/// The terms of a PokerDrez match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PokerDrezTerms {
    /// The number of decks: 1 or 2.
    pub decks: u32,
    /// What a game is played for; `None` without chips.
    pub bets: Option<DrezBets>,
    /// Whether the game is drawn if a player is not in check, has no card that moves anything, and two new cards do
    /// not help. Otherwise he draws new cards again.
    pub stuck_draws: bool,
    /// Whether the arbiter deals the cards instead of Black.
    pub arbiter_deals: bool,
    sheet: Vec<SheetLine>,
}

impl PokerDrezTerms {
    pub(super) fn read(terms: &mut Fields) -> Result<Self, FormError> {
        let mut said = TermReader::new(terms);
        let decks = said.one_number(&DECKS)?;
        let bets = DrezBets::read(said.fields())?;
        if let Some(DrezBets { least, most, stacks }) = bets {
            said.say(stacks_line(stacks));
            let bets =
                say!("sheet-bets", "each game is played for {least} chips each, at most {most}", least, most);
            said.say(SheetLine::new(SheetTopic::Stakes, bets));
        }
        let stuck_draws = said.word(&STUCK)? == "draw";
        let arbiter_deals = said.word(&DEALER)? == "arbiter";
        Ok(Self { decks, bets, stuck_draws, arbiter_deals, sheet: said.sheet() })
    }
}

impl DrezBets {
    fn read(terms: &mut Fields) -> Result<Option<Self>, FormError> {
        let stacks = terms.take(STACKS.name);
        let Some(bets) = terms.take(BETS.name) else { return Ok(None) };
        let Some(stacks) = stacks else { return Err(terms.missing(STACKS.name)) };
        let mut bets = Fields::of_value("`bets`", bets)?;
        let (least, most) = (chips(&mut bets, "least", u64::MAX)?, chips(&mut bets, "most", u64::MAX)?);
        if least > most {
            return Err(bets.wrong("most", "at least as much as `least`"));
        }
        bets.finish()?;
        let mut stacks = Fields::of_value("`stacks`", stacks)?;
        let mut stack = |seat| chips(&mut stacks, seat, MOST_CHIPS.into()).map(held);
        let of_seats = [stack("A")?, stack("B")?];
        stacks.finish()?;
        // No stake is higher than a stack, so what is beyond the highest stack says nothing more.
        Ok(Some(Self { least: held(least), most: held(most), stacks: of_seats }))
    }
}

/// Takes a required field that contains a number of chips, from 1 to `most`.
fn chips(fields: &mut Fields, name: &str, most: u64) -> Result<u64, FormError> {
    fields.number_from(name, 1, most)?.ok_or_else(|| fields.missing(name))
}

/// This number of chips, but no more than a player can have.
fn held(number: u64) -> Chips {
    Chips(u32::try_from(number).unwrap_or(MOST_CHIPS).min(MOST_CHIPS))
}

impl Agreed for PokerDrezTerms {
    fn changed(&self, _: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(self.clone()))
    }

    fn pack(&self) -> Option<Pack> {
        Some(if self.decks == 1 { Pack::PokerDrez } else { Pack::PokerDrezDouble })
    }

    fn stacks(&self) -> [Chips; 2] {
        self.bets.map_or([Chips::ZERO; 2], |bets| bets.stacks)
    }

    fn begin(&self, start: Start) -> Box<dyn Game> {
        Box::new(PokerDrezState::new(Arc::new(self.clone()), start))
    }

    fn sheet(&self) -> Vec<SheetLine> {
        self.sheet.clone()
    }
}
