//! PokerDrez: chess in which a card must be used up to move a piece, with open cards, a die, a stock and stakes.
//!
//! Source: the maker's page (pokerdrez.com), and the project's decisions where it is silent
//! (`docs/rules-pokerdrez.md`); `docs/record-pokerdrez.md`.

mod cards;
mod habits;
mod laying;
mod letter;
mod lines;
mod offered;
mod offers;
mod pawns;
mod pool;
mod refusals;
mod stake;
mod state;
mod terms;
mod turn;

use std::sync::Arc;

use tabiya_types::{Pack, Sentence, say};

pub use letter::{DECK_SIZE, DrezCard, DrezCounts};
pub use lines::{DrezAction, DrezOwn, SwapWith};
pub use offers::{DrezOffer, DrezRuled};
pub use state::PokerDrezState;
pub use terms::{DrezBets, PokerDrezTerms};

use super::action::OwnAction;
use super::change::OwnChange;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::kind::{Agreed, GameKind, Preset};
use super::play::Play;
use super::term::TermSpec;
use super::verb::Verb;

/// The game kind `pokerdrez`.
#[derive(Debug)]
pub struct PokerDrez;

impl GameKind for PokerDrez {
    fn name(&self) -> &'static str {
        "pokerdrez"
    }

    fn title(&self) -> Sentence {
        say!("game-name-pokerdrez", "PokerDrez")
    }

    fn terms(&self) -> &'static [TermSpec] {
        terms::TERMS
    }

    fn required_terms(&self) -> &'static [&'static str] {
        &[]
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset { name: "blitz", terms: || Group::new().with("time", "300") },
            Preset { name: "slow", terms: || Group::new().with("time", "900+10") },
        ]
    }

    fn packs(&self) -> &'static [Pack] {
        &[Pack::PokerDrez, Pack::PokerDrezDouble]
    }

    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(PokerDrezTerms::read(terms)?))
    }

    fn verbs(&self) -> &'static [Verb] {
        use Verb::{AcceptDraw, Bet, ClaimDraw, DeclineDraw, Fouled, Move, OfferDraw, Resign};
        &[Bet, Fouled, Move, Resign, OfferDraw, AcceptDraw, DeclineDraw, ClaimDraw]
    }

    fn read_own(&self, word: &str, fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        Ok(DrezAction::read(word, fields)?.map(OwnAction::new))
    }

    fn read_ruling(&self, set: &mut Fields) -> Result<Option<OwnChange>, FormError> {
        Ok(DrezRuled::read(set)?.map(OwnChange::new))
    }

    fn reads_position(&self, fen: &str) -> bool {
        Play::from_fen(fen, true, false).is_ok()
    }
}
