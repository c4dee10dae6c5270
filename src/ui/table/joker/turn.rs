//! What the screen remembers of a turn with cards.

use tabiya_engine::rules::chess_joker::CardStep;
use tabiya_types::Color;

use super::choosing::{CouldDo, UseChoice};
use super::declaring::Declaring;
use super::drawing::DrawFields;

/// What the screen remembers of a turn.
#[derive(Clone, Debug, Default)]
pub(in crate::table) struct CardTurn {
    /// The number of inputs in the record when the turn was looked at last. When it changes, everything begins anew.
    pub(in crate::table) acts: usize,
    /// Whose card's uses are on the board; `None` for those of the player to act.
    pub(in crate::table) looked_at: Option<Color>,
    /// The use that is being chosen.
    pub(in crate::table) choice: Option<UseChoice>,
    /// The step of the list that the pointer or the keyboard focus is on.
    pub(in crate::table) pointed: Option<CardStep>,
    /// What an unwritten card did, as far as it was said.
    pub(in crate::table) declaring: Option<Declaring>,
    pub(in crate::table) draw: DrawFields,
    /// What the looked-at card could do.
    pub(in crate::table) could: Option<CouldDo>,
}

impl CardTurn {
    pub(in crate::table) fn follow(&mut self, acts: usize) {
        if self.acts != acts {
            *self = Self { acts, ..Self::default() };
        }
    }
}
