//! The actions that a game would accept now, as values. Buttons, prompts and random play are built from them.

use std::any::Any;
use std::fmt;

use tabiya_types::{Card, Color, Square};

use super::action::{Action, OwnAction, Place};
use super::bet::Bet;
use super::capability::PieceSets;
use super::chips::Chips;
use super::datum::Group;
use super::own::own;
use super::verb::Verb;

/// An action, or a range of actions, that a game would accept now.
#[derive(Clone, PartialEq, Debug)]
pub enum Offer {
    /// Exactly this action.
    Do(Action),
    /// A raise to any total on this street from `least` to `most`.
    Raise {
        /// The player who may raise.
        by: Color,
        /// The smallest total of the raise.
        least: Chips,
        /// The largest total of the raise.
        most: Chips,
    },
    /// The placement of a piece on any one of several squares.
    Place {
        /// The player who may place the piece.
        by: Color,
        /// The piece that the card is played as.
        piece: Card,
        /// The squares to choose from; at least one.
        at: Vec<Square>,
    },
    /// An offer that only one kind of game has.
    Own(OwnOffer),
}

impl Offer {
    /// The player who may take the offered action; `None` if the offer belongs to no single player.
    pub fn by(&self) -> Option<Color> {
        match self {
            Self::Do(action) => action.by(),
            Self::Raise { by, .. } | Self::Place { by, .. } => Some(*by),
            Self::Own(own) => own.by(),
        }
    }

    /// The kind of the offered action; `None` for an offer that only one kind of game has.
    pub fn verb(&self) -> Option<Verb> {
        match self {
            Self::Do(action) => action.verb(),
            Self::Raise { .. } => Some(Verb::Bet),
            Self::Place { .. } => Some(Verb::Place),
            Self::Own(_) => None,
        }
    }

    /// The record's word for the offered action, for sentences that quote it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Do(action) => action.word(),
            Self::Raise { .. } => Verb::Bet.word(),
            Self::Place { .. } => Verb::Place.word(),
            Self::Own(own) => own.word(),
        }
    }

    /// Whether the offered action is part of a timed turn ([`Action::takes_turn`]).
    pub fn takes_turn(&self) -> bool {
        match self {
            Self::Do(action) => action.takes_turn(),
            Self::Raise { .. } => false,
            Self::Place { .. } => true,
            Self::Own(own) => own.takes_turn(),
        }
    }

    /// Whether the offered action is refused while the game is paused.
    pub fn waits_while_paused(&self) -> bool {
        match self {
            Self::Do(action) => action.waits_while_paused(),
            Self::Raise { .. } | Self::Place { .. } => true,
            Self::Own(own) => own.waits_while_paused(),
        }
    }

    /// The raise to the total `to`; `None` if this offer is no raise or `to` is outside its range.
    pub fn raise(&self, to: Chips) -> Option<Action> {
        match self {
            Self::Raise { by, least, most } if (*least..=*most).contains(&to) => {
                Some(Action::Bet { by: *by, bet: Bet::Raise(to) })
            }
            _ => None,
        }
    }

    /// The placement on the square `on`; `None` if this offer is no placement or does not allow the square.
    pub fn place(&self, on: Square) -> Option<Place> {
        match self {
            Self::Place { by, piece, at } if at.contains(&on) => Some(Place::new(*by, *piece, on)),
            _ => None,
        }
    }
}

/// The methods of an [`OwnOffer`].
pub trait OfferData: Any + fmt::Debug + Send + Sync {
    /// The record's word for the offered action.
    fn word(&self) -> &'static str;
    /// The player who may take the offered action; `None` if the offer belongs to no single player.
    fn by(&self) -> Option<Color>;
    /// The fields of the offer except `by`, in the record's order. A range or a list of choices is also a field.
    fn fields(&self) -> Group;
    /// Whether the offered action is part of a timed turn.
    fn takes_turn(&self) -> bool;
    /// Whether the offered action is refused while the game is paused.
    fn waits_while_paused(&self) -> bool;
    /// The sets of pieces from which the player names one; `None` for an offer of another kind.
    fn piece_sets(&self) -> Option<&PieceSets> {
        None
    }
    /// The offered action with these pieces; `None` for an offer that names none.
    fn with_pieces(&self, _squares: Vec<Square>) -> Option<OwnAction> {
        None
    }
    /// Some of the actions that the offer stands for, of those that change the board; empty if none does.
    fn samples(&self) -> Vec<OwnAction> {
        Vec::new()
    }
}

own! {
    /// An offer that only one kind of game has. Only the screen of that kind of game reads its contents.
    OwnOffer of OfferData
}
