//! Searches for boards: on serial ports, over Bluetooth LE, and in programs on this computer that offer boards.

#[cfg(feature = "ble")]
mod air;
#[cfg(feature = "serial")]
mod cable;
mod found;
#[cfg(feature = "livechess")]
mod programs;

#[cfg(feature = "ble")]
use std::thread;

use tabiya_types::Timeline;

#[cfg(feature = "ble")]
pub use self::air::search_ble;
pub use self::found::NearbyBoard;
#[cfg(feature = "livechess")]
pub use self::programs::search_programs;
use crate::address::{BoardPort, LiveAddress};
use crate::link::LinkError;
use crate::maker::Maker;
use crate::notes::Notes;

/// Why no board can be chosen automatically.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BoardSearchError {
    /// No board was found.
    #[error("no board was found; plug a board in and switch it on, or give its address: `tabiya devices list` shows the addresses{bluetooth}",
        bluetooth = .air.as_ref().map(|fault| format!(" ({fault})")).unwrap_or_default())]
    None {
        /// The reason why Bluetooth could not be searched; `None` if it was searched.
        air: Option<LinkError>,
    },
    /// Several boards were found.
    #[error("more than one board was found; give the address of the board to use:\n{boards}",
        boards = .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Many(Vec<NearbyBoard>),
}

/// Searches all kinds of links in this build and returns the address of the board, if exactly one is found. A board on
/// a cable gets [`BoardPort::Auto`], so that it is found again if it is plugged into another port later. The device at
/// `beside` is a box with a card reader and does not count as a board.
pub fn find_only_board(
    beside: Option<&BoardPort>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
) -> Result<LiveAddress, BoardSearchError> {
    let mut near = Vec::new();
    let air = all_near(beside, notes, timeline, &mut near);
    let one = near.pop().ok_or(BoardSearchError::None { air })?;
    if !near.is_empty() {
        near.push(one);
        return Err(BoardSearchError::Many(near));
    }
    Ok(match one.address.place {
        BoardPort::Serial(_) => LiveAddress { place: BoardPort::Auto, ..one.address },
        _ => one.address,
    })
}

/// Searches for boards and adds them to `near`. The search over Bluetooth LE runs while the ports are probed. Returns
/// why Bluetooth could not be searched, or `None` if it was searched.
fn all_near(
    beside: Option<&BoardPort>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
    near: &mut Vec<NearbyBoard>,
) -> Option<LinkError> {
    let seen_in_the_air = look_in_the_air(beside);
    by_cable(beside, notes, timeline, near);
    seen_in_the_air().map(|seen| near.extend(seen)).err()
}

/// Starts a search over Bluetooth LE. Returns a function that waits for the result.
#[cfg(feature = "ble")]
fn look_in_the_air(beside: Option<&BoardPort>) -> impl FnOnce() -> Result<Vec<NearbyBoard>, LinkError> {
    let not = beside.cloned();
    let looking =
        thread::Builder::new().name("look".to_owned()).spawn(move || air::search_ble_except(not.as_ref()));
    || looking.ok().and_then(|looking| looking.join().ok()).unwrap_or(Err(LinkError::NoBluetooth))
}

/// Returns no boards, because this build has no Bluetooth LE.
#[cfg(not(feature = "ble"))]
fn look_in_the_air(_: Option<&BoardPort>) -> impl FnOnce() -> Result<Vec<NearbyBoard>, LinkError> {
    || Ok(Vec::new())
}

/// Adds the boards on serial ports, and the boards that programs offer.
#[cfg_attr(not(feature = "serial"), expect(unused_variables, reason = "only ports are asked"))]
#[cfg_attr(
    not(any(feature = "serial", feature = "livechess")),
    expect(clippy::ptr_arg, reason = "nothing is added")
)]
fn by_cable(
    beside: Option<&BoardPort>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
    near: &mut Vec<NearbyBoard>,
) {
    #[cfg(feature = "serial")]
    near.extend(cable::search_ports(beside, notes, timeline));
    #[cfg(feature = "livechess")]
    near.extend(search_programs());
}

#[cfg(all(test, feature = "serial", feature = "ble"))]
mod tests {
    use super::air::names_device;
    use super::cable::is_port;
    use super::*;
    use crate::link::ble::Sighting;

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
            assert!(is_port(&BoardPort::Serial(name(named)), &name(&port)), "{named:?}");
            assert!(!is_port(&BoardPort::Serial(name(named)), &name(&other)), "{named:?}");
        }
        assert!(is_port(&BoardPort::Serial("COM3".to_owned()), "COM3"));
        let brand = crate::makers::diy::MAKER.brand();
        let seen = |name: &str, address: &str| Sighting {
            name: name.into(),
            address: address.into(),
            brand,
            rssi_dbm: None,
        };
        let (box_, board) = (seen("Tabiya Box", "C0:FF:EE:00:00:01"), seen("Tabiya", "C0:FF:EE:00:00:02"));
        for which in ["tabiya box", "c0:ff:ee:00:00:01"] {
            let place = BoardPort::Ble(Some(which.to_owned()));
            assert!(names_device(&place, &box_), "{which}");
            assert!(!names_device(&place, &board) && !is_port(&place, "COM3"), "{which}");
        }
    }
}
