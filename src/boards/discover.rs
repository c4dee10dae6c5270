//! Which ports of this computer may be boards, and which boards are near.
//!
//! A USB id is a hint: one of them is Microchip's demo id, which power supplies have too. Only an
//! answer proves a board.

use std::fs::canonicalize;
use std::panic::catch_unwind;
use std::thread;
use std::time::Duration;

use serialport::{SerialPortInfo, SerialPortType};

use super::address::{LiveAddress, Place};
use super::link::ble::{Radio, Sighting};
use super::link::{LinkError, WebLink, is_bluetooth};
use super::notes::Notes;
use super::supervisor::{self, Probed};
use crate::makers::{CATALOG, Maker};
use tabiya_types::Timeline;

/// A serial port of this computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The name to open it by.
    pub port: String,
    /// How likely a board is behind it.
    pub likely: Likely,
    /// The makers whose USB id fits, those with the very id first.
    pub makers: Vec<Maker>,
    /// USB vendor and product.
    pub usb: Option<(u16, u16)>,
    /// What the device calls itself.
    pub product: Option<String>,
    /// The serial number of its USB chip, which need not be the board's.
    pub serial: Option<String>,
}

/// A line for a list: the port, who may sit there, and why.
impl std::fmt::Display for Candidate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let why = match self.likely {
            Likely::Known => "the USB id of a board",
            Likely::Vendor => "a board maker's USB vendor",
            Likely::Usb => "some USB device",
            Likely::Bluetooth => "Bluetooth",
            Likely::Other => "built in or unknown; tried only if named",
        };
        write!(f, "{}  {}", self.port, why)?;
        if !self.makers.is_empty() {
            let names: Vec<&str> = self.makers.iter().map(|maker| maker.entry().name).collect();
            write!(f, " ({})", names.join(" or "))?;
        }
        for text in [&self.product, &self.serial].into_iter().flatten() {
            write!(f, "  {text}")?;
        }
        Ok(())
    }
}

/// How likely a board is behind a port, likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Likely {
    /// The USB id of a board.
    Known,
    /// The vendor's id.
    Vendor,
    /// Some other USB device.
    Usb,
    /// Bluetooth's serial profile.
    Bluetooth,
    /// Built into the computer, or unknown. Such a port is never tried without being named:
    /// what is behind it may mind.
    Other,
}

/// All serial ports, likeliest first, then by name. Empty when the system cannot list them.
pub fn discover() -> Vec<Candidate> {
    // Listing walks over foreign devices' descriptions, and a library that stumbles over one must
    // not take the table down.
    let ports = catch_unwind(serialport::available_ports).ok().and_then(Result::ok).unwrap_or_default();
    sorted(ports.iter().map(candidate).collect())
}

fn sorted(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| (a.likely, &a.port).cmp(&(b.likely, &b.port)));
    // A Mac lists each port twice, and only the calling side opens without a carrier.
    let calls: Vec<String> =
        candidates.iter().filter_map(|c| c.port.strip_prefix("/dev/cu.").map(str::to_owned)).collect();
    candidates.retain(|c| {
        !c.port.strip_prefix("/dev/tty.").is_some_and(|name| calls.iter().any(|call| call == name))
    });
    candidates
}

fn candidate(info: &SerialPortInfo) -> Candidate {
    let plain = |likely| Candidate {
        port: info.port_name.clone(),
        likely,
        makers: Vec::new(),
        usb: None,
        product: None,
        serial: None,
    };
    match &info.port_type {
        SerialPortType::UsbPort(usb) => {
            let id = (usb.vid, usb.pid);
            let with = |fits: &dyn Fn(&Maker) -> bool| CATALOG.into_iter().filter(fits).collect::<Vec<_>>();
            let known = with(&|maker| maker.entry().ways.usb.contains(&id));
            let vendor =
                with(&|maker| maker.entry().ways.vendors.contains(&usb.vid) && !known.contains(maker));
            let likely = match (known.is_empty(), vendor.is_empty()) {
                (false, _) => Likely::Known,
                (true, false) => Likely::Vendor,
                (true, true) => Likely::Usb,
            };
            Candidate {
                makers: [known, vendor].concat(),
                usb: Some(id),
                product: usb.product.clone(),
                serial: usb.serial_number.clone(),
                ..plain(likely)
            }
        }
        SerialPortType::BluetoothPort => plain(Likely::Bluetooth),
        // Linux tells the type of the USB ones only.
        _ if is_bluetooth(&info.port_name) => plain(Likely::Bluetooth),
        _ => plain(Likely::Other),
    }
}

/// How long boards that advertise themselves are waited for.
pub const LOOK: Duration = Duration::from_secs(3);

/// A board that answers, or that advertises itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Near {
    /// How to connect to it.
    pub address: LiveAddress,
    /// What it calls itself, or what is known of it.
    pub name: String,
}

/// A line for a list: what to write for it, and what it is.
impl std::fmt::Display for Near {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", self.address, self.name)
    }
}

