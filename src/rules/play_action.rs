//! What is done in the chess phase, whichever game it belongs to.

use tabiya_types::{Color, Role, Sentence, say};

use super::uci::Uci;
use super::verb::Verb;

/// An action of the chess phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayAction {
    /// A move. Castling is `e1g1`, promotion `e7e8q`.
    Move {
        /// Who moves.
        by: Color,
        /// The move in UCI.
        uci: Uci,
        /// The physical piece that stands for the promoted one.
        stands: Option<Role>,
    },
    /// Gives the game up.
    Resign(Color),
    /// Offers a draw.
    OfferDraw(Color),
    /// Accepts the other's offer.
    AcceptDraw(Color),
    /// Declines it.
    DeclineDraw(Color),
    /// Claims a draw by repetition or fifty moves.
    ClaimDraw {
        /// Who claims.
        by: Color,
        /// The move he intends, which is not played.
        uci: Option<Uci>,
    },
}

impl PlayAction {
    /// Whose it is.
    pub fn player(&self) -> Color {
        match *self {
            Self::Move { by, .. } | Self::ClaimDraw { by, .. } => by,
            Self::Resign(by) | Self::OfferDraw(by) | Self::AcceptDraw(by) | Self::DeclineDraw(by) => by,
        }
    }

    /// The shared word it goes by.
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

    /// How it reads in the story of a game.
    pub fn tell(&self) -> Sentence {
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
