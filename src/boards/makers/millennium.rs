//! Millennium boards (ChessLink, Exclusive, King Performance, Supreme, eONE) over USB and Bluetooth LE.
//!
//! Source: the project's protocol notes on non-DGT boards, section "Millennium": link, framing, commands, position,
//! lights, pitfalls. The eONE detects only occupancy and guesses the pieces; Tabiya uses only the occupancy.
//! Unverified: the settings that only the eONE has, the text after the eONE's model name, and copies of these boards
//! that must be polled.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Millennium;

use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::hiding::HIDE_NOTHING;
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{Gatt, SerialSettings, Transports};

/// The abilities that most Millennium boards have. An eONE is recognised by the model that it reports.
const ABILITIES: Abilities = Abilities { sees: Sees::Pieces, lights: LampLayout::Corners, ..Abilities::NONE };

/// The maker entry for Millennium.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand { prefix: "millennium", name: "Millennium", abilities: ABILITIES },
    transports: Transports {
        serial: Some(SerialSettings::eight_none(38_400)),
        // The USB vendor id of FTDI, whose chips are in Millennium boards but also in many other devices.
        vendors: &[0x0403],
        ble: Some(Gatt {
            names: &["MILLENNIUM CHESS"],
            service: 0x4953_5343_FE7D_4AE5_8FA9_9FAF_D205_E455,
            // The Bluetooth service belongs to the maker of the radio module, which is used in other devices too.
            own_service: false,
            notify: &[0x4953_5343_1E4D_4BD9_BA61_23C6_4724_9616],
            write: 0x4953_5343_8841_43F4_A8D4_ECBE_3472_9BB3,
            splits_writes: true,
        }),
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(Millennium::new(connection.carrier), connection, now)),
    hide: HIDE_NOTHING,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::MillenniumFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
