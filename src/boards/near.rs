//! Which boards are near: those that answer at a port, advertise themselves over Bluetooth LE, or are offered by a
//! program on this computer.

use std::fs::canonicalize;
use std::thread;
use std::time::Duration;

use crate::address::{LiveAddress, Place};
use crate::catalog::{CATALOG, USUAL};
use crate::link::ble::{Radio, Sighting};
use crate::link::{LinkError, WebLink};
use crate::maker::Maker;
use crate::notes::Notes;
use crate::ports::{Candidate, Likely, discover};
use crate::probe::{Probed, probe};
use tabiya_types::Timeline;

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

/// How to connect to what advertises itself, if its maker is known.
fn sighted(seen: Sighting) -> Option<Near> {
    let maker = Maker::from_prefix(seen.brand.prefix)?;
    let address = LiveAddress::at(maker, Place::Ble(Some(seen.address)));
    Some(Near { address, name: format!("{} ({})", seen.name, maker.name()) })
}

/// The boards that advertise themselves over Bluetooth LE, after a look of [`LOOK`].
pub fn over_the_air() -> Result<Vec<Near>, LinkError> {
    over_the_air_but(None)
}

/// Those of them that are not what stands at this place.
fn over_the_air_but(beside: Option<&Place>) -> Result<Vec<Near>, LinkError> {
    let known = CATALOG.iter().filter_map(|maker| Some((maker.brand(), maker.ways().ble?))).collect();
    let seen = Radio::shared().look(LOOK, known)?.into_iter();
    let others = seen.filter(|seen| !beside.is_some_and(|place| is_sighted(place, seen)));
    Ok(others.filter_map(sighted).collect())
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
                maker.ways().serial.is_some_and(|settings| settings.speaks_first) || *maker == USUAL
            };
            makers = CATALOG.iter().copied().filter(listens).collect();
        }
        let asked = |maker: &Maker| maker.ways().serial.is_none_or(|settings| !settings.speaks_first);
        makers.sort_by_key(asked);
        makers.into_iter().find_map(|maker| {
            let address = LiveAddress::serial(maker, &candidate.port);
            let probed = probe(&address, notes(maker), timeline).ok()?;
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
    let name = format!("a {} board{number}{wants}", address.maker.name());
    Near { address, name }
}

/// The programs on this computer that offer boards, by their ports.
pub fn in_programs() -> Vec<Near> {
    let listens = |maker: Maker| {
        let web = maker.ways().web?;
        let link = WebLink::open("localhost", web.port, web.path, maker.name()).ok()?;
        drop(link);
        let name = format!("{} runs here, with the boards that it has", maker.name());
        Some(Near { address: LiveAddress::at(maker, Place::Auto), name })
    };
    CATALOG.iter().copied().filter_map(listens).collect()
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
    use tabiya_types::{Sentence, Template};

    #[test]
    fn the_boards_of_a_bus_are_named_with_their_wire() {
        let maker = dgtbus::MAKER;
        let asks = &const { Template::new("test", "several boards are on this wire (1025, 2054)", &[]) };
        let wants = Some(Sentence::new(asks, Vec::new()));
        let mut probed = Probed { info: BoardInfo::new(maker.brand()), wants };
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
        let brand = crate::makers::diy::MAKER.brand();
        let seen = |name: &str, address: &str| Sighting { name: name.into(), address: address.into(), brand };
        let (box_, board) = (seen("Tabiya Box", "C0:FF:EE:00:00:01"), seen("Tabiya", "C0:FF:EE:00:00:02"));
        for which in ["tabiya box", "c0:ff:ee:00:00:01"] {
            let place = Place::Ble(Some(which.to_owned()));
            assert!(is_sighted(&place, &box_), "{which}");
            assert!(!is_sighted(&place, &board) && !is_port(&place, "COM3"), "{which}");
        }
    }
}
