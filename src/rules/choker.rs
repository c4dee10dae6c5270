//! Choker: a game of poker betting with 44 chess cards, then placing the dealt pieces, then chess.
//!
//! Source: the printed rules, cited by their numbers, and the project's decisions where these rules have gaps
//! (`docs/rules.md`).

mod placing;
mod state;
mod terms;

use std::sync::Arc;

use tabiya_types::{Pack, Sentence, say};

pub use placing::{PlaceError, Zone};
pub use state::ChokerState;
pub use terms::{Blinds, ChokerTerms, Rise};

use super::datum::Group;
use super::fields::{Fields, FormError};
use super::kind::{Agreed, GameKind, Preset};
use super::play::Play;
use super::term::TermSpec;
use super::verb::Verb;

/// The game kind `choker`.
#[derive(Debug)]
pub struct Choker;

impl GameKind for Choker {
    fn name(&self) -> &'static str {
        "choker"
    }

    fn title(&self) -> Sentence {
        say!("game-name-choker", "Choker")
    }

    fn terms(&self) -> &'static [TermSpec] {
        terms::TERMS
    }

    fn required_terms(&self) -> &'static [&'static str] {
        &["stacks", "small_blind"]
    }

    fn terms_for_next(&self) -> &'static [&'static str] {
        &["becket"]
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset { name: "club", terms: || terms::usual(200).with("time", "120") },
            Preset {
                name: "tour",
                terms: || {
                    let levels: Vec<u32> = vec![1, 2, 3, 4, 6, 8, 10, 15, 20];
                    let blinds = Group::new().with("every", "game").with("levels", levels);
                    terms::usual(20).with("blinds", blinds).with("time", "180")
                },
            },
            Preset { name: "blitz", terms: || terms::usual(200).with("time", "120") },
            Preset { name: "slow", terms: || terms::usual(200).with("time", "900+10") },
        ]
    }

    fn packs(&self) -> &'static [Pack] {
        &[Pack::Choker]
    }

    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(ChokerTerms::read(terms)?))
    }

    fn verbs(&self) -> &'static [Verb] {
        &Verb::ALL
    }

    fn reads_position(&self, fen: &str) -> bool {
        Play::from_fen(fen, true, false).is_ok()
    }
}
