//! Opens the port of an address: a named port, the next port of a search, or Bluetooth LE. Each call makes one attempt.

#[cfg(feature = "ble")]
mod ble;
#[cfg(any(feature = "serial", feature = "tcp"))]
mod line;
mod opener;
#[cfg(feature = "serial")]
mod serial;

pub(crate) use self::opener::{NamedPort, Opener};
use crate::address::{BoardPort, LiveAddress};
#[cfg(not(all(feature = "serial", feature = "tcp", feature = "ble", feature = "livechess")))]
use crate::link::LinkError;
#[cfg(feature = "tcp")]
use crate::link::TcpLink;
#[cfg(feature = "livechess")]
use crate::link::{Link, WebLink};
#[cfg(any(feature = "tcp", feature = "livechess"))]
use crate::maker::Maker;

/// Returns the opener for the port of an address.
pub(crate) fn opener(address: &LiveAddress) -> Box<dyn Opener> {
    let maker = address.maker;
    match address.place.clone() {
        // If the address names no host, the program that offers boards is expected on this computer.
        BoardPort::Auto if let Some(web) = maker.transports().web => {
            let place = BoardPort::Web { host: "localhost".to_owned(), port: web.port };
            opener(&LiveAddress { place, ..address.clone() })
        }
        // Boards without a serial port are searched for over Bluetooth LE.
        BoardPort::Auto if maker.transports().serial.is_none() => {
            opener(&LiveAddress { place: BoardPort::Ble(None), ..address.clone() })
        }
        #[cfg(feature = "serial")]
        BoardPort::Auto => serial::search(maker),
        #[cfg(feature = "serial")]
        BoardPort::Serial(port) => serial::named(maker, port),
        #[cfg(feature = "tcp")]
        BoardPort::Tcp { host, port } => tcp(maker, host, port),
        #[cfg(feature = "ble")]
        BoardPort::Ble(which) => ble::wanted(maker, which),
        #[cfg(feature = "livechess")]
        BoardPort::Web { host, port } => web(maker, host, port),
        #[cfg(not(all(feature = "serial", feature = "tcp", feature = "ble", feature = "livechess")))]
        place => not_built(&place),
    }
}

/// Returns the opener for a board that may be plugged in again elsewhere; only boards on serial ports may.
pub(crate) fn roaming_opener(address: &LiveAddress) -> Box<dyn Opener> {
    match &address.place {
        #[cfg(feature = "serial")]
        BoardPort::Serial(port) if !address.maker.transports().has_units() => {
            serial::roaming(address.maker, port)
        }
        _ => opener(address),
    }
}

#[cfg(feature = "tcp")]
fn tcp(maker: Maker, host: String, port: u16) -> Box<dyn Opener> {
    let name = BoardPort::Tcp { host: host.clone(), port }.to_string();
    let line_name = name.clone();
    let open = move |unit: Option<&str>| {
        line::line(maker, unit, &line_name, || Ok(Box::new(TcpLink::open(&host, port)?)))
    };
    Box::new(NamedPort { name, open })
}

#[cfg(feature = "livechess")]
fn web(maker: Maker, host: String, port: u16) -> Box<dyn Opener> {
    let name = BoardPort::Web { host: host.clone(), port }.to_string();
    let path = maker.transports().web.map_or("/", |web| web.path);
    let open =
        move |_: Option<&str>| Ok(Box::new(WebLink::open(&host, port, path, maker.name())?) as Box<dyn Link>);
    Box::new(NamedPort { name, open })
}

/// Returns an opener whose attempts all fail with [`LinkError::NotBuilt`].
#[cfg(not(all(feature = "serial", feature = "tcp", feature = "ble", feature = "livechess")))]
fn not_built(place: &BoardPort) -> Box<dyn Opener> {
    let name = place.to_string();
    let feature = match place {
        BoardPort::Serial(_) | BoardPort::Auto => "serial",
        BoardPort::Tcp { .. } => "tcp",
        BoardPort::Ble(_) => "ble",
        BoardPort::Web { .. } => "livechess",
    };
    let port = name.clone();
    Box::new(NamedPort {
        name,
        open: move |_: Option<&str>| Err(LinkError::NotBuilt { port: port.clone(), feature }),
    })
}
