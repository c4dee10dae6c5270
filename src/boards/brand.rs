//! The brand of a board: its prefix, its name and what its boards can do. Plain data, so that events can contain it.

use std::fmt;

/// The brand of a board, which determines its protocol. Brands are compared by their prefix.
#[derive(Clone, Copy)]
pub struct Brand {
    /// The word before the colon of an address, such as `dgt` in `dgt:/dev/ttyACM0`.
    pub prefix: &'static str,
    /// The name that is shown to people.
    pub name: &'static str,
    /// Everything that boards of this brand can do. A single board may report that it can do less.
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
    /// What the board's squares detect.
    pub sees: Sees,
    /// How the board's lamps are arranged.
    pub lights: LampLayout,
    /// Whether a clock, or a lever that reports its presses, can be connected to the board.
    pub clock: bool,
    /// Whether the board reports its battery level.
    pub battery: bool,
    /// Whether the board itself has a display for short texts. The display of a connected clock does not count.
    pub display: bool,
}

impl Abilities {
    /// The abilities of a board that can do nothing. Each maker starts from this value and sets what its boards can do.
    pub const NONE: Self =
        Self { sees: Sees::Nothing, lights: LampLayout::None, clock: false, battery: false, display: false };
}

/// What a board's squares detect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// Which piece stands on each square.
    Pieces,
    /// Only whether a piece stands on a square.
    Occupancy,
    /// Nothing, because the device has no squares: a box with a card reader, a lever or buttons.
    Nothing,
}

/// How a board's lamps are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LampLayout {
    /// No lamps.
    None,
    /// A lamp in each square.
    Squares,
    /// 9 × 9 lamps at the corners of the squares; neighbouring squares share a lamp.
    Corners,
}
