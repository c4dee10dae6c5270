//! The addresses of boards, as people write them: `dgt:/dev/ttyACM0`, `COM3`, `dgt:tcp:HOST:PORT`, `auto`,
//! `capture:FILE`, `sim`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::maker::Maker;
use crate::makers::USUAL;

/// The value of `--board`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardAddress {
    /// A real board.
    Live(LiveAddress),
    /// The board that a search over cables and over Bluetooth finds, if it finds exactly one.
    Only,
    /// A capture: a file with the bytes of a board.
    Capture(PathBuf),
    /// A simulated board of this maker.
    Sim(Maker),
}

/// The address of a real board: its maker and its port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveAddress {
    /// The maker, whose protocol the board uses.
    pub maker: Maker,
    /// The port of the board.
    pub place: BoardPort,
    /// The number of the board, as people write it: of several that share the port, or of the one that a search has to find.
    /// `None` means the only board there, or the first that is found.
    pub unit: Option<String>,
}

/// The port of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardPort {
    /// A serial port by its name.
    Serial(String),
    /// A machine that forwards a board's bytes over TCP.
    Tcp {
        /// The machine's name or IP address; an IPv6 address without brackets.
        host: String,
        /// The TCP port.
        port: u16,
    },
    /// A program that offers boards over a WebSocket.
    Web {
        /// The machine's name or IP address; an IPv6 address without brackets.
        host: String,
        /// The TCP port.
        port: u16,
    },
    /// A board over Bluetooth LE, by its full name or its address; `None` means the first board of the maker that is
    /// found.
    Ble(Option<String>),
    /// The first port on which a board of the maker answers.
    Auto,
}

impl LiveAddress {
    /// The address of this maker's board on a serial port.
    pub fn serial(maker: Maker, port: &str) -> Self {
        Self::at(maker, BoardPort::Serial(port.to_owned()))
    }

    /// The address of this maker's board on a port that has only one board.
    pub fn at(maker: Maker, place: BoardPort) -> Self {
        Self { maker, place, unit: None }
    }
}

impl fmt::Display for BoardPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial(port) => f.write_str(port),
            Self::Tcp { host, port } if host.contains(':') => write!(f, "tcp:[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "tcp:{host}:{port}"),
            Self::Web { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Web { host, port } => write!(f, "{host}:{port}"),
            Self::Ble(None) => f.write_str("ble"),
            Self::Ble(Some(which)) => write!(f, "ble:{which}"),
            Self::Auto => f.write_str("auto"),
        }
    }
}

impl fmt::Display for LiveAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.maker.prefix(), self.place)?;
        match &self.unit {
            Some(unit) => write!(f, "#{unit}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for BoardAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Live(live) => live.fmt(f),
            Self::Only => f.write_str("auto"),
            Self::Capture(path) => write!(f, "capture:{}", path.display()),
            Self::Sim(maker) if *maker == USUAL => f.write_str("sim"),
            Self::Sim(maker) => write!(f, "sim:{}", maker.prefix()),
        }
    }
}

