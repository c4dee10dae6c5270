//! The DGT Pegasus over Bluetooth LE. It uses DGT's messages, detects only occupancy, and has a light in each square.
//!
//! A Pegasus reports its squares only to a program with a developer key, which DGT gives to anyone who asks. Tabiya
//! contains no key; the owner of the board stores a key in the notes.
//!
//! Source: the project's DGT protocol notes, section "Pegasus", and the vectors in section 8.5. Unverified: the
//! brightness and the speed of the lights.

pub mod codec;
mod hide;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Pegasus;

use super::nus;
use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::Transports;

/// The maker entry for the DGT Pegasus.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "pegasus",
        name: "DGT Pegasus",
        abilities: Abilities {
            sees: Sees::Occupancy,
            lights: LampLayout::Squares,
            battery: true,
            ..Abilities::NONE
        },
    },
    transports: Transports { ble: Some(nus::gatt(&["DGT_PEGASUS"])), ..Transports::NONE },
    notes: &[protocol::NOTE],
    driver: |connection, now| Box::new(Steady::new(Pegasus::new(connection.notes), connection, now)),
    hide: hide::hide_numbers,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::PegasusFirmware::default(), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
