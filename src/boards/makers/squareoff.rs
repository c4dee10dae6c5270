//! Square Off's boards that feel their pieces (Pro, Swap) over Bluetooth LE.
//!
//! Source: the notes on other boards, "Square Off", 8.1. The robotic boards (Kingdom) know no positions but their own
//! game's and are left out. Unverified: the Swap; whether the battery's number is volts or percent.

pub mod codec;
pub mod laws;
mod protocol;
pub mod sim;

pub use protocol::SquareOff;

use super::{Abilities, Entry, Lamps, Maker, Sees, Ways, nus};
use crate::sim::Simulated;
use crate::steady::Steady;

/// Square Off.
pub const MAKER: Maker = Maker::new(&Entry {
    prefix: "squareoff",
    name: "Square Off",
    abilities: Abilities {
        sees: Sees::Occupancy,
        lights: Lamps::Squares,
        clock: false,
        battery: true,
        display: false,
    },
    ways: Ways { ble: Some(nus::gatt(&["Squareoff Pro", "Square Off"])), ..Ways::NONE },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(MAKER, SquareOff::default(), connection, now)),
    sim: |setup| Box::new(Simulated::new(sim::SquareOffFirmware::new(setup.seed), setup)),
});
