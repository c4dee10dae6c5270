//! Which board is meant, and which one is seen.

use crate::brand::Brand;
use crate::transports::Gatt;

/// Which board is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedBoard {
    /// Whose.
    pub brand: Brand,
    /// How that maker's boards are recognised.
    pub gatt: Gatt,
    /// Its whole name or its address, if one of several is meant.
    pub which: Option<String>,
}

/// A board that advertises itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// Its name, without what some boards hang behind it.
    pub name: String,
    /// Its address, as the system writes it.
    pub address: String,
    /// Whose boards are so called.
    pub brand: Brand,
}

impl Sighting {
    /// Whether people mean this one by a whole name or an address.
    pub fn is_called(&self, which: &str) -> bool {
        self.name.eq_ignore_ascii_case(which) || self.address.eq_ignore_ascii_case(which)
    }
}

impl WantedBoard {
    /// The board as sentences name it.
    pub(super) fn name(&self) -> String {
        self.which.clone().unwrap_or_else(|| self.brand.name.to_owned())
    }
}

/// The brands that are looked for, and how each is recognised.
pub type Known = Vec<(Brand, Gatt)>;

/// Whose board a name and its services tell of.
pub(super) fn brand_of(known: &Known, name: Option<&str>, services: &[u128]) -> Option<Brand> {
    known.iter().find(|(_, gatt)| gatt.is_of(name, services)).map(|(brand, _)| *brand)
}
