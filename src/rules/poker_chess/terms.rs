//! The terms of a Poker Chess match.
//!
//! Source: `docs/rules-poker-chess.md`, rules 5 to 8 and 20 to 23; `docs/record-poker-chess.md`, "Header".

use std::sync::Arc;

use tabiya_types::{Sentence, say};

use super::deal::Deal;
use super::state::PokerChessState;
use crate::rules::fields::{Fields, FormError};
use crate::rules::game::Game;
use crate::rules::kind::{Agreed, Start};

/// The names of the terms that Poker Chess reads.
pub(super) const NAMES: &[&str] = &["deal", "wipeout", "mate_bonus", "choice"];

/// The lead in hands that wins a game, unless the players agree on another.
const USUAL_WIPEOUT: u32 = 5;
/// The most that `wipeout` and `mate_bonus` may say.
const MOST: u64 = 1000;

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
}

impl PokerChessTerms {
    pub(super) fn read(terms: &mut Fields) -> Result<Self, FormError> {
        let deal = Deal::read(terms)?.unwrap_or_else(Deal::usual);
        let wipeout = match number(terms, "wipeout")? {
            Some(0) => return Err(terms.wrong("wipeout", "at least 1")),
            wipeout => wipeout.unwrap_or(USUAL_WIPEOUT),
        };
        Ok(Self {
            deal: Arc::new(deal),
            wipeout,
            mate_bonus: number(terms, "mate_bonus")?.unwrap_or((3 * wipeout + 1) / 4),
            player_chooses: terms.need_or("choice", "`best` or `player`", false, |word| match word {
                "best" => Some(false),
                "player" => Some(true),
                _ => None,
            })?,
        })
    }
}

fn number(terms: &mut Fields, name: &str) -> Result<Option<u32>, FormError> {
    Ok(terms.number(name, MOST)?.map(|number| u32::try_from(number).expect("bounded by MOST")))
}

impl Agreed for PokerChessTerms {
    fn changed(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        let deal = Deal::read(terms)?.map_or_else(|| self.deal.clone(), Arc::new);
        Ok(Arc::new(Self { deal, ..self.clone() }))
    }

    fn begin(&self, start: Start) -> Box<dyn Game> {
        Box::new(PokerChessState::new(Arc::new(self.clone()), start))
    }

    fn sheet(&self) -> Vec<Sentence> {
        vec![
            match self.deal.name() {
                Some(name) => {
                    say!("sheet-deal", "the cards lie as in the deal {name}", name = name.to_owned())
                }
                None => say!("sheet-deal-listed", "the cards lie as the terms list them"),
            },
            say!(
                "sheet-wipeout",
                "whoever leads by {lead} in the count of hands wins at once",
                lead = self.wipeout
            ),
            say!("sheet-mate-bonus", "a mate adds {bonus} to the count of hands", bonus = self.mate_bonus),
            if self.player_chooses {
                say!("sheet-player-chooses", "each player names the pieces of his hand")
            } else {
                say!("sheet-best-hand", "each player has the best hand that his pieces allow")
            },
        ]
    }
}
