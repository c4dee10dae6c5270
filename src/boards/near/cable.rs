//! Boards that answer on a serial port.

use std::fs::canonicalize;

use tabiya_types::Timeline;

use super::found::NearbyBoard;
use crate::address::{BoardPort, LiveAddress};
use crate::maker::Maker;
use crate::makers::{CATALOG, USUAL};
use crate::notes::Notes;
use crate::ports::{Likely, PortInfo, discover};
use crate::probe::{Probed, probe};

/// Whether `place` is this serial port. `place` may also be a symbolic link to the port.
pub(super) fn is_port(place: &BoardPort, port: &str) -> bool {
    let real = |port: &str| canonicalize(port).unwrap_or_else(|_| port.into());
    matches!(place, BoardPort::Serial(named) if real(named) == real(port))
}

/// Probes each likely port and returns the boards that answer. First it tries the makers whose boards report without
/// being asked, so that these boards are recognised before another maker's commands are written to them. It tries a
/// single DGT board before a DGT bus, because both have the same USB ids and a bus answers fewer commands. The device
/// at `beside` is skipped. The search takes some seconds per port and maker.
pub(super) fn search_ports(
    beside: Option<&BoardPort>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
) -> Vec<NearbyBoard> {
    let ask = |candidate: PortInfo| {
        let mut makers = candidate.makers.clone();
        if makers.is_empty() {
            // An unknown device may react badly to bytes that are written to it. So the search first tries only the
            // makers whose boards report without being asked. After them, it tries `USUAL`, the maker that Tabiya
            // assumes if an address names no maker.
            let listens = |maker: &Maker| {
                maker.transports().serial.is_some_and(|settings| settings.speaks_first) || *maker == USUAL
            };
            makers = CATALOG.iter().copied().filter(listens).collect();
        }
        let asked = |maker: &Maker| maker.transports().serial.is_none_or(|settings| !settings.speaks_first);
        makers.sort_by_key(asked);
        makers.into_iter().find_map(|maker| {
            let address = LiveAddress::serial(maker, &candidate.port);
            let probed = probe(&address, notes(maker), timeline).ok()?;
            Some(answered(address, &probed))
        })
    };
    let may_be_one = |candidate: &PortInfo| {
        candidate.likely != Likely::Other && !beside.is_some_and(|place| is_port(place, &candidate.port))
    };
    discover().into_iter().filter(may_be_one).filter_map(ask).collect()
}

/// Describes the board that answered on a port: its number, and what people have to do first, such as choose one of
/// several boards on a bus.
fn answered(address: LiveAddress, probed: &Probed) -> NearbyBoard {
    let number = probed.info.number().map(|number| format!(", number {number}")).unwrap_or_default();
    let wants = probed.wants.as_ref().map(|what| format!("; {what}")).unwrap_or_default();
    let name = format!("a {} board{number}{wants}", address.maker.name());
    NearbyBoard { address, name, rssi_dbm: None }
}

#[cfg(test)]
mod tests {
    use tabiya_types::{Sentence, Template};

    use super::*;
    use crate::event::BoardInfo;
    use crate::makers::dgtbus;

    #[test]
    fn the_boards_of_a_bus_are_named_with_their_wire() {
        let maker = dgtbus::MAKER;
        let asks = &const { Template::new("test", "several boards are on this line (1025, 2054)", &[]) };
        let wants = Some(Sentence::new(asks, Vec::new()));
        let mut probed = Probed { info: BoardInfo::new(maker.brand()), wants };
        let address = || LiveAddress::serial(maker, "/dev/ttyUSB0");
        assert_eq!(
            answered(address(), &probed).to_string(),
            "dgtbus:/dev/ttyUSB0  a DGT bus board; several boards are on this line (1025, 2054)"
        );
        probed.wants = None;
        probed.info.serial = Some("1025".to_owned());
        assert_eq!(answered(address(), &probed).name, "a DGT bus board, number 1025");
    }
}
