//! Boards that speak the open Chess Peripheral Protocol (CPP) over Bluetooth LE, or over a serial line with a line
//! feed after each command.
//!
//! Tabiya never begins a CPP round, because a round follows the rules of chess, while Tabiya's games may start with
//! an empty board. Tabiya asks the board for its position; afterwards the board reports every lift and placement.
//!
//! Source: the project's protocol notes on non-DGT boards, section "CPP". The serial line is our own addition: no
//! specification gives its speed or its line ending. Unverified: boards with older versions of the protocol.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Cpp;

use crate::brand::{Abilities, Brand, Sees};
use crate::hiding::HIDE_NOTHING;
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{Gatt, SerialSettings, Transports};

/// The abilities that Tabiya assumes at first: the board identifies pieces. If a board detects only occupancy, the
/// positions that it reports show this.
const ABILITIES: Abilities = Abilities { sees: Sees::Pieces, ..Abilities::NONE };

/// The maker entry for boards that speak the Chess Peripheral Protocol.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand { prefix: "cpp", name: "Chess Peripheral Protocol", abilities: ABILITIES },
    transports: Transports {
        serial: Some(SerialSettings::eight_none(115_200)),
        ble: Some(Gatt {
            names: &[],
            service: 0xF535_1050_B2C9_11EC_A0C0_B3BC_53B0_8D33,
            own_service: true,
            notify: &[0xF535_147E_B2C9_11EC_A0C2_8BBD_706E_C4E6],
            write: 0xF535_13CA_B2C9_11EC_A0C1_639B_8957_DB99,
            splits_writes: false,
        }),
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(Cpp::new(connection.carrier), connection, now)),
    hide: HIDE_NOTHING,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::CppFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
