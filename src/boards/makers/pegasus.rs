//! DGT's Pegasus over Bluetooth LE: DGT's messages, from a board that only feels that something stands there and has a
//! light in each square.
//!
//! It tells its squares only to a program with a developer key, which DGT gives to whoever asks. None is in this
//! program: its owner's is taken from the notes.
//!
//! Source: the notes on DGT, "Pegasus", and its vectors, 8.5. Unverified: how bright and how fast its lights are.

pub mod codec;
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

/// DGT's Pegasus.
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
    ways: Transports { ble: Some(nus::gatt(&["DGT_PEGASUS"])), ..Transports::NONE },
    notes: &[protocol::NOTE],
    driver: |connection, now| Box::new(Steady::new(Pegasus::new(connection.notes), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::PegasusFirmware::default(), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
