//! One maker of boards: its brand, its transports, its driver and its simulator. `makers.rs` lists all makers.

use std::fmt;

use tabiya_types::Instant;

use crate::brand::{Abilities, Brand};
use crate::driver::{Connection, Driver};
use crate::hiding::HideNumbers;
use crate::link::LinkError;
#[cfg(feature = "simulators")]
use crate::sim::{SimBoard, SimSetup};
use crate::transports::Transports;

/// A maker of boards: a small value that refers to the maker's [`MakerEntry`].
#[derive(Clone, Copy)]
pub struct Maker(&'static MakerEntry);

/// Everything that the program knows about a maker's boards, with the functions that create drivers and simulated
/// boards.
pub struct MakerEntry {
    /// The maker's prefix and name, and what its boards can do.
    pub brand: Brand,
    /// How the maker's boards are reached.
    pub transports: Transports,
    /// The kinds of notes about the maker's boards that can be kept after a connection has ended.
    pub notes: &'static [NoteForm],
    /// Creates the driver of one connection.
    pub driver: fn(&Connection, Instant) -> Box<dyn Driver>,
    /// Overwrites in the bytes of one link what identifies a board, a card or a person.
    pub hide: HideNumbers,
    /// Creates simulated boards.
    pub simulator: SimulatorFactory,
}

/// Creates simulated boards of one maker, if the maker has a simulator. Without the feature `simulators`, no maker has
/// one.
#[derive(Clone, Copy, Debug)]
pub struct SimulatorFactory {
    #[cfg(feature = "simulators")]
    make: Option<MakeSim>,
}

#[cfg(feature = "simulators")]
type MakeSim = fn(&SimSetup) -> Box<dyn SimBoard>;

impl SimulatorFactory {
    /// The factory of a maker without a simulator.
    pub const NONE: Self = Self {
        #[cfg(feature = "simulators")]
        make: None,
    };

    /// A factory that creates boards with `make`.
    #[cfg(feature = "simulators")]
    pub const fn new(make: MakeSim) -> Self {
        Self { make: Some(make) }
    }
}

/// A kind of note that can be kept about a maker's boards.
#[derive(Clone, Copy, Debug)]
pub struct NoteForm {
    /// The name of the note.
    pub name: &'static str,
    /// A description of a valid value, for people.
    pub format: &'static str,
    /// Whether a value is valid.
    pub is_valid: fn(&str) -> bool,
}

impl Maker {
    /// The maker with this entry.
    pub const fn new(entry: &'static MakerEntry) -> Self {
        Self(entry)
    }

    /// Creates a board of this maker that is simulated down to its bytes; `None` if the maker has no simulator.
    #[cfg(feature = "simulators")]
    pub fn simulated(self, setup: &SimSetup) -> Option<Box<dyn SimBoard>> {
        self.0.simulator.make.map(|make| make(setup))
    }

    /// The maker's entry, with everything that the program knows about its boards.
    pub const fn entry(self) -> &'static MakerEntry {
        self.0
    }

    /// The brand of the maker's boards.
    pub const fn brand(self) -> Brand {
        self.0.brand
    }

    /// The error with which a search ends that finds no board of this maker.
    pub(crate) fn not_found(self) -> LinkError {
        LinkError::NoneFound { maker: self.name(), prefix: self.prefix() }
    }

    /// The word before the colon of an address, such as `dgt` in `dgt:/dev/ttyACM0`.
    pub const fn prefix(self) -> &'static str {
        self.0.brand.prefix
    }

    /// The name that is shown to people.
    pub const fn name(self) -> &'static str {
        self.0.brand.name
    }

    /// Everything that this maker's boards can do. A single board may report that it can do less.
    pub const fn abilities(self) -> Abilities {
        self.0.brand.abilities
    }

    /// How the maker's boards are reached.
    pub const fn transports(self) -> Transports {
        self.0.transports
    }
}

/// Makers are equal if their prefixes are equal.
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
