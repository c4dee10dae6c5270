//! A maker of boards: its brand, its ways, what makes a driver and a simulated board. `makers.rs` has them all.

use std::fmt;

use tabiya_types::Instant;

use crate::brand::{Abilities, Brand};
use crate::driver::{Connection, Driver};
use crate::link::LinkError;
#[cfg(feature = "simulators")]
use crate::sim::{SimBoard, SimSetup};
use crate::transports::Transports;

/// Whose protocol a board speaks, and what speaks it.
#[derive(Clone, Copy)]
pub struct Maker(&'static MakerEntry);

/// What is known of a maker's boards, and what makes a driver and a simulated board of them.
pub struct MakerEntry {
    /// Its word, its name and what its boards can do.
    pub brand: Brand,
    /// How its boards are reached.
    pub ways: Transports,
    /// What can be kept of its boards beyond one connection.
    pub notes: &'static [NoteForm],
    /// Makes what drives one connection.
    pub driver: fn(&Connection, Instant) -> Box<dyn Driver>,
    /// What makes a board that is simulated down to its bytes.
    pub simulator: SimulatorFactory,
}

/// Makes simulated boards of one maker, where there are such. Without the feature `simulators` there are none.
#[derive(Clone, Copy, Debug)]
pub struct SimulatorFactory {
    #[cfg(feature = "simulators")]
    make: Option<MakeSim>,
}

#[cfg(feature = "simulators")]
type MakeSim = fn(&SimSetup) -> Box<dyn SimBoard>;

impl SimulatorFactory {
    /// No board of this maker can be simulated.
    pub const NONE: Self = Self {
        #[cfg(feature = "simulators")]
        make: None,
    };

    /// This makes one.
    #[cfg(feature = "simulators")]
    pub const fn new(make: MakeSim) -> Self {
        Self { make: Some(make) }
    }
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

impl Maker {
    /// A maker of which this is known.
    pub const fn new(entry: &'static MakerEntry) -> Self {
        Self(entry)
    }

    /// A board of this maker that is simulated down to its bytes; `None` where there is no such.
    #[cfg(feature = "simulators")]
    pub fn simulated(self, setup: &SimSetup) -> Option<Box<dyn SimBoard>> {
        self.0.simulator.make.map(|make| make(setup))
    }

    /// What is known of the maker's boards.
    pub const fn entry(self) -> &'static MakerEntry {
        self.0
    }

    /// Whose boards these are, as data.
    pub const fn brand(self) -> Brand {
        self.0.brand
    }

    /// That none of its boards is there.
    pub(crate) fn not_found(self) -> LinkError {
        LinkError::NoneFound { maker: self.name(), prefix: self.prefix() }
    }

    /// The word before the colon of an address: `dgt:/dev/ttyACM0`.
    pub const fn prefix(self) -> &'static str {
        self.0.brand.prefix
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        self.0.brand.name
    }

    /// What its boards can do at most.
    pub const fn abilities(self) -> Abilities {
        self.0.brand.abilities
    }

    /// How its boards are reached.
    pub const fn transports(self) -> Transports {
        self.0.ways
    }
}

/// Makers are told apart by their prefix.
impl PartialEq for Maker {
    fn eq(&self, other: &Self) -> bool {
        self.0.brand.prefix == other.0.brand.prefix
    }
}

impl Eq for Maker {}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Maker({})", self.0.brand.prefix)
    }
}
