//! Square Off's boards that feel their pieces (Pro, Swap) over Bluetooth LE.
//!
//! Source: the notes on other boards, "Square Off", 8.1. The robotic boards (Kingdom) know no positions but their own
//! game's and are left out. Unverified: the Swap; whether the battery's number is volts or percent.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::SquareOff;

use super::nus;
use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::Transports;

/// Square Off.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "squareoff",
        name: "Square Off",
        abilities: Abilities {
            sees: Sees::Occupancy,
            lights: LampLayout::Squares,
            battery: true,
            ..Abilities::NONE
        },
    },
    ways: Transports { ble: Some(nus::gatt(&["Squareoff Pro", "Square Off"])), ..Transports::NONE },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(SquareOff::default(), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::SquareOffFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
