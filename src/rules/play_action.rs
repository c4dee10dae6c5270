//! The actions of the chess phase, which several games share.

use tabiya_types::{Color, Role, Sentence, say};

use super::uci::Uci;
use super::verb::Verb;

/// An action of the chess phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayAction {
    /// A move. Castling is `e1g1`, promotion `e7e8q`.
    Move {
        /// The player who moves.
        by: Color,
        /// The move in UCI notation.
        uci: Uci,
        /// The physical piece that is used on the board in place of the promoted piece, if any.
        stands: Option<Role>,
    },
    /// This player resigns.
    Resign(Color),
    /// This player offers a draw.
    OfferDraw(Color),
    /// This player accepts the opponent's draw offer.
    AcceptDraw(Color),
    /// This player declines the opponent's draw offer.
    DeclineDraw(Color),
    /// A player claims a draw by repetition or by the fifty-move rule.
    ClaimDraw {
        /// The player who claims.
        by: Color,
        /// The move that the player intends; it is not played.
        uci: Option<Uci>,
    },
}

impl PlayAction {
    /// The player who acts.
    pub fn player(&self) -> Color {
        match *self {
            Self::Move { by, .. } | Self::ClaimDraw { by, .. } => by,
            Self::Resign(by) | Self::OfferDraw(by) | Self::AcceptDraw(by) | Self::DeclineDraw(by) => by,
        }
    }

    /// The kind of the action.
    pub fn verb(&self) -> Verb {
        match self {
            Self::Move { .. } => Verb::Move,
            Self::Resign(_) => Verb::Resign,
            Self::OfferDraw(_) => Verb::OfferDraw,
            Self::AcceptDraw(_) => Verb::AcceptDraw,
            Self::DeclineDraw(_) => Verb::DeclineDraw,
            Self::ClaimDraw { .. } => Verb::ClaimDraw,
        }
    }

    /// The action as a sentence for the list of past events.
    pub fn describe(&self) -> Sentence {
        let by = self.player();
        match self {
            Self::Move { uci, .. } => say!("tell-move", "{by} plays {uci}", by, uci = uci.to_string()),
            Self::Resign(_) => say!("tell-resign", "{by} resigns", by),
            Self::OfferDraw(_) => say!("tell-offer-draw", "{by} offers a draw", by),
            Self::AcceptDraw(_) => say!("tell-accept-draw", "{by} accepts the draw", by),
            Self::DeclineDraw(_) => say!("tell-decline-draw", "{by} declines the draw", by),
            Self::ClaimDraw { .. } => say!("tell-claim-draw", "{by} claims a draw", by),
        }
    }
}
