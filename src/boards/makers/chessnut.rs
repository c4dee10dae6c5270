//! Chessnut boards (Air, Air+, Go, Pro and other small models, but not the Evo) over Bluetooth LE.
//!
//! Source: the project's protocol notes on non-DGT boards, section "Chessnut": link, messages, position, lights,
//! battery, pitfalls. Not implemented: the model Move, which moves its pieces itself, and the model Evo, whose
//! protocol is known from only one source.

pub mod codec;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::Chessnut;

use crate::brand::{Abilities, Brand, LampLayout, Sees};
use crate::hiding::HIDE_NOTHING;
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{Gatt, Transports};

/// The maker entry for Chessnut.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "chessnut",
        name: "Chessnut",
        abilities: Abilities {
            sees: Sees::Pieces,
            lights: LampLayout::Squares,
            battery: true,
            ..Abilities::NONE
        },
    },
    transports: Transports {
        ble: Some(Gatt {
            names: &["Chessnut Air", "Chessnut Go", "Chessnut Pro", "Smart Chess"],
            service: 0x1B7E_8261_2877_41C3_B46E_CF05_7C56_2023,
            own_service: true,
            notify: &[0x1B7E_8262_2877_41C3_B46E_CF05_7C56_2023, 0x1B7E_8273_2877_41C3_B46E_CF05_7C56_2023],
            write: 0x1B7E_8272_2877_41C3_B46E_CF05_7C56_2023,
            splits_writes: true,
        }),
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(Chessnut::new(connection.carrier), connection, now)),
    hide: HIDE_NOTHING,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| {
        Box::new(Simulated::new(sim::ChessnutFirmware::default(), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