impl From<Sighting> for Near {
    fn from(seen: Sighting) -> Self {
        let address = LiveAddress::at(seen.maker, Place::Ble(Some(seen.address)));
        Self { address, name: format!("{} ({})", seen.name, seen.maker.entry().name) }
    }
}

/// The boards that advertise themselves over Bluetooth LE, after a look of [`LOOK`].
pub fn over_the_air() -> Result<Vec<Near>, LinkError> {
    over_the_air_but(None)
}

/// Those of them that are not what stands at this place.
fn over_the_air_but(beside: Option<&Place>) -> Result<Vec<Near>, LinkError> {
    let seen = Radio::shared().look(LOOK)?.into_iter();
    Ok(seen.filter(|seen| !beside.is_some_and(|place| is_sighted(place, seen))).map(Near::from).collect())
}

/// Whether that place is this one in the air.
fn is_sighted(place: &Place, seen: &Sighting) -> bool {
    matches!(place, Place::Ble(Some(which)) if seen.is_called(which))
}

/// Whether that place is this serial port, under whatever name: a link to it leads there, too.
fn is_port(place: &Place, port: &str) -> bool {
    let real = |port: &str| canonicalize(port).unwrap_or_else(|_| port.into());
    matches!(place, Place::Serial(named) if real(named) == real(port))
}

/// Asks each likely port whether a board answers there: those first that talk without being asked, so that no port is
/// written to that another board speaks at; a single board before a bus of several, which has the same USB ids and answers
/// to fewer words. What stands at `beside` is left alone. Takes some seconds a port and maker.
fn at_ports(beside: Option<&Place>, notes: &dyn Fn(Maker) -> Notes, timeline: &dyn Timeline) -> Vec<Near> {
    let ask = |candidate: Candidate| {
        let mut makers = candidate.makers.clone();
        if makers.is_empty() {
            // What is unknown may mind being written to: it is listened to, and asked as the usual board is.
            let listens = |maker: &Maker| {
                maker.entry().ways.serial.is_some_and(|settings| settings.speaks_first)
                    || *maker == CATALOG[0]
            };
            makers = CATALOG.into_iter().filter(listens).collect();
        }
        let asked = |maker: &Maker| maker.entry().ways.serial.is_none_or(|settings| !settings.speaks_first);
        makers.sort_by_key(asked);
        makers.into_iter().find_map(|maker| {
            let address = LiveAddress::serial(maker, &candidate.port);
            let probed = supervisor::probe(&address, notes(maker), timeline).ok()?;
            Some(answered(address, &probed))
        })
    };
    let may_be_one = |candidate: &Candidate| {
        candidate.likely != Likely::Other && !beside.is_some_and(|place| is_port(place, &candidate.port))
    };
    discover().into_iter().filter(may_be_one).filter_map(ask).collect()
}

/// What was answered at a port: a board and its number, or what people have to do first, as with several boards on a wire,
/// which are named.
fn answered(address: LiveAddress, probed: &Probed) -> Near {
    let number = probed.info.number().map(|number| format!(", number {number}")).unwrap_or_default();
    let wants = probed.wants.as_ref().map(|what| format!("; {what}")).unwrap_or_default();
    let name = format!("a {} board{number}{wants}", address.maker.entry().name);
    Near { address, name }
}

/// The programs on this computer that offer boards, by their ports.
pub fn in_programs() -> Vec<Near> {
    let listens = |maker: Maker| {
        let web = maker.entry().ways.web?;
        let link = WebLink::open("localhost", web.port, web.path, maker.entry().name).ok()?;
        drop(link);
        let name = format!("{} runs here, with the boards that it has", maker.entry().name);
        Some(Near { address: LiveAddress::at(maker, Place::Auto), name })
    };
    CATALOG.into_iter().filter_map(listens).collect()
}

/// Why no board is taken by itself.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotOne {
    /// None answers.
    #[error("no board was found; plug one in or switch it on, or name it: `tabiya devices list` shows what is there{}",
        .air.as_ref().map(|fault| format!(" ({fault})")).unwrap_or_default())]
    None {
        /// Why none could be looked for over Bluetooth.
        air: Option<LinkError>,
    },
    /// Several do.
    #[error("more than one board was found; name the one that is meant:\n{}",
        .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Many(Vec<Near>),
}