/// Why a text is not the address of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoAddress {
    /// The text is empty.
    #[error(
        "a board's address is missing; write `auto`, a port such as dgt:/dev/ttyACM0, `sim`, or capture:FILE"
    )]
    Empty,
    /// The text is neither a known word nor a port.
    #[error(
        "`{text}` is not a board's address; write `auto`, a port such as dgt:/dev/ttyACM0 or COM3, dgt:tcp:HOST:PORT, `sim`, or capture:FILE"
    )]
    Unknown {
        /// The given text.
        text: String,
    },
    /// The text names a maker, but no port.
    #[error("`{text}` names no port; write {prefix}:auto, or a port, as in {prefix}:{example}")]
    NoPlace {
        /// The given text.
        text: String,
        /// The maker's prefix.
        prefix: &'static str,
        /// An example of a port of the maker's boards.
        example: &'static str,
    },
    /// The text ends with `#`, without the number of a board.
    #[error("`{text}` has no board number after `#`; write the number, as in {text}1025, or remove `#`")]
    NoUnit {
        /// The given text.
        text: String,
    },
    /// The text names Bluetooth LE, but the maker's boards do not have it.
    #[error(
        "`{text}` cannot be used: these boards have no Bluetooth LE; write {prefix}:auto, or {prefix}: followed by a port"
    )]
    NotOverBle {
        /// The given text.
        text: String,
        /// The maker's prefix.
        prefix: &'static str,
    },
    /// The text names a simulated board of an unknown maker.
    #[error(
        "`{text}` is not a simulated board; write `sim`, or `sim:` followed by one of {makers}",
        makers = Maker::prefixes()
    )]
    NoMaker {
        /// The given text.
        text: String,
    },
    /// The text names a capture, a simulated board or `auto`, but the address of a port is required.
    #[error("`{text}` is not the address of a device; write a port, for example dgt:/dev/ttyACM0")]
    NotLive {
        /// The given text.
        text: String,
    },
    /// The text is `capture:` without the name of a file.
    #[error("`capture:` names no file; write capture:FILE")]
    NoFile,
    /// The text has no host, or no valid port number.
    #[error(
        "`{text}` is not a host and a port; write tcp:HOST:PORT with a port number from 1 to 65535, and an IPv6 address in brackets"
    )]
    NoHost {
        /// The given text.
        text: String,
    },
}

impl FromStr for LiveAddress {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        match text.parse()? {
            BoardAddress::Live(address) => Ok(address),
            BoardAddress::Only | BoardAddress::Capture(_) | BoardAddress::Sim(_) => {
                Err(NoAddress::NotLive { text: text.to_owned() })
            }
        }
    }
}

impl FromStr for BoardAddress {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let text = text.trim();
        match text.split_once(':') {
            _ if text.is_empty() => Err(NoAddress::Empty),
            None if text == "sim" => Ok(Self::Sim(USUAL)),
            Some(("sim", maker)) => match Maker::from_prefix(maker) {
                Some(maker) => Ok(Self::Sim(maker)),
                None => Err(NoAddress::NoMaker { text: text.to_owned() }),
            },
            None if text == "auto" => Ok(Self::Only),
            Some(("capture", "")) => Err(NoAddress::NoFile),
            Some(("capture", file)) => Ok(Self::Capture(PathBuf::from(file))),
            // If the text is a port without a maker, the usual maker is assumed.
            _ if is_port(text) => Ok(Self::Live(LiveAddress::serial(USUAL, text))),
            split => {
                let (prefix, place) = split.unwrap_or((text, ""));
                let maker =
                    Maker::from_prefix(prefix).ok_or_else(|| NoAddress::Unknown { text: text.to_owned() })?;
                // Only makers whose boards can share a port use `#` for a board's number, and a search. In other places `#`
                // may be part of the name of a port.
                let has_number = |(at, _): &(&str, &str)| {
                    maker.transports().has_units() || *at == "auto" && maker.transports().serial.is_some()
                };
                let (place, unit) = match place.rsplit_once('#').filter(has_number) {
                    Some((_, "")) => return Err(NoAddress::NoUnit { text: text.to_owned() }),
                    Some((place, unit)) => (place, Some(unit.to_owned())),
                    None => (place, None),
                };
                Ok(Self::Live(LiveAddress { maker, place: place_of(place, text, maker)?, unit }))
            }
        }
    }
}

