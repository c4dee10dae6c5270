//! Self-built boards, card readers and levers that use Tabiya's own firmware protocol, over a serial line or
//! Bluetooth LE.
//!
//! Source: `firmware-protocol/README.md`; the crate `firmware-protocol` is the codec. Checked by: our own simulator
//! and the reference firmware in an emulator (`tests/devices/firmware.rs`). Not tested with hardware.

mod hide;
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

/// The maker entry for self-built devices.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "diy",
        name: "Tabiya DIY",
        // The most that a device can do. Each device reports its own abilities in its hello, the first message of a
        // connection.
        abilities: Abilities {
            sees: Sees::Pieces,
            lights: LampLayout::Squares,
            clock: true,
            battery: true,
            display: true,
        },
    },
    transports: Transports {
        serial: Some(SerialSettings::eight_none(115_200)),
        // The Arduino Mega 2560, with the vendor ids of both companies that sell it.
        usb: &[(0x2341, 0x0010), (0x2341, 0x0042), (0x2A03, 0x0042)],
        ble: Some(nus::gatt(&["Tabiya"])),
        boxes: true,
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(Diy::new(connection.passive), connection, now)),
    hide: hide::hide_numbers,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| Box::new(Simulated::new(sim::DiyFirmware::of(setup), setup))),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
