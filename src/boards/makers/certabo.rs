//! Boards of Certabo and Tabutronic (Certabo, Cerno, Sentio, Tactum; the coloured lights of the Spectrum) over USB
//! and Bluetooth LE.
//!
//! All of them use one protocol with two kinds of frames. A frame of 320 numbers contains the tag (the number of the
//! chip) of the piece on each square. A frame of eight numbers shows only which squares are occupied. Tabiya learns
//! once which tag belongs to which piece: all pieces must then be in the start position of chess.
//!
//! Source: the project's protocol notes on non-DGT boards, sections "Certabo" and "Tabutronic". Unverified: how long
//! a board with coloured lights needs to show a light pattern; the old Bluetooth add-on. Not implemented: adding a
//! single spare piece to a tag table later.

mod calibration;
pub mod codec;
mod hide;
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

/// The abilities that most Certabo boards have. The frames and acknowledgements of a board show whether it detects
/// only occupancy, and whether it has lights at the corners of the squares.
const ABILITIES: Abilities = Abilities { sees: Sees::Pieces, lights: LampLayout::Squares, ..Abilities::NONE };

/// The maker entry for Certabo and Tabutronic.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand { prefix: "certabo", name: "Certabo", abilities: ABILITIES },
    transports: Transports {
        serial: Some(SerialSettings { baud: 38_400, speaks_first: true }),
        // The USB vendor id of Silicon Labs, whose chips are in Certabo boards but also in other devices.
        vendors: &[0x10C4],
        ble: Some(nus::gatt(&["Certabo"])),
        ..Transports::NONE
    },
    notes: &[protocol::NOTE],
    driver: |connection, now| Box::new(Steady::new(Certabo::new(connection.notes), connection, now)),
    hide: hide::hide_numbers,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::CertaboFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