/// The only board near, over a cable or over Bluetooth LE. One with a cable is found again on another port. What stands
/// at `beside`, a box, is none.
pub fn only(
    beside: Option<&Place>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
) -> Result<LiveAddress, NotOne> {
    let not = beside.cloned();
    let looking =
        thread::Builder::new().name("look".to_owned()).spawn(move || over_the_air_but(not.as_ref()));
    let mut near = at_ports(beside, notes, timeline);
    near.extend(in_programs());
    let air = looking.ok().and_then(|looking| looking.join().ok()).unwrap_or(Err(LinkError::NoBluetooth));
    let fault = match air {
        Ok(seen) => {
            near.extend(seen);
            None
        }
        Err(fault) => Some(fault),
    };
    let one = near.pop().ok_or(NotOne::None { air: fault })?;
    if !near.is_empty() {
        near.push(one);
        return Err(NotOne::Many(near));
    }
    Ok(match one.address.place {
        Place::Serial(_) => LiveAddress { place: Place::Auto, ..one.address },
        _ => one.address,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::BoardInfo;
    use crate::makers::dgtbus;
    use serialport::UsbPortInfo;
    use tabiya_types::{Sentence, Template};

    fn usb(port: &str, vid: u16, pid: u16) -> SerialPortInfo {
        let usb = UsbPortInfo { vid, pid, serial_number: None, manufacturer: None, product: None };
        SerialPortInfo { port_name: port.to_owned(), port_type: SerialPortType::UsbPort(usb) }
    }

    #[test]
    fn the_boards_of_a_bus_are_named_with_their_wire() {
        let maker = dgtbus::MAKER;
        let asks = &const { Template::new("test", "several boards are on this wire (1025, 2054)", &[]) };
        let wants = Some(Sentence::new(asks, Vec::new()));
        let mut probed = Probed { info: BoardInfo::new(maker), wants };
        let address = || LiveAddress::serial(maker, "/dev/ttyUSB0");
        assert_eq!(
            answered(address(), &probed).to_string(),
            "dgtbus:/dev/ttyUSB0  a DGT bus board; several boards are on this wire (1025, 2054)"
        );
        probed.wants = None;
        probed.info.serial = Some("1025".to_owned());
        assert_eq!(answered(address(), &probed).name, "a DGT bus board, number 1025");
    }

    #[test]
    fn the_likeliest_port_comes_first() {
        let unknown =
            |port: &str| SerialPortInfo { port_name: port.to_owned(), port_type: SerialPortType::Unknown };
        let ports = [
            unknown("/dev/ttyS0"),
            unknown("/dev/rfcomm0"),
            usb("/dev/ttyUSB1", 0x1A86, 0x7523),
            usb("/dev/ttyUSB0", 0x0403, 0x6001),
            usb("/dev/ttyACM0", 0x045B, 0x8111),
        ];
        let found = sorted(ports.iter().map(candidate).collect());
        let names: Vec<_> = found.iter().map(|c| (c.port.as_str(), c.likely)).collect();
        assert_eq!(
            names,
            [
                ("/dev/ttyACM0", Likely::Known),
                ("/dev/ttyUSB0", Likely::Vendor),
                ("/dev/ttyUSB1", Likely::Usb),
                ("/dev/rfcomm0", Likely::Bluetooth),
                ("/dev/ttyS0", Likely::Other),
            ]
        );
    }

    #[test]
    fn the_box_beside_the_board_is_not_taken_for_the_board() {
        let folder = tempfile::tempdir().expect("a folder");
        let [port, link, other] = ["ttyACM0", "box", "ttyACM1"].map(|name| folder.path().join(name));
        for port in [&port, &other] {
            std::fs::write(port, "").expect("a file");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(&port, &link).expect("a link");
        #[cfg(not(unix))]
        let link = port.clone();
        let name = |path: &std::path::Path| path.to_str().expect("a name in UTF-8").to_owned();
        for named in [&port, &link] {
            assert!(is_port(&Place::Serial(name(named)), &name(&port)), "{named:?}");
            assert!(!is_port(&Place::Serial(name(named)), &name(&other)), "{named:?}");
        }
        assert!(is_port(&Place::Serial("COM3".to_owned()), "COM3"));
        let maker = super::super::makers::diy::MAKER;
        let seen = |name: &str, address: &str| Sighting { name: name.into(), address: address.into(), maker };
        let (box_, board) = (seen("Tabiya Box", "C0:FF:EE:00:00:01"), seen("Tabiya", "C0:FF:EE:00:00:02"));
        for which in ["tabiya box", "c0:ff:ee:00:00:01"] {
            let place = Place::Ble(Some(which.to_owned()));
            assert!(is_sighted(&place, &box_), "{which}");
            assert!(!is_sighted(&place, &board) && !is_port(&place, "COM3"), "{which}");
        }
    }

    #[test]
    fn where_a_bus_may_be_a_single_board_is_asked_for_first() {
        for (vid, pid) in [(0x045B, 0x8111), (0x0403, 0x6001)] {
            let found = candidate(&usb("/dev/ttyUSB0", vid, pid));
            let words = found.makers.iter().map(|maker| maker.entry().prefix);
            assert!(words.filter(|word| word.starts_with("dgt")).eq(["dgt", "dgtbus"]));
        }
    }

    #[test]
    fn a_mac_shows_each_port_once() {
        let found = sorted(
            [usb("/dev/tty.usbmodem01", 0x045B, 0x8111), usb("/dev/cu.usbmodem01", 0x045B, 0x8111)]
                .iter()
                .map(candidate)
                .collect(),
        );
        assert_eq!(found.iter().map(|c| c.port.as_str()).collect::<Vec<_>>(), ["/dev/cu.usbmodem01"]);
    }

    #[test]
    fn listing_the_ports_of_this_computer_never_panics() {
        let found = discover();
        assert!(found.is_sorted_by_key(|candidate| candidate.likely));
    }
}
