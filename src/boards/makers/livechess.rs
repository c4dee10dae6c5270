//! Boards behind DGT's LiveChess: a hall's wired boards, as that program tells them over a WebSocket of the computer
//! that it runs on.
//!
//! LiveChess finds the boards and reads them; what it thinks was played is not asked for, only what stands on the
//! squares. Source: the DGT notes, "LiveChess WebSocket API". Verified by one recording of a real session.

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

/// DGT's LiveChess, whatever boards it has.
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "livechess",
        name: "LiveChess",
        abilities: Abilities { sees: Sees::Pieces, clock: true, battery: true, ..Abilities::NONE },
    },
    ways: Transports { web: Some(Web { port: 1982, path: "/api/v1.0" }), ..Transports::NONE },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(LiveChess::new(connection.unit), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| Box::new(Simulated::new(sim::Program::default(), setup))),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});

/// A field of an object; nothing of anything else.
fn field<'a>(value: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    value.get(name).unwrap_or(&serde_json::Value::Null)
}
