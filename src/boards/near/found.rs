//! A board that a search has found.

use crate::address::LiveAddress;

/// A board that answers on a port or advertises itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearbyBoard {
    /// The address to connect to.
    pub address: LiveAddress,
    /// A description for people: the name that the board reports, or its maker and number.
    pub name: String,
    /// The strength of its Bluetooth signal in dBm, if it was seen over Bluetooth.
    pub rssi_dbm: Option<i16>,
}

/// Formats a line for a list: the address to type, then the description.
impl std::fmt::Display for NearbyBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", self.address, self.name)
    }
}
