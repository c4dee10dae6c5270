//! The brand of a board: its prefix, its name and what its boards can do. Plain data, so that events can contain it.

use std::fmt;

/// The brand of a board, which determines its protocol. Brands are compared by their prefix.
#[derive(Clone, Copy)]
pub struct Brand {
    /// The word before the colon of an address, such as `dgt` in `dgt:/dev/ttyACM0`.
    pub prefix: &'static str,
    /// The name that is shown to people.
    pub name: &'static str,
    /// The most that its boards can do; a board itself may report that it can do less.
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
    /// What its squares detect.
    pub sees: Sees,
    /// How its lamps are arranged.
    pub lights: LampLayout,
    /// Whether a clock, or a lever that reports its presses, can be connected.
    pub clock: bool,
    /// Whether it reports its battery level.
    pub battery: bool,
    /// Whether the board itself has a display for short texts; the display of a connected clock does not count.
    pub display: bool,
}

impl Abilities {
    /// No abilities; a maker's abilities are built on this value.
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
    /// 9 × 9 lamps at the squares' corners, shared by neighbours.
    Corners,
}
