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

use super::game::{Action, Agreed, Kind};
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

    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError> {
        Ok(Arc::new(ChokerTerms::read(terms)?))
    }

    fn read(&self, verb: &str, fields: &mut Fields) -> Result<Option<Action>, FormError> {
        Ok(ChokerAction::read(verb, fields)?.map(Action::new))
    }
}
