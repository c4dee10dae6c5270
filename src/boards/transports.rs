//! How a maker's boards are reached and recognised, as data: serial ports, USB ids, Bluetooth LE, WebSockets, shared lines.
//!
//! `link/` opens what is described here.

use std::time::Duration;

/// How a maker's boards are reached and recognised.
#[derive(Clone, Copy, Debug)]
pub struct Transports {
    /// Over a serial port, a USB one or Bluetooth's serial profile.
    pub serial: Option<SerialSettings>,
    /// USB vendor and product seen on its boards. Some are shared with other gadgets, so a match
    /// is a reason to ask first, never a proof.
    pub usb: &'static [(u16, u16)],
    /// USB vendors of which any product may be a board.
    pub vendors: &'static [u16],
    /// Over Bluetooth LE.
    pub ble: Option<Gatt>,
    /// Over a WebSocket.
    pub web: Option<Web>,
    /// How several boards share one serial line or TCP connection, each used by a table of its own; nothing if a line is
    /// one board's alone.
    pub shared: Option<Sharing>,
    /// Whether what speaks so may also be a box that stands beside another maker's board.
    pub boxes: bool,
}

impl Transports {
    /// In no way at all.
    pub const NONE: Self =
        Self { serial: None, usb: &[], vendors: &[], ble: None, web: None, shared: None, boxes: false };

    /// Whether several boards may be behind one port, told apart by their numbers.
    pub fn has_units(&self) -> bool {
        self.web.is_some() || self.shared.is_some()
    }
}

/// How a serial line is set: eight bits and no parity always. A protocol with parity computes it in its codec:
/// the bits on the wire are the same, and every adapter can do that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerialSettings {
    /// Bits a second.
    pub baud: u32,
    /// Whether the board talks without being asked, so that a port on which it may be is not written to
    /// before it has been heard.
    pub speaks_first: bool,
}

impl SerialSettings {
    /// 9600 baud, eight bits, no parity.
    pub const PLAIN_9600: Self = Self::plain(9_600);

    /// Eight bits, no parity, and the board has to be asked.
    pub const fn plain(baud: u32) -> Self {
        Self { baud, speaks_first: false }
    }
}

/// Where a program offers boards over a WebSocket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Web {
    /// The usual port.
    pub port: u16,
    /// The path, with its first stroke.
    pub path: &'static str,
}

/// How boards are recognised and spoken to over Bluetooth LE. A service's or a characteristic's number is its 128-bit
/// UUID, the first digit the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gatt {
    /// How the advertised names begin, in any case.
    pub names: &'static [&'static str],
    /// The service that the characteristics belong to.
    pub service: u128,
    /// Whether nobody else uses that service, so that it tells the maker without a name.
    pub own_service: bool,
    /// The characteristics on which the board speaks.
    pub notify: &'static [u128],
    /// The characteristic to which the host writes.
    pub write: u128,
    /// Whether what is too long for the link may be written in parts.
    pub cuts: bool,
}

impl Gatt {
    /// Whether a board with that name and these services is one of this kind. A service that many makers share tells
    /// nothing: the name decides.
    pub fn is_of(&self, name: Option<&str>, services: &[u128]) -> bool {
        let begins = |prefix: &&str| {
            name.map(plain)
                .and_then(|name| name.get(..prefix.len()))
                .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        self.names.iter().any(begins) || (self.own_service && services.contains(&self.service))
    }
}

/// An advertised name without the spaces, NULs and line ends that some boards hang behind it.
pub(crate) fn plain(name: &str) -> &str {
    name.trim_matches(|letter: char| letter.is_whitespace() || letter.is_control())
}

/// How a maker's boards share a line.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// What a write asks of the line.
    pub turn: fn(&[u8]) -> LineHold,
    /// Whether the answer to the first bytes, which were written, is whole in the second, which were heard since.
    pub answered: fn(&[u8], &[u8]) -> bool,
    /// Whether two units, as people write them, are the same board.
    pub same: fn(&str, &str) -> bool,
}

/// For how long a write has the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineHold {
    /// Until its answer is whole, or nothing was heard for so long.
    Answer(Duration),
    /// For so long, whatever is heard: many may answer, or nobody will.
    Span(Duration),
}
