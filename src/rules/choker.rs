//! Choker: poker betting with 44 chess cards, then placing what was dealt, then chess.
//!
//! Source: the printed rules by number (`docs/rules.md`), with our rulings on their gaps.

mod action;
mod placing;
mod state;
mod terms;

use std::sync::Arc;

pub use action::{ChokerAction, Says};
pub use placing::{PlaceError, Zone};
pub use state::State;
pub use terms::{Blinds, ChokerTerms, Rise};

use super::game::{Action, Agreed, Kind, Preset};
use super::text::{Fields, FormError};

/// The game of Choker.
#[derive(Debug)]
pub struct Choker;

impl Kind for Choker {
    fn name(&self) -> &'static str {
        "choker"
    }

    fn terms(&self) -> &'static [&'static str] {
        terms::NAMES
    }

    fn required_terms(&self) -> &'static [&'static str] {
        &["stacks", "small_blind"]
    }

    fn terms_for_next(&self) -> &'static [&'static str] {
        &["becket"]
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset { name: "club", terms: r#"{"stacks":{"A":200,"B":200},"small_blind":1,"time":"120"}"# },
            Preset {
                name: "tour",
                terms: r#"{"stacks":{"A":20,"B":20},"small_blind":1,"blinds":{"every":"game","levels":[1,2,3,4,6,8,10,15,20]},"time":"180"}"#,
            },
            Preset { name: "blitz", terms: r#"{"stacks":{"A":200,"B":200},"small_blind":1,"time":"120"}"# },
            Preset { name: "slow", terms: r#"{"stacks":{"A":200,"B":200},"small_blind":1,"time":"900+10"}"# },
        ]
    }

    fn turns_cards_over(&self) -> bool {
        true
    }

    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(ChokerTerms::read(terms)?))
    }

    fn read(&self, verb: &str, fields: &mut Fields) -> Result<Option<Action>, FormError> {
        Ok(ChokerAction::read(verb, fields)?.map(Action::new))
    }
}
