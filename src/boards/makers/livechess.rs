//! DGT boards that the program LiveChess reads, for example in a playing hall. LiveChess reports their state over a
//! WebSocket on the computer on which it runs.
//!
//! LiveChess finds and reads the boards. Tabiya uses the positions that LiveChess reports, but not the moves that
//! LiveChess derives from them.
//!
//! Source: the project's DGT protocol notes, section "LiveChess WebSocket API". Checked by: a recording of one real
//! session.

mod hide;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::LiveChess;

use crate::brand::{Abilities, Brand, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::transports::{Transports, Web};

/// The maker entry for boards that LiveChess reads.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "livechess",
        name: "LiveChess",
        abilities: Abilities { sees: Sees::Pieces, clock: true, battery: true, ..Abilities::NONE },
    },
    transports: Transports { web: Some(Web { port: 1982, path: "/api/v1.0" }), ..Transports::NONE },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(LiveChess::new(connection.unit), connection, now)),
    hide: hide::hide_numbers,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| Box::new(Simulated::new(sim::Program::default(), setup))),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});

/// Returns the field `name` of a JSON object; `Null` if the field is missing or the value is no object.
fn field<'a>(value: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    value.get(name).unwrap_or(&serde_json::Value::Null)
}
