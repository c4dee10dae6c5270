//! The boards that a Bluetooth search looks for, and the boards that it has seen.

use crate::brand::Brand;
use crate::transports::Gatt;

/// The board to connect to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedBoard {
    /// The brand of the board.
    pub brand: Brand,
    /// How boards of the brand are recognised.
    pub gatt: Gatt,
    /// The full name or the address of the board; `None` accepts any board of the brand.
    pub which: Option<String>,
}

/// A board that advertises itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// The board's name, without the spaces and control characters that some boards append.
    pub name: String,
    /// The board's Bluetooth address, as the system writes it.
    pub address: String,
    /// The brand to which the board's name or its services belong.
    pub brand: Brand,
    /// The strength of its signal in dBm, if the system knows it.
    pub rssi_dbm: Option<i16>,
}

impl Sighting {
    /// Whether `which` is this board's full name or its address. Upper and lower case are equal.
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

/// The brands to search for, each with the way in which its boards are recognised.
pub type Known = Vec<(Brand, Gatt)>;

/// The brand of a board with this name and these services; `None` if no known brand matches.
pub(super) fn brand_of(known: &Known, name: Option<&str>, services: &[u128]) -> Option<Brand> {
    known.iter().find(|(_, gatt)| gatt.matches_device(name, services)).map(|(brand, _)| *brand)
}
