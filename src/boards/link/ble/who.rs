//! Boards that are wanted, and boards that were seen.

use crate::brand::Brand;
use crate::transports::Gatt;

/// The board to connect to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedBoard {
    /// The brand of the board.
    pub brand: Brand,
    /// How boards of the brand are recognised.
    pub gatt: Gatt,
    /// Its full name or its address; `None` accepts any board of the brand.
    pub which: Option<String>,
}

/// A board that advertises itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// Its name, without the spaces and control characters that some boards append.
    pub name: String,
    /// Its Bluetooth address, as the system writes it.
    pub address: String,
    /// The brand that its name or its services belong to.
    pub brand: Brand,
}

impl Sighting {
    /// Whether `which` is this board's full name or its address, in upper or lower case.
    pub fn is_called(&self, which: &str) -> bool {
        self.name.eq_ignore_ascii_case(which) || self.address.eq_ignore_ascii_case(which)
    }
}

impl WantedBoard {
    /// The name of the board in messages.
    pub(super) fn name(&self) -> String {
        self.which.clone().unwrap_or_else(|| self.brand.name.to_owned())
    }
}

/// The brands to search for, and how boards of each are recognised.
pub type Known = Vec<(Brand, Gatt)>;

/// The brand of a board with this name and these services, if it is known.
pub(super) fn brand_of(known: &Known, name: Option<&str>, services: &[u128]) -> Option<Brand> {
    known.iter().find(|(_, gatt)| gatt.matches_device(name, services)).map(|(brand, _)| *brand)
}
