//! The Nordic UART Service (NUS) over Bluetooth LE. Several makers use it, so only the device name shows the maker.
//!
//! Source: the project's protocol notes on non-DGT boards, section "Finding and naming a board".

use crate::transports::Gatt;

/// The UUID of the service.
const SERVICE: u128 = 0x6E40_0001_B5A3_F393_E0A9_E50E_24DC_CA9E;
/// The UUID of the characteristic to which the host writes.
const WRITE: u128 = 0x6E40_0002_B5A3_F393_E0A9_E50E_24DC_CA9E;
/// The UUID of the characteristic on which the board sends.
const NOTIFY: u128 = 0x6E40_0003_B5A3_F393_E0A9_E50E_24DC_CA9E;

/// Describes the Bluetooth service of boards whose name begins with one of `names`.
pub(super) const fn gatt(names: &'static [&'static str]) -> Gatt {
    Gatt { names, service: SERVICE, own_service: false, notify: &[NOTIFY], write: WRITE, splits_writes: true }
}
