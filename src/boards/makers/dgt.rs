//! DGT boards and their clocks, over a serial port, Bluetooth's serial profile or TCP.

use crate::brand::{Abilities, Brand, Sees};
use crate::maker::{Maker, MakerEntry, SimulatorFactory};
use crate::transports::{SerialSettings, Transports};

pub mod codec;
mod declared;
mod dial;
#[doc(hidden)]
pub mod driver;
mod hide;
#[doc(hidden)]
pub mod laws;
#[cfg(feature = "simulators")]
pub(crate) mod sim;

pub(super) use declared::DeclarationFilter;
pub(super) use dial::TimesFilter;
pub(super) use hide::{for_each_message, hide_numbers};

/// The maker entry for DGT (Digital Game Technology).
pub const MAKER: Maker = Maker::new(&MakerEntry {
    brand: Brand {
        prefix: "dgt",
        name: "DGT",
        abilities: Abilities { sees: Sees::Pieces, clock: true, battery: true, ..Abilities::NONE },
    },
    transports: Transports {
        serial: Some(SerialSettings::PLAIN_9600),
        usb: &[(0x045B, 0x8111), (0x04D8, 0x000A)],
        // The USB vendor ids of DGT, and of FTDI, whose chips are in older USB boards.
        vendors: &[0x2D80, 0x0403],
        ..Transports::NONE
    },
    notes: &[],
    driver: |connection, now| {
        Box::new(if connection.passive {
            driver::DgtDriver::passive(connection.brand)
        } else {
            driver::DgtDriver::new(connection.brand, connection.carrier, now)
        })
    },
    hide: hide::hide_numbers,
    #[cfg(feature = "simulators")]
    simulator: SimulatorFactory::new(|setup| Box::new(sim::Sim::new(sim::SimConfig::of(setup)))),
    #[cfg(not(feature = "simulators"))]
    simulator: SimulatorFactory::NONE,
});
