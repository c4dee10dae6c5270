//! The terms of a Poker Chess match.
//!
//! Source: `docs/rules-poker-chess.md`, rules 5 to 8 and 20 to 23; `docs/record-poker-chess.md`, "Header".

use std::sync::Arc;

use tabiya_types::say;

use super::deal::Deal;
use super::state::PokerChessState;
use crate::rules::fields::{Fields, FormError};
use crate::rules::game::Game;
use crate::rules::kind::{Agreed, Start};
use crate::rules::said::TermReader;
use crate::rules::sheet_line::SheetLine;
use crate::rules::term::{OneWord, TermKind, TermSpec, TermWord, UsualNumber, WholeNumber};

/// The most that `wipeout` and `mate_bonus` may say.
const MOST: u32 = 1000;

pub(super) const DEAL: TermSpec = TermSpec::new("deal", TermKind::Deal).option(
    "deal",
    "NAME",
    "Poker Chess: which card lies under which square: corner-aces, rande-schande, twisted-corner-aces, royal-flush, \
     random, or a list of cards such as Ah,2h,… (26 red ones from a1 to h4, or then 26 black ones from a8 to h5). The \
     word list shows the named deals",
);

const WIPEOUT: TermSpec<WholeNumber> = TermSpec::new(
    "wipeout",
    WholeNumber {
        least: 1,
        most: MOST,
        usual: UsualNumber::Is(5),
        line: Some(|lead| {
            say!("sheet-wipeout", "whoever leads by {lead} in the count of hands wins at once", lead)
        }),
    },
)
.option("wipeout", "HANDS", "Poker Chess: how many hands ahead win at once; 5 if not said");

const MATE_BONUS: TermSpec<WholeNumber> = TermSpec::new(
    "mate_bonus",
    WholeNumber {
        least: 0,
        most: MOST,
        usual: UsualNumber::Follows(|terms| (3 * WIPEOUT.of(terms) + 1) / 4),
        line: Some(|bonus| say!("sheet-mate-bonus", "a mate adds {bonus} to the count of hands", bonus)),
    },
)
.option(
    "mate-bonus",
    "HANDS",
    "Poker Chess: what a mate is worth, in hands; it follows --wipeout if not said",
);

const CHOICE: TermSpec<OneWord> = TermSpec::new(
    "choice",
    OneWord(&[
        TermWord {
            word: "best",
            line: Some(|| say!("sheet-best-hand", "each player has the best hand that his pieces allow")),
        },
        TermWord {
            word: "player",
            line: Some(|| say!("sheet-player-chooses", "each player names the pieces of his hand")),
        },
    ]),
)
.option(
    "choice",
    "CHOICE",
    "Poker Chess: best (each player has his best hand) or player (each names the pieces of his hand)",
);

/// The terms of Poker Chess.
pub(super) const TERMS: &[TermSpec] = &[DEAL, WIPEOUT.spec(), MATE_BONUS.spec(), CHOICE.spec()];

/// The terms of a Poker Chess match.
#[derive(Clone, PartialEq, Debug)]
pub struct PokerChessTerms {
    /// Which card lies under which square.
    pub deal: Arc<Deal>,
    /// How many hands ahead of the opponent a player must be to win at once.
    pub wipeout: u32,
    /// What a mate is worth, in hands.
    pub mate_bonus: u32,
    /// Whether each player names the pieces of his hand. Otherwise each has the best hand that he can have.
    pub player_chooses: bool,
    sheet: Vec<SheetLine>,
}

impl PokerChessTerms {
    pub(super) fn read(terms: &mut Fields) -> Result<Self, FormError> {
        let mut said = TermReader::new(terms);
        let deal = Deal::read(said.fields())?.unwrap_or_else(Deal::usual);
        Ok(Self {
            deal: Arc::new(deal),
            wipeout: said.number(&WIPEOUT)?,
            mate_bonus: said.number(&MATE_BONUS)?,
            player_chooses: said.word(&CHOICE)? == "player",
            sheet: said.sheet(),
        })
    }
}

impl Agreed for PokerChessTerms {
    fn changed(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        let deal = Deal::read(terms)?.map_or_else(|| self.deal.clone(), Arc::new);
        Ok(Arc::new(Self { deal, ..self.clone() }))
    }

    fn begin(&self, start: Start) -> Box<dyn Game> {
        Box::new(PokerChessState::new(Arc::new(self.clone()), start))
    }

    fn sheet(&self) -> Vec<SheetLine> {
        let deal = match self.deal.name() {
            Some(name) => {
                say!("sheet-deal", "the cards lie as in the deal {name}", name = name.to_owned())
            }
            None => say!("sheet-deal-listed", "the cards lie as the terms list them"),
        };
        std::iter::once(deal.into()).chain(self.sheet.iter().cloned()).collect()
    }
}
