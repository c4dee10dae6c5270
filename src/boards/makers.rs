//! The catalogue: the makers of boards, as data. Nobody asks *which* board it is, only what it can do.
//!
//! A board is a folder below this file with a [`Maker`] in it, and one line in [`CATALOG`].
//! `docs/adding-a-board.md` shows how.

pub mod certabo;
pub mod chessnut;
pub mod cpp;
pub mod dgt;
pub mod dgtbus;
pub mod diy;
pub mod ichessone;
pub mod laws;
pub mod livechess;
#[cfg(test)]
mod meeting;
pub mod millennium;
mod nus;
pub mod pegasus;
pub mod squareoff;
mod stream;

use std::fmt;

use super::driver::{Connection, Driver};
use super::link::{SerialSettings, Sharing};
use super::sim::{SimBoard, SimSetup};
use tabiya_types::Instant;

/// Every maker that this program can speak to. A bare port is taken for the first one's.
pub const CATALOG: [Maker; 11] = [
    dgt::MAKER,
    dgtbus::MAKER,
    chessnut::MAKER,
    millennium::MAKER,
    ichessone::MAKER,
    squareoff::MAKER,
    certabo::MAKER,
    pegasus::MAKER,
    cpp::MAKER,
    diy::MAKER,
    livechess::MAKER,
];

/// Whose protocol a board speaks.
#[derive(Clone, Copy)]
pub struct Maker(&'static Entry);

/// What is known of a maker's boards.
pub struct Entry {
    /// The word before the colon of an address: `dgt:/dev/ttyACM0`.
    pub prefix: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What its boards can do at most. A board tells itself what it lacks.
    pub abilities: Abilities,
    /// How its boards are reached.
    pub ways: Ways,
    /// What can be kept of its boards beyond one connection.
    pub notes: &'static [NoteForm],
    /// Makes what drives one connection.
    pub driver: fn(&Connection, Instant) -> Box<dyn Driver>,
    /// Makes a board that is simulated down to its bytes.
    pub sim: fn(&SimSetup) -> Box<dyn SimBoard>,
}

/// Something that is kept of a maker's boards under a name.
#[derive(Clone, Copy, Debug)]
pub struct NoteForm {
    /// Its name.
    pub name: &'static str,
    /// What a value looks like, for people.
    pub looks: &'static str,
    /// Whether a value looks so.
    pub fits: fn(&str) -> bool,
}

/// What a board can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abilities {
    /// What its squares tell.
    pub sees: Sees,
    /// How it can point at squares.
    pub lights: Lamps,
    /// Whether a clock can stand behind it, or a lever that tells its presses.
    pub clock: bool,
    /// Whether it tells how full its battery is.
    pub battery: bool,
    /// Whether it has a display of its own for short texts; that of a clock behind it is the clock's.
    pub display: bool,
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
pub enum Lamps {
    /// It cannot.
    None,
    /// A lamp in each square.
    Squares,
    /// 9 × 9 lamps at the squares' corners, shared by neighbours.
    Corners,
}

/// How a maker's boards are reached and recognised.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// Over a serial port, a USB one or Bluetooth's serial profile.
    pub serial: Option<SerialSettings>,
    /// USB vendor and product seen on its boards. Some are shared with other gadgets, so a match
    /// is a reason to ask first, never a proof.
    pub usb: &'static [(u16, u16)],
    /// USB vendors of which any product may be a board.
    pub vendors: &'static [u16],
    /// Over Bluetooth LE.
    pub ble: Option<Gatt>,
    /// Over a WebSocket.
    pub web: Option<Web>,
    /// How several boards share one serial line or TCP connection, each used by a table of its own; nothing if a line is
    /// one board's alone.
    pub shared: Option<Sharing>,
    /// Whether what speaks so may also be a box that stands beside another maker's board.
    pub boxes: bool,
}

/// Where a program offers boards over a WebSocket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Web {
    /// The usual port.
    pub port: u16,
    /// The path, with its first stroke.
    pub path: &'static str,
}

impl Ways {
    /// In no way at all.
    pub const NONE: Self =
        Self { serial: None, usb: &[], vendors: &[], ble: None, web: None, shared: None, boxes: false };
}

/// How boards are recognised and spoken to over Bluetooth LE. A service's or a characteristic's number is its 128-bit
/// UUID, the first digit the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gatt {
    /// How the advertised names begin, in any case.
    pub names: &'static [&'static str],
    /// The service that the characteristics belong to.
    pub service: u128,
    /// Whether nobody else uses that service, so that it tells the maker without a name.
    pub own_service: bool,
    /// The characteristics on which the board speaks.
    pub notify: &'static [u128],
    /// The characteristic to which the host writes.
    pub write: u128,
    /// Whether what is too long for the link may be written in parts.
    pub cuts: bool,
}

impl Ways {
    /// Whether several boards may be behind one port, told apart by their numbers.
    pub fn has_units(&self) -> bool {
        self.web.is_some() || self.shared.is_some()
    }
}

impl Maker {
    /// A maker of which this is known.
    pub const fn new(entry: &'static Entry) -> Self {
        Self(entry)
    }

    /// The maker of an address's prefix, in any case.
    pub fn from_prefix(prefix: &str) -> Option<Self> {
        CATALOG.into_iter().find(|maker| maker.entry().prefix.eq_ignore_ascii_case(prefix))
    }

    /// All makers' words, for whoever wrote another.
    pub fn prefixes() -> String {
        CATALOG.map(|maker| maker.entry().prefix).join(", ")
    }

    /// What is known of the maker's boards.
    pub const fn entry(self) -> &'static Entry {
        self.0
    }
}

/// Makers are told apart by their prefix.
impl PartialEq for Maker {
    fn eq(&self, other: &Self) -> bool {
        self.0.prefix == other.0.prefix
    }
}

impl Eq for Maker {}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Maker({})", self.0.prefix)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_keep_every_makers_laws(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            laws::decoders_law(&bytes);
            laws::commands_law(&bytes);
            laws::drivers_law(&bytes);
        }
    }

    #[test]
    fn each_maker_is_found_by_its_own_word() {
        for maker in CATALOG {
            assert_eq!(Maker::from_prefix(maker.entry().prefix), Some(maker));
        }
        assert_eq!(Maker::from_prefix("DGT"), Some(dgt::MAKER));
        assert_eq!(Maker::from_prefix("chess"), None);
    }
}
