//! How a maker's boards are reached and recognised, as data: serial ports, USB ids, Bluetooth LE, WebSockets, shared
//! ports.
//!
//! `link/` opens what is described here.

use std::time::Duration;

/// How a maker's boards are reached and recognised.
#[derive(Clone, Copy, Debug)]
pub struct Transports {
    /// The settings of a serial port, if its boards have one: RS-232, USB or Bluetooth's serial profile.
    pub serial: Option<SerialSettings>,
    /// USB vendor and product ids of its boards. Other devices use some of them too, so a match decides which maker is
    /// tried first, but proves nothing.
    pub usb: &'static [(u16, u16)],
    /// USB vendor ids of which any product may be a board.
    pub vendors: &'static [u16],
    /// How its boards are found over Bluetooth LE, if they have it.
    pub ble: Option<Gatt>,
    /// Where a program offers its boards over a WebSocket, if one does.
    pub web: Option<Web>,
    /// How several boards share one serial port or TCP connection, each used by its own table; `None` if each board has
    /// its own port.
    pub shared: Option<Sharing>,
    /// Whether a device with this protocol may also be a box beside another maker's board.
    pub boxes: bool,
}

impl Transports {
    /// No transports; a maker's transports are built on this value.
    pub const NONE: Self =
        Self { serial: None, usb: &[], vendors: &[], ble: None, web: None, shared: None, boxes: false };

    /// Whether several boards, distinguished by their numbers, may be behind one port.
    pub fn has_units(&self) -> bool {
        self.web.is_some() || self.shared.is_some()
    }
}

/// The settings of a serial port, always with eight data bits and no parity. A protocol with parity computes it in its
/// codec: the bits on the wire are the same, and every adapter can send them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerialSettings {
    /// The speed in bits per second.
    pub baud: u32,
    /// Whether the board reports without being asked. A search then listens on a port before it writes to it.
    pub speaks_first: bool,
}

impl SerialSettings {
    /// 9600 baud, eight bits, no parity.
    pub const PLAIN_9600: Self = Self::eight_none(9_600);

    /// Settings for a board that reports only when it is asked.
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

/// How boards are recognised and used over Bluetooth LE. Services and characteristics are 128-bit UUIDs, the first
/// digit the most significant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gatt {
    /// How the advertised names begin, in upper or lower case.
    pub names: &'static [&'static str],
    /// The service that the characteristics belong to.
    pub service: u128,
    /// Whether only this maker uses the service, so that it identifies the maker without a name.
    pub own_service: bool,
    /// The characteristics on which the board notifies.
    pub notify: &'static [u128],
    /// The characteristic to which the host writes.
    pub write: u128,
    /// Whether a write that is too long for the link may be split.
    pub splits_writes: bool,
}

impl Gatt {
    /// Whether a device with this name and these services is such a board. A service that several makers use does not
    /// count: then the name decides.
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

/// How a maker's boards share a port.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// How long a write occupies the port.
    pub hold: fn(&[u8]) -> PortHold,
    /// Whether the second bytes, received since, contain the complete answer to the first bytes, which were written.
    pub answered: fn(&[u8], &[u8]) -> bool,
    /// Whether two board numbers, as people write them, mean the same board.
    pub same: fn(&str, &str) -> bool,
}

/// How long a write occupies a shared port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PortHold {
    /// Until its answer is complete, or nothing has arrived for this long.
    Answer(Duration),
    /// For this long, whatever arrives: several boards may answer, or none.
    Span(Duration),
}
