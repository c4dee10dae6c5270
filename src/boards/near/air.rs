//! Boards that advertise themselves over Bluetooth LE.

use std::time::Duration;

use super::found::Near;
use crate::address::{BoardPort, LiveAddress};
use crate::link::LinkError;
use crate::link::ble::{Radio, Sighting};
use crate::maker::Maker;
use crate::makers::CATALOG;

/// How long boards that advertise themselves are waited for.
pub(super) const LOOK: Duration = Duration::from_secs(3);

/// How to connect to what advertises itself, if its maker is known.
fn sighted(seen: Sighting) -> Option<Near> {
    let maker = Maker::from_prefix(seen.brand.prefix)?;
    let address = LiveAddress::at(maker, BoardPort::Ble(Some(seen.address)));
    Some(Near { address, name: format!("{} ({})", seen.name, maker.name()) })
}

/// The boards that advertise themselves over Bluetooth LE, after a look of `LOOK`.
pub fn over_the_air() -> Result<Vec<Near>, LinkError> {
    over_the_air_but(None)
}

/// Those of them that are not what stands at this place.
pub(super) fn over_the_air_but(beside: Option<&BoardPort>) -> Result<Vec<Near>, LinkError> {
    let known = CATALOG.iter().filter_map(|maker| Some((maker.brand(), maker.transports().ble?))).collect();
    let seen = Radio::shared().look(LOOK, known)?.into_iter();
    let others = seen.filter(|seen| !beside.is_some_and(|place| is_sighted(place, seen)));
    Ok(others.filter_map(sighted).collect())
}

/// Whether that place is this one in the air.
pub(super) fn is_sighted(place: &BoardPort, seen: &Sighting) -> bool {
    matches!(place, BoardPort::Ble(Some(which)) if seen.is_called(which))
}
