//! Boards of Certabo and Tabutronic (Certabo, Cerno, Sentio, Tactum; the coloured lights of the Spectrum) over USB
//! and Bluetooth LE.
//!
//! All of them use one protocol with two kinds of frames. A frame of 320 numbers contains the tag of the piece on
//! each square. A frame of eight numbers contains only which squares are occupied. Which piece has which tag must be
//! learned once, with all pieces in the start position of chess.
//!
//! Source: the project's protocol notes on non-DGT boards, sections "Certabo" and "Tabutronic". Unverified: how long
//! a board with coloured lights needs to show a picture; the old Bluetooth add-on. Not implemented: adding a single
//! spare piece to a tag table later.

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

/// The abilities of most of these boards. A board that detects only occupancy, or has lights at the corners of the
/// squares, is recognised by its frames and its answers.
const ABILITIES: Abilities = Abilities { sees: Sees::Pieces, lights: LampLayout::Squares, ..Abilities::NONE };

/// The maker entry for Certabo and Tabutronic.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand { prefix: "certabo", name: "Certabo", abilities: ABILITIES },
    transports: Transports {
        serial: Some(SerialSettings { baud: 38_400, speaks_first: true }),
        // Silicon Labs. Its chips are in these boards, but also in other devices.
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
