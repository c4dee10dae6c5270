//! Two kinds of boards: what differs between them stands here, and nothing else asks which kind a board is.

use std::sync::OnceLock;

use tabiya_types::Millis;

use super::by_hand::{ASK_AFTER, MARGIN};
use super::counts::CountTable;
use super::history::{FELT, Grid};
use super::shape::SquareRole;
use super::table::{Class, Prices};

/// What a board can tell about a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoardKind {
    /// It knows which piece stands on a square.
    Knows,
    /// It only feels that something stands there.
    Feels,
}

impl BoardKind {
    fn pick<T>(self, [knows, feels]: [T; 2]) -> T {
        match self {
            Self::Knows => knows,
            Self::Feels => feels,
        }
    }

    /// The word for it in `counts.txt`.
    pub(super) fn word(self) -> &'static str {
        self.pick(["seen", "felt"])
    }

    /// What its squares and its hands cost.
    pub(super) fn prices(self) -> &'static Prices {
        static PRICES: OnceLock<[Prices; 2]> = OnceLock::new();
        let read = |kind: Self| CountTable::parse(include_str!("counts.txt"), kind.word()).prices();
        let [knows, feels] = PRICES.get_or_init(|| [Self::Knows, Self::Feels].map(read));
        self.pick([knows, feels])
    }

    pub(super) fn margin(self) -> i32 {
        self.pick(MARGIN)
    }

    pub(super) fn ask_after(self) -> Millis {
        self.pick(ASK_AFTER)
    }

    // ---- what it shows ----

    /// These pieces as the board shows them.
    pub(super) fn shown(self, pieces: Grid) -> Grid {
        match self {
            Self::Knows => pieces,
            Self::Feels => pieces.map(|what| what.min(FELT)),
        }
    }

    /// Whether the board tells pieces apart. Otherwise they have the names that the table expects, and whoever shows a
    /// position can mean another one.
    pub(super) fn names_pieces(self) -> bool {
        self == Self::Knows
    }

    /// Whether the board shows alike which of two pieces was captured. Then a piece in the air may be put back, and one that
    /// is gone may have been captured anywhere.
    pub(super) fn hides_captures(self) -> bool {
        self == Self::Feels
    }

    /// Whether more reports may still tell what was done in a turn whose press was forgotten.
    pub(super) fn may_tell_more(self) -> bool {
        self == Self::Knows
    }

    // ---- what that means in a turn ----

    /// Whether a piece may be one that the action moves, if it is `among` these pieces or not.
    pub(super) fn may_be(self, among: bool) -> bool {
        among || self == Self::Feels
    }

    /// Whether what a square of this role shows during the turn is an entry. A capture that is felt is one entry, at its end.
    pub(super) fn enters_runs_on(self, role: SquareRole) -> bool {
        self == Self::Knows || role != SquareRole::Take
    }

    /// Whether the square of a capture ends as it should, but shows no arrival: it counts how the capture was felt.
    pub(super) fn only_feels_capture(self, role: SquareRole, class: Class) -> bool {
        self == Self::Feels && role == SquareRole::Take && class == Class::After
    }
}
