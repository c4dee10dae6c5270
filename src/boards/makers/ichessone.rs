//! iChessOne's board over USB and Bluetooth LE.
//!
//! Source: the notes on other boards, "iChessOne". Unverified: what its three bytes of sound mean, so it does not
//! beep; where its hardware's text ends.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::IChessOne;

use super::nus;
use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{SerialSettings, Transports};

/// iChessOne.
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
    ways: Transports {
        serial: Some(SerialSettings::plain(115_200)),
        ble: Some(nus::gatt(&["iChessOne"])),
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(IChessOne::default(), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::IChessOneFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
