//! DGT boards on a tournament bus: several boards on one serial line. Each board has an address, usually its serial
//! number.
//!
//! A board on the bus sends nothing without being asked. The driver asks for the board's log four times a second. So
//! lifts and placements arrive in their true order, at most `driver::POLL` after they happened. The clock's times are
//! up to a second older. No commands can be sent to the clock. A board that is alone on its line works better in
//! single mode (`dgt.rs`).
//!
//! Source: the project's DGT protocol notes, sections "Bus mode" and "EE_MOVES: the board's own log". Checked by: the
//! worked vectors of the notes and our own simulator. Not tested with hardware.

pub mod codec;
mod driver;
mod hide;
pub(crate) mod laws;
#[cfg(feature = "simulators")]
#[doc(hidden)]
pub mod sim;

use super::dgt;
use crate::brand::{Abilities, Brand, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
use crate::transports::{Sharing, Transports};

/// The transports of single boards. Boards on a bus use the same USB adapters, so only an answer shows whether a
/// board is on a bus. A question occupies the shared line until its answer is complete.
const TRANSPORTS: Transports = Transports {
    shared: Some(Sharing { hold: codec::line_hold, answered: codec::answered, same: codec::same }),
    ..dgt::MAKER.transports()
};

/// The maker entry for DGT boards on a bus.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "dgtbus",
        name: "DGT bus",
        abilities: Abilities { sees: Sees::Pieces, clock: true, ..Abilities::NONE },
    },
    transports: TRANSPORTS,
    notes: &[],
    driver: |connection, now| Box::new(driver::BusDriver::new(connection, now)),
    hide: hide::hide_numbers,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| Box::new(sim::Wire::of(setup))),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
