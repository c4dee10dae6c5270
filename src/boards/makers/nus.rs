//! The Nordic UART over Bluetooth LE: one service that several makers use. Only the name tells whose board it is.
//!
//! Source: the notes on other boards, "Finding and naming a board".

use crate::transports::Gatt;

/// The service's number.
const SERVICE: u128 = 0x6E40_0001_B5A3_F393_E0A9_E50E_24DC_CA9E;
/// Where the host writes.
const WRITE: u128 = 0x6E40_0002_B5A3_F393_E0A9_E50E_24DC_CA9E;
/// Where the board speaks.
const NOTIFY: u128 = 0x6E40_0003_B5A3_F393_E0A9_E50E_24DC_CA9E;

/// A board with this service whose name begins with one of `names`.
pub(super) const fn gatt(names: &'static [&'static str]) -> Gatt {
    Gatt { names, service: SERVICE, own_service: false, notify: &[NOTIFY], write: WRITE, cuts: true }
}
