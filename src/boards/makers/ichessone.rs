//! The iChessOne board over USB and Bluetooth LE.
//!
//! Source: the project's protocol notes on non-DGT boards, section "iChessOne". Unverified: the meaning of the three
//! bytes for sounds (so Tabiya does not use the board's sounds), and where the board's text about its hardware ends.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::IChessOne;

use super::nus;
use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::hiding::HIDE_NOTHING;
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{SerialSettings, Transports};

/// The maker entry for iChessOne.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "ichessone",
        name: "iChessOne",
        abilities: Abilities {
            sees: Sees::Pieces,
            lights: LampLayout::Squares,
            battery: true,
            ..Abilities::NONE
        },
    },
    transports: Transports {
        serial: Some(SerialSettings::eight_none(115_200)),
        ble: Some(nus::gatt(&["iChessOne"])),
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(IChessOne::default(), connection, now)),
    hide: HIDE_NOTHING,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::IChessOneFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
