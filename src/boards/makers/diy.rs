//! Boards, readers of cards and levers that people build themselves and that speak the project's own frames, over a
//! serial line or Bluetooth LE.
//!
//! Source: `firmware-protocol/README.md`; its crate is the codec. Verified with the own simulator and with the reference
//! firmware in an emulator (`tests/firmware.rs`); on no hardware.

pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Diy;

use super::nus;
use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{SerialSettings, Transports};

/// Whoever speaks the project's own frames.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "diy",
        name: "Tabiya DIY",
        // At most: each tells in its hello what it can.
        abilities: Abilities {
            sees: Sees::Pieces,
            lights: LampLayout::Squares,
            clock: true,
            battery: true,
            display: true,
        },
    },
    ways: Transports {
        serial: Some(SerialSettings::plain(115_200)),
        // Arduino Mega 2560, the maker's and its other seller's.
        usb: &[(0x2341, 0x0010), (0x2341, 0x0042), (0x2A03, 0x0042)],
        ble: Some(nus::gatt(&["Tabiya"])),
        boxes: true,
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(Diy::new(connection.passive), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| Box::new(Simulated::new(sim::DiyFirmware::of(setup), setup))),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
