//! Square Off boards with sensors (Pro, Swap) over Bluetooth LE. They detect only occupancy.
//!
//! Source: the project's protocol notes on non-DGT boards, section 8.1 "Square Off". The robotic boards (Kingdom) are
//! not supported, because they report only positions of their own games. Unverified: the Swap; whether the battery
//! state is in volts or percent.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::SquareOff;

use super::nus;
use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::hiding::HIDE_NOTHING;
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::Transports;

/// The maker entry for Square Off.
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
    transports: Transports { ble: Some(nus::gatt(&["Squareoff Pro", "Square Off"])), ..Transports::NONE },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(SquareOff::default(), connection, now)),
    hide: HIDE_NOTHING,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::SquareOffFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