fn place_of(place: &str, text: &str, maker: Maker) -> Result<BoardPort, NoAddress> {
    if place.is_empty() {
        let ways = maker.transports();
        let example = match (ways.web.is_some(), ways.serial.is_some()) {
            (true, _) => "HOST",
            (false, true) => "/dev/ttyACM0 (or what your port is called)",
            (false, false) => "ble",
        };
        return Err(NoAddress::NoPlace { text: text.to_owned(), prefix: maker.prefix(), example });
    }
    if place == "auto" {
        return Ok(BoardPort::Auto);
    }
    if maker.transports().ble.is_some() {
        match place.split_once(':') {
            None if place == "ble" => return Ok(BoardPort::Ble(None)),
            Some(("ble", which)) if !which.is_empty() => return Ok(BoardPort::Ble(Some(which.to_owned()))),
            _ => {}
        }
    }
    if place == "ble" || place.starts_with("ble:") && maker.transports().web.is_none() {
        return Err(NoAddress::NotOverBle { text: text.to_owned(), prefix: maker.prefix() });
    }
    if let Some(web) = maker.transports().web {
        let numbered = place.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
        let (host, port) = match numbered {
            Some(_) => host_and_port(place, text)?,
            None => (place.to_owned(), web.port),
        };
        return Ok(BoardPort::Web { host, port });
    }
    let Some(rest) = place.strip_prefix("tcp:") else { return Ok(BoardPort::Serial(place.to_owned())) };
    let (host, port) = host_and_port(rest, text)?;
    Ok(BoardPort::Tcp { host, port })
}

fn host_and_port(place: &str, text: &str) -> Result<(String, u16), NoAddress> {
    let wrong = || NoAddress::NoHost { text: text.to_owned() };
    let (host, port) = place.rsplit_once(':').ok_or_else(wrong)?;
    let port = port.parse().ok().filter(|port| *port != 0).ok_or_else(wrong)?;
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    // Only a host in brackets may contain colons.
    let host = bare.or_else(|| (!host.contains(':')).then_some(host)).ok_or_else(wrong)?;
    if host.is_empty() { Err(wrong()) } else { Ok((host.to_owned(), port)) }
}

