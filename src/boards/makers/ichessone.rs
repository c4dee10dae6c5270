//! iChessOne's board over USB and Bluetooth LE.
//!
//! Source: the notes on other boards, "iChessOne". Unverified: what its three bytes of sound mean, so it does not
//! beep; where its hardware's text ends.

pub mod codec;
pub(crate) mod laws;
mod protocol;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

use protocol::IChessOne;

use super::nus;
use crate::brand::{Abilities, Brand, Lamps, Sees};
use crate::maker::{Entry, Maker, Simulator};
#[cfg(feature = "simulators")]
use crate::sim::Simulated;
use crate::steady::Steady;
use crate::ways::{SerialSettings, Ways};

/// iChessOne.
pub const MAKER: Maker = Maker::new(&Entry {
    brand: Brand {
        prefix: "ichessone",
        name: "iChessOne",
        abilities: Abilities { sees: Sees::Pieces, lights: Lamps::Squares, battery: true, ..Abilities::NONE },
    },
    ways: Ways {
        serial: Some(SerialSettings::plain(115_200)),
        ble: Some(nus::gatt(&["iChessOne"])),
        ..Ways::NONE
    },
    notes: &[],
    driver: |connection, now| Box::new(Steady::new(IChessOne::default(), connection, now)),
    #[cfg(feature = "simulators")]
    simulator: Simulator::new(|setup| {
        Box::new(Simulated::new(sim::IChessOneFirmware::new(setup.seed), setup))
    }),
    #[cfg(not(feature = "simulators"))]
    simulator: Simulator::NONE,
});
