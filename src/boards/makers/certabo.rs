//! Certabo's and Tabutronic's boards (Certabo, Cerno, Sentio, Tactum, Spectrum's lights) over USB and Bluetooth LE.
//!
//! One protocol, two kinds of frames: 320 numbers are the tags of the pieces, eight are only where something stands.
//! Which pieces the tags are has to be learned once with all of them in chess's start position.
//!
//! Source: the notes on other boards, "Certabo" and "Tabutronic". Unverified: how long a board with coloured lights
//! takes to show a picture; the old Bluetooth add-on. Left out: adding one spare piece to a table later.

mod calibration;
pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Certabo;

use super::nus;
use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{SerialSettings, Transports};

/// What most of its boards can do; a board that only feels, or has lights at its corners, tells by its frames and
/// answers.
const ABILITIES: Abilities = Abilities { sees: Sees::Pieces, lights: LampLayout::Squares, ..Abilities::NONE };

/// Certabo and Tabutronic.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand { prefix: "certabo", name: "Certabo", abilities: ABILITIES },
    ways: Transports {
        serial: Some(SerialSettings { baud: 38_400, speaks_first: true }),
        // Silicon Labs, whose chips are in its boards and elsewhere.
        vendors: &[0x10C4],
        ble: Some(nus::gatt(&["Certabo"])),
        ..Transports::NONE
    },
    notes: &[protocol::NOTE],
    driver: |connection, now| Box::new(Steady::new(Certabo::new(connection.notes), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::CertaboFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