/// Whether a text is a path or the name of a serial port on Windows.
fn is_port(text: &str) -> bool {
    let com = text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("com"));
    let numbered = text.get(3..).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    text.starts_with(['/', '.']) || text.starts_with(r"\\.\") || (com && numbered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::makers::{chessnut, dgt, dgtbus, livechess};

    fn serial(port: &str) -> BoardAddress {
        BoardAddress::Live(LiveAddress::serial(dgt::MAKER, port))
    }

    #[test]
    fn every_form_of_an_address_is_understood_and_written_back() {
        let tcp = |host: &str, port| {
            let place = BoardPort::Tcp { host: host.to_owned(), port };
            BoardAddress::Live(LiveAddress::at(dgt::MAKER, place))
        };
        let auto = BoardAddress::Live(LiveAddress::at(dgt::MAKER, BoardPort::Auto));
        let wanted = LiveAddress::at(dgt::MAKER, BoardPort::Auto);
        let wanted = BoardAddress::Live(LiveAddress { unit: Some("01025".to_owned()), ..wanted });
        let ble = |which: Option<&str>| {
            BoardAddress::Live(LiveAddress::at(chessnut::MAKER, BoardPort::Ble(which.map(str::to_owned))))
        };
        let web = |host: &str, port| {
            let place = BoardPort::Web { host: host.to_owned(), port };
            BoardAddress::Live(LiveAddress::at(livechess::MAKER, place))
        };
        let place = BoardPort::Web { host: "hall.local".to_owned(), port: 1982 };
        let hall = LiveAddress { unit: Some("23946".to_owned()), ..LiveAddress::at(livechess::MAKER, place) };
        let hall = BoardAddress::Live(hall);
        let numbered = LiveAddress::serial(dgtbus::MAKER, "/dev/ttyUSB0");
        let numbered = BoardAddress::Live(LiveAddress { unit: Some("1025".to_owned()), ..numbered });
        let cases = [
            ("dgt:/dev/ttyACM0", serial("/dev/ttyACM0"), "dgt:/dev/ttyACM0"),
            ("DGT:COM3", serial("COM3"), "dgt:COM3"),
            ("/dev/rfcomm0", serial("/dev/rfcomm0"), "dgt:/dev/rfcomm0"),
            ("com12", serial("com12"), "dgt:com12"),
            (r"\\.\COM12", serial(r"\\.\COM12"), r"dgt:\\.\COM12"),
            ("./board", serial("./board"), "dgt:./board"),
            ("dgt:tcp:pi.local:4001", tcp("pi.local", 4001), "dgt:tcp:pi.local:4001"),
            ("dgt:tcp:[::1]:4001", tcp("::1", 4001), "dgt:tcp:[::1]:4001"),
            ("auto", BoardAddress::Only, "auto"),
            ("dgt:auto", auto, "dgt:auto"),
            ("dgt:auto#01025", wanted, "dgt:auto#01025"),
            ("capture:a b.jsonl", BoardAddress::Capture("a b.jsonl".into()), "capture:a b.jsonl"),
            ("capture:C:/x.jsonl", BoardAddress::Capture("C:/x.jsonl".into()), "capture:C:/x.jsonl"),
            ("chessnut:ble", ble(None), "chessnut:ble"),
            ("chessnut:ble:Chessnut Air", ble(Some("Chessnut Air")), "chessnut:ble:Chessnut Air"),
            (
                "chessnut:ble:C0:FF:EE:00:00:01",
                ble(Some("C0:FF:EE:00:00:01")),
                "chessnut:ble:C0:FF:EE:00:00:01",
            ),
            ("livechess:hall.local#23946", hall, "livechess:hall.local:1982#23946"),
            ("livechess:[::1]:2000", web("::1", 2000), "livechess:[::1]:2000"),
            ("dgtbus:/dev/ttyUSB0#1025", numbered, "dgtbus:/dev/ttyUSB0#1025"),
            ("dgt:/dev/tty#1", serial("/dev/tty#1"), "dgt:/dev/tty#1"),
            (" sim ", BoardAddress::Sim(dgt::MAKER), "sim"),
            ("sim:chessnut", BoardAddress::Sim(chessnut::MAKER), "sim:chessnut"),
        ];
        for (text, address, written) in cases {
            assert_eq!(text.parse(), Ok(address.clone()), "{text}");
            assert_eq!(address.to_string(), written);
            assert_eq!(written.parse(), Ok(address), "{written}");
        }
    }

    #[test]
    fn only_a_port_is_a_live_address() {
        assert_eq!("COM3".parse(), Ok(LiveAddress::serial(dgt::MAKER, "COM3")));
        for text in ["auto", "sim", "sim:chessnut", "capture:x.jsonl"] {
            let error = text.parse::<LiveAddress>().expect_err(text);
            assert_eq!(
                error.to_string(),
                format!(
                    "`{text}` is not the address of a device; write a port, for example dgt:/dev/ttyACM0"
                )
            );
        }
    }

    #[test]
    fn what_is_no_address_says_how_one_looks() {
        let cases = [
            ("", "a board's address is missing"),
            ("chess:/dev/x", "`chess:/dev/x` is not a board's address"),
            ("ttyACM0", "`ttyACM0` is not a board's address"),
            ("COM", "`COM` is not a board's address"),
            (
                "sim:nobody",
                "`sim:nobody` is not a simulated board; write `sim`, or `sim:` followed by one of dgt, ",
            ),
            ("dgt", "`dgt` names no port; write dgt:auto"),
            ("dgt:", "`dgt:` names no port"),
            ("capture:", "`capture:` names no file"),
            ("dgtbus:/dev/ttyS0#", "has no board number after `#`"),
            ("dgt:ble", "have no Bluetooth LE; write dgt:auto"),
            ("livechess", "write livechess:auto, or a port, as in livechess:HOST"),
            ("pegasus:", "as in pegasus:ble"),
            ("dgt:tcp:pi", "`dgt:tcp:pi` is not a host and a port"),
            ("dgt:tcp:pi:0", "is not a host and a port"),
            ("dgt:tcp::4001", "is not a host and a port"),
            ("dgt:tcp:a:b:4001", "is not a host and a port"),
        ];
        for (text, start) in cases {
            let error = text.parse::<BoardAddress>().expect_err(text);
            assert!(error.to_string().contains(start), "{text}: {error}");
        }
    }
}
