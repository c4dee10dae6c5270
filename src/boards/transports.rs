//! How a maker's boards are reached and recognised, as data: serial ports, USB ids, Bluetooth LE, WebSockets, shared
//! ports.
//!
//! The modules in `link/` open the ports that are described here.

use std::time::Duration;

/// How a maker's boards are reached and recognised.
#[derive(Clone, Copy, Debug)]
pub struct Transports {
    /// The settings of the serial ports of the maker's boards (RS-232, USB or Bluetooth's serial profile); `None` if
    /// the boards have no serial port.
    pub serial: Option<SerialSettings>,
    /// The USB vendor and product ids of the maker's boards. Other devices use some of these ids too, so a matching id
    /// only decides which maker is tried first.
    pub usb: &'static [(u16, u16)],
    /// USB vendor ids whose products may all be boards of this maker.
    pub vendors: &'static [u16],
    /// How the maker's boards are found over Bluetooth LE; `None` if they do not have it.
    pub ble: Option<Gatt>,
    /// Where a program offers the maker's boards over a WebSocket; `None` if no program does.
    pub web: Option<Web>,
    /// How several boards share one serial port or TCP connection, on which each table uses one board. `None` if each
    /// board has its own port.
    pub shared: Option<Sharing>,
    /// Whether a device with this protocol may also be a box with a card reader, used together with another maker's
    /// board.
    pub boxes: bool,
}

impl Transports {
    /// No transport at all: no board can be reached. Each maker starts from this value and sets the transports of its
    /// own boards.
    pub const NONE: Self =
        Self { serial: None, usb: &[], vendors: &[], ble: None, web: None, shared: None, boxes: false };

    /// Whether several boards, distinguished by their numbers, may share one port.
    pub fn has_units(&self) -> bool {
        self.web.is_some() || self.shared.is_some()
    }
}

/// The settings of a serial port. It always has eight data bits and no parity. If a protocol uses parity, its codec
/// computes the parity bits, so that every adapter can send them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerialSettings {
    /// The speed in bits per second.
    pub baud: u32,
    /// Whether the board reports without being asked. If so, a search listens on a port before it writes to it.
    pub speaks_first: bool,
}

impl SerialSettings {
    /// 9600 baud, eight bits, no parity.
    pub const PLAIN_9600: Self = Self::eight_none(9_600);

    /// Settings for a board that reports only when it is asked, with eight data bits and no parity.
    pub const fn eight_none(baud: u32) -> Self {
        Self { baud, speaks_first: false }
    }
}

/// Where a program offers boards over a WebSocket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Web {
    /// The default TCP port.
    pub port: u16,
    /// The path, with its leading slash.
    pub path: &'static str,
}

/// How boards are recognised and used over Bluetooth LE. Services and characteristics are 128-bit UUIDs; the first
/// digit of a UUID is the most significant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gatt {
    /// The beginnings of the names that the boards advertise. Upper and lower case are equal.
    pub names: &'static [&'static str],
    /// The service to which the characteristics belong.
    pub service: u128,
    /// Whether only this maker uses the service. If so, the service identifies the maker, whatever the name.
    pub own_service: bool,
    /// The characteristics on which the board sends notifications.
    pub notify: &'static [u128],
    /// The characteristic to which the host writes.
    pub write: u128,
    /// Whether a write that is too long for the link may be split into several.
    pub splits_writes: bool,
}

impl Gatt {
    /// Whether a device with this name and these services is a board of the maker. If several makers use the service,
    /// only the name decides.
    pub fn matches_device(&self, name: Option<&str>, services: &[u128]) -> bool {
        let begins = |prefix: &&str| {
            name.map(trimmed_name)
                .and_then(|name| name.get(..prefix.len()))
                .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        self.names.iter().any(begins) || (self.own_service && services.contains(&self.service))
    }
}

/// Returns an advertised name without the spaces, NULs and line ends that some boards append.
pub(crate) fn trimmed_name(name: &str) -> &str {
    name.trim_matches(|letter: char| letter.is_whitespace() || letter.is_control())
}

/// How several boards of a maker share one port.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Returns how long the write of these bytes occupies the port.
    pub hold: fn(&[u8]) -> PortHold,
    /// Whether an answer is complete. The first argument is the bytes that were written, the second one all bytes
    /// received since then.
    pub answered: fn(&[u8], &[u8]) -> bool,
    /// Whether two texts that people wrote mean the same board number.
    pub same: fn(&str, &str) -> bool,
}

/// How long a write occupies a shared port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PortHold {
    /// The port is occupied until the answer is complete, or until nothing has arrived for this long.
    Answer(Duration),
    /// The port is occupied for this long, whatever arrives, because the number of answers is unknown.
    Span(Duration),
}
