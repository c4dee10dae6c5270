//! An effect as a value: ways, steps, pieces, places and what is asked of them.
//!
//! Source: `docs/effects-chess-joker.md`, "Grammar". `parse.rs` makes these values and holds what must be true of them.

use tabiya_types::{Role, Square};

/// One way of an effect: steps in order, one to seven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Way {
    pub(super) steps: Vec<EffectStep>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EffectStep {
    pub(super) deed: StepDeed,
    pub(super) tail: StepTail,
}

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum StepDeed {
    Warp(PieceChoice),
    Move { piece: PieceChoice, like: Option<Kinds>, twice: bool },
    Add { enemy: bool, kind: Kinds },
    Promote { piece: PieceChoice, to: Option<Kinds> },
}

/// Where a step ends and what else must hold. Empty in `promote`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct StepTail {
    /// Everything that must hold of the goal; empty: any goal.
    pub(super) place: Vec<Ask>,
    pub(super) threaten: Option<PieceChoice>,
    pub(super) capture: Capturing,
    pub(super) same_way: bool,
}

/// What a step says about capturing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Capturing {
    #[default]
    Free,
    Never,
    Any,
    Of(PieceChoice),
}

/// Which pieces are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PieceChoice {
    pub(super) head: PieceHead,
    /// Everything that must hold of the piece.
    pub(super) asks: Vec<Ask>,
}

/// The name of a piece in a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PieceHead {
    /// The piece that the step before took.
    It,
    /// `another` without a name: of the kind that the step names.
    Another,
    Named {
        another: bool,
        owner: Whose,
        kind: Kinds,
    },
}

/// Whose pieces are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whose {
    You,
    Enemy,
    Any,
}

/// Kinds of piece, as sets: bit n stands for `Role::ALL[n]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kinds {
    pub(super) plain: u8,
    /// The kinds that are printed bold, for which a masquerade may put others.
    pub(super) bold: u8,
    /// Only pieces in this file (0 to 7).
    pub(super) file: Option<u8>,
}

impl Kinds {
    /// `piece`: every kind.
    pub(super) const PIECE: Self = Self { plain: 0b11_1111, bold: 0, file: None };
}

/// One thing that is asked of a square, or of the piece on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ask {
    pub(super) not: bool,
    pub(super) what: What,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    Empty,
    At(Square),
    Trait(Trait),
    Relation(Relation, Thing),
    InItsFile,
    InItsRank,
}

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trait {
    Light,
    Dark,
    Center,
    Edge,
    Kingside,
    Queenside,
    /// The player's own rank, 1 to 8.
    Rank(u8),
    /// 0 = a to 7 = h.
    File(u8),
    Doubled,
    Pinned,
    Immobile,
    Threatened,
}

impl Trait {
    /// Whether only a piece can have it, not a square.
    pub(super) fn of_pieces_alone(self) -> bool {
        matches!(self, Self::Doubled | Self::Pinned | Self::Immobile | Self::Threatened)
    }
}

/// How a square lies to a thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    By,
    Beside,
    InFrontOf,
    Behind,
    InRankOf,
    InFileOf,
    ThreatenedBy,
    Threatening,
}

/// The things to which a relation is asked, and how many of them there must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Thing {
    pub(super) count: Count,
    /// `None`: empty squares.
    pub(super) of: Option<Box<PieceChoice>>,
}

/// How many things must fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Count {
    None,
    AtLeast(u8),
}

impl EffectStep {
    /// The kind that the step names, for `another` alone; `None` in a step that takes `it`.
    pub(super) fn named(&self) -> Option<Kinds> {
        match &self.deed {
            StepDeed::Add { kind, .. } => Some(*kind),
            StepDeed::Warp(piece) | StepDeed::Move { piece, .. } | StepDeed::Promote { piece, .. } => {
                piece.named()
            }
        }
    }

    /// Whether the step can ever capture on its goal. Only a piece of the player's captures.
    pub(super) fn may_capture(&self) -> bool {
        let own = match &self.deed {
            StepDeed::Add { enemy, .. } => !enemy,
            StepDeed::Promote { .. } => false,
            StepDeed::Warp(piece) | StepDeed::Move { piece, .. } => {
                !matches!(piece.head, PieceHead::Named { owner: Whose::Enemy, .. })
            }
        };
        let twice = matches!(self.deed, StepDeed::Move { twice: true, .. });
        let onto_empty = self.tail.place.contains(&Ask { not: false, what: What::Empty });
        own && self.tail.capture != Capturing::Never && (twice || !onto_empty)
    }

    /// On how many squares the step can change the board at most. An added piece changes one square, a warp two, a
    /// going three (en passant).
    pub(super) fn reach(&self) -> usize {
        match self.deed {
            StepDeed::Warp(_) => 2,
            StepDeed::Move { twice: false, .. } => 3,
            StepDeed::Move { twice: true, .. } => 6,
            StepDeed::Add { .. } | StepDeed::Promote { .. } => 1,
        }
    }

    /// How much the step weighs in its way.
    pub(super) fn weight(&self) -> u32 {
        match self.deed {
            StepDeed::Warp(_) | StepDeed::Add { .. } => 3,
            StepDeed::Move { twice: false, .. } => 2,
            StepDeed::Move { twice: true, .. } => 4,
            StepDeed::Promote { .. } => 1,
        }
    }
}

impl PieceChoice {
    fn named(&self) -> Option<Kinds> {
        match self.head {
            PieceHead::Named { kind, .. } => Some(kind),
            PieceHead::It | PieceHead::Another => None,
        }
    }
}

/// The kinds in a set of bits.
pub(super) fn roles(bits: u8) -> impl Iterator<Item = Role> {
    Role::ALL.into_iter().filter(move |role| bits >> *role as u8 & 1 == 1)
}
