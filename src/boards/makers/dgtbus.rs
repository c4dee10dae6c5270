//! DGT boards on a bus: several of them on one serial line, as at tournaments. Each has an address, its serial number as
//! a rule.
//!
//! A board of the bus tells nothing unasked. What it notes in its log is asked for four times a second, so that lifts and
//! places come in their order and up to `driver::POLL` late; the clock's times are up to a second older. Nothing can be
//! told to the clock. A board alone on its line is better off in single mode (`dgt.rs`).
//!
//! Source: the DGT notes, "Bus mode" and "EE_MOVES: the board's own log". Verified by the notes' vectors and our own
//! simulator; never tried with real boards.

pub mod codec;
mod driver;
pub(crate) mod laws;
#[cfg(feature = "simulators")]
#[doc(hidden)]
pub mod sim;

use super::dgt;
use crate::brand::{Abilities, Brand, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
use crate::transports::{Sharing, Transports};

/// The same adapters as for a single board: which of the two it is only an answer tells. Each question has the line until
/// its answer is whole.
const WAYS: Transports = Transports {
    shared: Some(Sharing { turn: codec::turn, answered: codec::answered, same: codec::same }),
    ..dgt::MAKER.transports()
};

/// DGT boards that share a wire.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "dgtbus",
        name: "DGT bus",
        abilities: Abilities { sees: Sees::Pieces, clock: true, ..Abilities::NONE },
    },
    ways: WAYS,
    notes: &[],
    driver: |connection, now| Box::new(driver::BusDriver::new(connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| Box::new(sim::Wire::of(setup))),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
