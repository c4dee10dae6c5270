//! The score sheet of a game: its moves in SAN with their numbers, its cards, and the positions at which chess alone
//! cannot go on: after a card and after a ruling.
//!
//! Source: `docs/exports.md`, "Moves and comments".

use std::sync::Arc;

use tabiya_types::Color;

use super::super::position::JokerPosition;
use crate::rules::capability::ChessLeg;
use crate::rules::uci::Uci;

/// The plays of a game in their order.
#[derive(Clone, Debug)]
pub(super) struct JokerSheet {
    /// The plays as the results list them: moves in UCI, cards with their steps.
    pub(super) listed: Arc<Vec<String>>,
    /// The same as people write them: moves in SAN.
    pub(super) noted: Arc<Vec<String>>,
    /// The moves in SAN, one list for each position from which only moves follow.
    pub(super) legs: Arc<Vec<ChessLeg>>,
    /// The number of the present move: one more after each turn of Black.
    pub(super) number: u32,
}

impl JokerSheet {
    /// An empty sheet of a game that begins here.
    pub(super) fn new(position: &JokerPosition, turn: Color) -> Self {
        let leg = ChessLeg { start_fen: position.fen(turn, 1), san: Vec::new() };
        Self { listed: Arc::default(), noted: Arc::default(), legs: Arc::new(vec![leg]), number: 1 }
    }

    /// Adds a move.
    pub(super) fn moved(&mut self, uci: Uci, san: String) {
        Arc::make_mut(&mut self.listed).push(uci.to_string());
        Arc::make_mut(&mut self.noted).push(san.clone());
        if let Some(leg) = Arc::make_mut(&mut self.legs).last_mut() {
            leg.san.push(san);
        }
    }

    /// Adds a card of this player, and the position after it.
    pub(super) fn used(&mut self, by: Color, listed: &str, after: &JokerPosition) {
        for list in [&mut self.listed, &mut self.noted] {
            Arc::make_mut(list).push(listed.to_owned());
        }
        self.goes_on_from(after, by.other(), self.number + u32::from(by == Color::Black));
    }

    /// The moves go on from another position. A position from which nobody has moved is forgotten.
    pub(super) fn goes_on_from(&mut self, position: &JokerPosition, turn: Color, number: u32) {
        let legs = Arc::make_mut(&mut self.legs);
        legs.pop_if(|last| last.san.is_empty());
        legs.push(ChessLeg { start_fen: position.fen(turn, number), san: Vec::new() });
    }
}
