//! Poker Chess: chess on a board under which a deck of cards lies; the pieces form poker hands.
//!
//! Source: Ralph Betza's rules of 2003, and the project's decisions where these rules have gaps
//! (`docs/rules-poker-chess.md`); `docs/record-poker-chess.md`.

mod card;
mod choose;
mod deal;
mod habits;
mod hand;
mod sets;
mod state;
mod terms;

use std::sync::Arc;

use tabiya_types::{Sentence, say};

pub use card::{PlayingCard, Rank, Suit};
pub use choose::{Choices, Choose};
pub use deal::{Deal, carded_squares};
pub use hand::{HandKind, PokerHand};
pub use state::{HANDS, PokerChessState, WIPEOUT};
pub use terms::PokerChessTerms;

use self::deal::KnownDeals;
use super::action::OwnAction;
use super::capability::SquareDeals;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::kind::{Agreed, GameKind, Preset};
use super::play::Play;
use super::term::TermSpec;
use super::verb::Verb;

/// The game kind `poker-chess`.
#[derive(Debug)]
pub struct PokerChess;

impl GameKind for PokerChess {
    fn name(&self) -> &'static str {
        "poker-chess"
    }

    fn terms(&self) -> &'static [TermSpec] {
        terms::TERMS
    }

    fn required_terms(&self) -> &'static [&'static str] {
        &[]
    }

    fn terms_for_next(&self) -> &'static [&'static str] {
        &["deal"]
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset { name: "blitz", terms: || Group::new().with("time", "120") },
            Preset { name: "slow", terms: || Group::new().with("time", "900+10") },
        ]
    }

    fn title(&self) -> Sentence {
        say!("game-name-poker-chess", "Poker Chess")
    }

    fn square_deals(&self) -> Option<&'static dyn SquareDeals> {
        Some(&KnownDeals)
    }

    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(PokerChessTerms::read(terms)?))
    }

    fn verbs(&self) -> &'static [Verb] {
        &Verb::CHESS
    }

    fn read_own(&self, word: &str, fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        match word {
            choose::WORD => Choose::read(fields).map(|choose| Some(OwnAction::new(choose))),
            _ => Ok(None),
        }
    }

    fn reads_position(&self, fen: &str) -> bool {
        Play::from_fen(fen, true, false).is_ok()
    }
}
