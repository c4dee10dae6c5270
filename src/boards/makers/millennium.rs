//! Millennium's boards (ChessLink, Exclusive, King Performance, Supreme, eONE) over USB and Bluetooth LE.
//!
//! Source: the notes on other boards, "Millennium": link, framing, commands, position, lights, pitfalls. The eONE
//! only feels its pieces, and guesses which they are; it is driven as a board that only feels them. Unverified:
//! the eONE's own settings, its text after the model's name, and clones that want to be polled.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Millennium;

use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{Gatt, SerialSettings, Transports};

/// What most of its boards can do; an eONE tells itself that it sees less.
const ABILITIES: Abilities = Abilities { sees: Sees::Pieces, lights: LampLayout::Corners, ..Abilities::NONE };

/// Millennium.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand { prefix: "millennium", name: "Millennium", abilities: ABILITIES },
    ways: Transports {
        serial: Some(SerialSettings::plain(38_400)),
        // Its boards have FTDI's usual chip, as many other gadgets have.
        vendors: &[0x0403],
        ble: Some(Gatt {
            names: &["MILLENNIUM CHESS"],
            service: 0x4953_5343_FE7D_4AE5_8FA9_9FAF_D205_E455,
            // It belongs to the radio's maker, whose radios are elsewhere too.
            own_service: false,
            notify: &[0x4953_5343_1E4D_4BD9_BA61_23C6_4724_9616],
            write: 0x4953_5343_8841_43F4_A8D4_ECBE_3472_9BB3,
            cuts: true,
        }),
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(Millennium::new(connection.carrier), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::MillenniumFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
