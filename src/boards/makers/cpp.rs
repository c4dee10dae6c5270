//! Boards that speak the open Chess Peripheral Protocol, over Bluetooth LE or, with a line's end after each command,
//! over a serial line.
//!
//! No round of the protocol is ever begun: its rules are those of chess games, and ours begin with an empty board. What
//! stands there is asked for and then told with each lift and put.
//!
//! Source: the notes on other boards, "CPP". The serial line is our own addition: its speed and its line's end are in
//! no specification. Unverified: boards of older generations of the protocol.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Cpp;

use crate::brand::{Abilities, Brand, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{Gatt, SerialSettings, Transports};

/// What such a board can do; one that only feels tells so by its positions.
const ABILITIES: Abilities = Abilities { sees: Sees::Pieces, ..Abilities::NONE };

/// Whoever speaks the Chess Peripheral Protocol.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand { prefix: "cpp", name: "Chess Peripheral Protocol", abilities: ABILITIES },
    ways: Transports {
        serial: Some(SerialSettings::plain(115_200)),
        ble: Some(Gatt {
            names: &[],
            service: 0xF535_1050_B2C9_11EC_A0C0_B3BC_53B0_8D33,
            own_service: true,
            notify: &[0xF535_147E_B2C9_11EC_A0C2_8BBD_706E_C4E6],
            write: 0xF535_13CA_B2C9_11EC_A0C1_639B_8957_DB99,
            cuts: false,
        }),
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(Cpp::new(connection.carrier), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::CppFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
