//! What would be accepted now, as values: buttons, prompts and random play are made of them.

use std::any::Any;
use std::fmt;

use tabiya_types::{Card, Color, Square};

use super::action::{Action, Place};
use super::bet::Bet;
use super::chips::Chips;
use super::datum::Group;
use super::own::own;
use super::verb::Verb;

/// Something that a game would accept now.
#[derive(Clone, PartialEq, Debug)]
pub enum Offer {
    /// Just this.
    Do(Action),
    /// A raise to any total from `least` to `most` on this street.
    Raise {
        /// Whose.
        by: Color,
        /// The least total.
        least: Chips,
        /// The largest total.
        most: Chips,
    },
    /// A piece on any of these squares.
    Place {
        /// Whose.
        by: Color,
        /// What the card is played as.
        piece: Card,
        /// Where; at least one.
        at: Vec<Square>,
    },
    /// What only this game has.
    Own(OwnOffer),
}

impl Offer {
    /// Whose it would be, where it is one player's.
    pub fn by(&self) -> Option<Color> {
        match self {
            Self::Do(action) => action.by(),
            Self::Raise { by, .. } | Self::Place { by, .. } => Some(*by),
            Self::Own(own) => own.by(),
        }
    }

    /// The shared action that it is, or is a range of.
    pub fn verb(&self) -> Option<Verb> {
        match self {
            Self::Do(action) => action.verb(),
            Self::Raise { .. } => Some(Verb::Bet),
            Self::Place { .. } => Some(Verb::Place),
            Self::Own(_) => None,
        }
    }

    /// The record's word, for the sentences that quote it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Do(action) => action.word(),
            Self::Raise { .. } => Verb::Bet.word(),
            Self::Place { .. } => Verb::Place.word(),
            Self::Own(own) => own.word(),
        }
    }

    /// Whether it is part of a timed turn ([`Action::takes_turn`]).
    pub fn takes_turn(&self) -> bool {
        match self {
            Self::Do(action) => action.takes_turn(),
            Self::Raise { .. } => false,
            Self::Place { .. } => true,
            Self::Own(own) => own.takes_turn(),
        }
    }

    /// Whether it has to wait while the game is paused.
    pub fn waits_while_paused(&self) -> bool {
        match self {
            Self::Do(action) => action.waits_while_paused(),
            Self::Raise { .. } | Self::Place { .. } => true,
            Self::Own(own) => own.waits_while_paused(),
        }
    }

    /// The raise to this total, if it lies in the offer's range.
    pub fn raise(&self, to: Chips) -> Option<Action> {
        match self {
            Self::Raise { by, least, most } if (*least..=*most).contains(&to) => {
                Some(Action::Bet { by: *by, bet: Bet::Raise(to) })
            }
            _ => None,
        }
    }

    /// The placement on this square, if it is one of the offer's.
    pub fn place(&self, on: Square) -> Option<Place> {
        match self {
            Self::Place { by, piece, at } if at.contains(&on) => Some(Place::new(*by, *piece, on)),
            _ => None,
        }
    }
}

/// What an offer that only one game has must tell about itself.
pub trait OfferData: Any + fmt::Debug + Send + Sync {
    /// The record's word.
    fn word(&self) -> &'static str;
    /// Whose it would be, where it is one player's.
    fn by(&self) -> Option<Color>;
    /// Its fields but `by`, in the record's order, ranges and lists among them.
    fn fields(&self) -> Group;
    /// Whether it is part of a timed turn.
    fn takes_turn(&self) -> bool;
    /// Whether it has to wait while the game is paused.
    fn waits_while_paused(&self) -> bool;
}

own! {
    /// An offer that only one game has; that game's own screen alone looks inside.
    OwnOffer of OfferData
}
