//! Opens boards over Bluetooth LE.

use std::sync::atomic::AtomicBool;

use super::opener::{NamedPort, Opener};
use crate::address::BoardPort;
use crate::link::ble::{Radio, WantedBoard};
use crate::link::{Link, LinkError};
use crate::maker::Maker;

/// Returns the opener for a board of this maker. `which` is the full name or the address of the board; `None` accepts
/// any board of the maker.
pub(super) fn wanted(maker: Maker, which: Option<String>) -> Box<dyn Opener> {
    if let Some(gatt) = maker.transports().ble {
        let wanted = WantedBoard { brand: maker.brand(), gatt, which };
        return Box::new(OverBle { radio: Radio::shared(), wanted });
    }
    let open = move |_: Option<&str>| Err(maker.not_found());
    Box::new(NamedPort { name: "ble".to_owned(), open })
}

/// Opens a board over Bluetooth LE.
struct OverBle {
    radio: Radio,
    wanted: WantedBoard,
}

impl Opener for OverBle {
    fn open(&mut self, _: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        let link = self.radio.open(&self.wanted, stop)?;
        Ok((BoardPort::Ble(self.wanted.which.clone()).to_string(), Box::new(link)))
    }
}
