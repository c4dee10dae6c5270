//! Chess Joker: chess with a card a turn. A card moves pieces in its own way, or scores its Elo points.
//!
//! The texts of cards belong to their maker. A player types the effect of a card in a small language (`effect`); a
//! card without a written effect is played by declaration and confirmation.
//!
//! Source: the rulebook of Carl Chudyk's Chess Joker (version 1.0), and the project's decisions where it has gaps
//! (`docs/rules-chess-joker.md`); `docs/record-chess-joker.md`; `docs/effects-chess-joker.md`.

mod card;
mod choice;
mod effect;
mod habits;
mod lines;
mod lines_of_board;
mod men;
mod picture;
mod plays;
mod position;
mod ruled;
mod san;
mod state;
mod step;
mod terms;

use std::sync::Arc;

use tabiya_types::{Sentence, say};

pub use card::{Code, JokerCard, MOST_ELO};
pub use choice::{CardUses, FirstSteps, StepsAfter};
pub use effect::{CardEffect, EffectError, Masquerade};
pub use lines::{ClaimedCheck, DrawCard, JokerAction, JokerOffer, PlayCard};
pub use ruled::Ruled;
pub use state::{DECK_OUT, ELO, ENOUGH, JokerCheck, JokerSight, JokerState};
pub use step::CardStep;
pub use terms::{CardFileNamed, JokerTerms};

use super::action::OwnAction;
use super::change::OwnChange;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::kind::{Agreed, GameKind, Preset};
use super::term::TermSpec;
use super::verb::Verb;

/// The game kind `chess-joker`.
#[derive(Debug)]
pub struct ChessJoker;

impl GameKind for ChessJoker {
    fn name(&self) -> &'static str {
        "chess-joker"
    }

    fn title(&self) -> Sentence {
        say!("game-name-chess-joker", "Chess Joker")
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
            Preset { name: "slow", terms: || Group::new().with("time", "1500+10") },
        ]
    }

    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(JokerTerms::read(terms)?))
    }

    fn verbs(&self) -> &'static [Verb] {
        &Verb::CHESS
    }

    fn read_own(&self, word: &str, fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        Ok(JokerAction::read(word, fields)?.map(OwnAction::new))
    }

    fn read_ruling(&self, set: &mut Fields) -> Result<Option<OwnChange>, FormError> {
        Ok(Ruled::read(set)?.map(OwnChange::new))
    }

    fn reads_position(&self, fen: &str) -> bool {
        position::JokerPosition::from_fen(fen).is_some()
    }
}
