//! Boards that advertise themselves over Bluetooth LE.

use std::time::Duration;

use super::found::NearbyBoard;
use crate::address::{BoardPort, LiveAddress};
use crate::link::LinkError;
use crate::link::ble::{Radio, Sighting};
use crate::maker::Maker;
use crate::makers::CATALOG;

/// The duration of a search over Bluetooth LE.
pub(super) const LOOK: Duration = Duration::from_secs(3);

/// Returns the board that was seen advertising itself, with its address; `None` if its maker is not in the catalogue.
fn sighted(seen: Sighting) -> Option<NearbyBoard> {
    let maker = Maker::from_prefix(seen.brand.prefix)?;
    let address = LiveAddress::at(maker, BoardPort::Ble(Some(seen.address)));
    let name = format!("{} ({})", seen.name, maker.name());
    Some(NearbyBoard { address, name, rssi_dbm: seen.rssi_dbm })
}

/// Searches for boards over Bluetooth LE for three seconds.
pub fn search_ble() -> Result<Vec<NearbyBoard>, LinkError> {
    search_ble_except(None)
}

/// Searches for boards over Bluetooth LE. The device at `beside` is left out of the result.
pub(super) fn search_ble_except(beside: Option<&BoardPort>) -> Result<Vec<NearbyBoard>, LinkError> {
    let known = CATALOG.iter().filter_map(|maker| Some((maker.brand(), maker.transports().ble?))).collect();
    let seen = Radio::shared().look(LOOK, known)?.into_iter();
    let others = seen.filter(|seen| !beside.is_some_and(|place| names_device(place, seen)));
    Ok(others.filter_map(sighted).collect())
}

/// Whether the port `place` contains the name or the address of this Bluetooth LE device.
pub(super) fn names_device(place: &BoardPort, seen: &Sighting) -> bool {
    matches!(place, BoardPort::Ble(Some(which)) if seen.is_called(which))
}
