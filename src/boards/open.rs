//! Opens the port of an address, one attempt a call: a named one, the next of all that may be the board, the radio.

use std::sync::atomic::AtomicBool;

use crate::address::{LiveAddress, Place};
use crate::link::ble::{Radio, Wanted};
use crate::link::{Link, LinkError, SerialLink, TcpLink, WebLink, join};
use crate::maker::Maker;
use crate::ports::{Likely, discover};
use crate::ways::SerialSettings;

/// Opens ports, one attempt a call.
pub(crate) trait Opener: Send {
    /// A port's name and the port, for this one of several boards behind it. Returns early, with whatever error, when
    /// `stop` is set.
    fn open(&mut self, unit: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError>;
    /// Whether the next call tries another port than a first one would.
    fn others_left(&self) -> bool {
        false
    }
    /// The port that was opened last is the board.
    fn found(&mut self, _port: &str) {}
}

/// One port that people have named, or that a function opens.
pub(crate) struct Named<F> {
    pub(crate) name: String,
    pub(crate) open: F,
}

impl<F: FnMut(Option<&str>) -> Result<Box<dyn Link>, LinkError> + Send> Opener for Named<F> {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        Ok((self.name.clone(), (self.open)(unit)?))
    }
}

/// A line of this maker's boards for one of them: its own, or one that its neighbours use too.
fn line(
    maker: Maker,
    unit: Option<&str>,
    name: &str,
    open: impl FnOnce() -> Result<Box<dyn Link>, LinkError>,
) -> Result<Box<dyn Link>, LinkError> {
    match maker.ways().shared {
        None => open(),
        Some(sharing) => join(name, unit, sharing, open),
    }
}

/// A serial port of this maker's boards.
fn serial(maker: Maker, unit: Option<&str>, port: &str) -> Result<Box<dyn Link>, LinkError> {
    let settings = maker.ways().serial.unwrap_or(SerialSettings::PLAIN_9600);
    // Links and other spellings lead to the same port.
    let name =
        std::fs::canonicalize(port).map_or_else(|_| port.to_owned(), |path| path.display().to_string());
    line(maker, unit, &name, || Ok(Box::new(SerialLink::open(port, settings)?)))
}

/// All ports that may be the board, in turn.
struct Search {
    maker: Maker,
    /// The ports of this round that were not tried yet, the next one last.
    left: Vec<String>,
    /// Where the board was: it is looked for there first.
    last: Option<String>,
}

impl Opener for Search {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        let none = self.maker.not_found();
        if self.maker.ways().serial.is_none() {
            return Err(none);
        }
        if self.left.is_empty() {
            let found = discover().into_iter().filter(|port| port.likely != Likely::Other);
            self.left = in_turn(found.map(|port| port.port).collect(), self.last.as_deref());
        }
        let mut error = none;
        while let Some(port) = self.left.pop() {
            match serial(self.maker, unit, &port) {
                Ok(link) => return Ok((port, link)),
                // What a person can put right is worth more than that nothing was found.
                Err(
                    refusal @ (LinkError::NoPermission { .. }
                    | LinkError::Busy { .. }
                    | LinkError::Taken { .. }),
                ) => error = refusal,
                Err(_) => {}
            }
        }
        Err(error)
    }

    fn others_left(&self) -> bool {
        !self.left.is_empty()
    }

    fn found(&mut self, port: &str) {
        if self.last.as_deref() != Some(port) {
            self.last = Some(port.to_owned());
        }
        self.left.clear();
    }
}

/// A board over Bluetooth LE.
struct OverBle {
    radio: Radio,
    wanted: Wanted,
}

impl Opener for OverBle {
    fn open(&mut self, _: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        let link = self.radio.open(&self.wanted, stop)?;
        Ok((Place::Ble(self.wanted.which.clone()).to_string(), Box::new(link)))
    }
}

/// The ports as a stack, likeliest on top, the one where the board was above all.
fn in_turn(mut ports: Vec<String>, last: Option<&str>) -> Vec<String> {
    ports.reverse();
    ports.sort_by_key(|port| Some(port.as_str()) == last);
    ports
}

/// What opens the port of an address.
pub(crate) fn opener(address: &LiveAddress) -> Box<dyn Opener> {
    let maker = address.maker;
    match address.place.clone() {
        Place::Serial(port) => {
            let name = port.clone();
            let open = move |unit: Option<&str>| serial(maker, unit, &port);
            Box::new(Named { name, open })
        }
        Place::Tcp { host, port } => {
            let name = Place::Tcp { host: host.clone(), port }.to_string();
            let line_name = name.clone();
            let open = move |unit: Option<&str>| {
                line(maker, unit, &line_name, || Ok(Box::new(TcpLink::open(&host, port)?)))
            };
            Box::new(Named { name, open })
        }
        Place::Ble(which) => {
            if let Some(gatt) = maker.ways().ble {
                let wanted = Wanted { brand: maker.brand(), gatt, which };
                return Box::new(OverBle { radio: Radio::shared(), wanted });
            }
            let open = move |_: Option<&str>| Err(maker.not_found());
            Box::new(Named { name: "ble".to_owned(), open })
        }
        Place::Web { host, port } => {
            let name = Place::Web { host: host.clone(), port }.to_string();
            let path = address.maker.ways().web.map_or("/", |web| web.path);
            let maker = address.maker.name();
            let open = move |_: Option<&str>| {
                Ok(Box::new(WebLink::open(&host, port, path, maker)?) as Box<dyn Link>)
            };
            Box::new(Named { name, open })
        }
        // A program that offers boards runs on this computer, if it is not named.
        Place::Auto if let Some(web) = address.maker.ways().web => {
            let place = Place::Web { host: "localhost".to_owned(), port: web.port };
            opener(&LiveAddress { place, ..address.clone() })
        }
        // Boards that are only there over Bluetooth LE are looked for there.
        Place::Auto if address.maker.ways().serial.is_none() => {
            opener(&LiveAddress { place: Place::Ble(None), ..address.clone() })
        }
        Place::Auto => Box::new(Search { maker, left: Vec::new(), last: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_where_the_board_was_is_tried_first() {
        let ports = || vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        assert_eq!(in_turn(ports(), None), ["c", "b", "a"]);
        assert_eq!(in_turn(ports(), Some("b")), ["c", "a", "b"]);
    }
}
