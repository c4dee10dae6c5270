//! Whose boards: a brand by its word, its name and what its boards can do. Data alone, so that whatever a board tells can
//! carry it.

use std::fmt;

/// The brand of a board: whose protocol it speaks. Small and copied freely; brands are told apart by their prefix.
#[derive(Clone, Copy)]
pub struct Brand {
    /// The word before the colon of an address: `dgt:/dev/ttyACM0`.
    pub prefix: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What its boards can do at most. A board tells itself what it lacks.
    pub abilities: Abilities,
}

impl PartialEq for Brand {
    fn eq(&self, other: &Self) -> bool {
        self.prefix == other.prefix
    }
}

impl Eq for Brand {}

impl fmt::Debug for Brand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Brand({})", self.prefix)
    }
}

/// What a board can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abilities {
    /// What its squares tell.
    pub sees: Sees,
    /// How it can point at squares.
    pub lights: LampLayout,
    /// Whether a clock can stand behind it, or a lever that tells its presses.
    pub clock: bool,
    /// Whether it tells how full its battery is.
    pub battery: bool,
    /// Whether it has a display of its own for short texts; that of a clock behind it is the clock's.
    pub display: bool,
}

impl Abilities {
    /// Nothing at all: what a board can is added to it.
    pub const NONE: Self =
        Self { sees: Sees::Nothing, lights: LampLayout::None, clock: false, battery: false, display: false };
}

/// What a board's squares tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// Which piece stands there.
    Pieces,
    /// Only that something stands there.
    Occupancy,
    /// It has none: a box with a reader of cards, a lever or buttons.
    Nothing,
}

/// How a board can point at squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LampLayout {
    /// It cannot.
    None,
    /// A lamp in each square.
    Squares,
    /// 9 × 9 lamps at the squares' corners, shared by neighbours.
    Corners,
}
