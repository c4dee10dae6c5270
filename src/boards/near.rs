//! Which boards are near: those that answer at a port, advertise themselves over Bluetooth LE, or are offered by a
//! program on this computer.

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
pub use self::air::over_the_air;
pub use self::found::Near;
#[cfg(feature = "livechess")]
pub use self::programs::in_programs;
use crate::address::{BoardPort, LiveAddress};
use crate::link::LinkError;
use crate::maker::Maker;
use crate::notes::Notes;

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

/// The only board near, by each kind of link that this build has. One with a cable is found again on another port. What
/// stands at `beside`, a box, is none.
pub fn only(
    beside: Option<&BoardPort>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
) -> Result<LiveAddress, NotOne> {
    let mut near = Vec::new();
    let air = all_near(beside, notes, timeline, &mut near);
    let one = near.pop().ok_or(NotOne::None { air })?;
    if !near.is_empty() {
        near.push(one);
        return Err(NotOne::Many(near));
    }
    Ok(match one.address.place {
        BoardPort::Serial(_) => LiveAddress { place: BoardPort::Auto, ..one.address },
        _ => one.address,
    })
}

/// Adds all that are near; what comes back is why none could be looked for over Bluetooth. The air is searched while the
/// ports are asked.
fn all_near(
    beside: Option<&BoardPort>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
    near: &mut Vec<Near>,
) -> Option<LinkError> {
    let seen_in_the_air = look_in_the_air(beside);
    by_cable(beside, notes, timeline, near);
    seen_in_the_air().map(|seen| near.extend(seen)).err()
}

/// Begins to look for boards over Bluetooth LE; what comes back waits for them.
#[cfg(feature = "ble")]
fn look_in_the_air(beside: Option<&BoardPort>) -> impl FnOnce() -> Result<Vec<Near>, LinkError> {
    let not = beside.cloned();
    let looking =
        thread::Builder::new().name("look".to_owned()).spawn(move || air::over_the_air_but(not.as_ref()));
    || looking.ok().and_then(|looking| looking.join().ok()).unwrap_or(Err(LinkError::NoBluetooth))
}

/// This build has no Bluetooth LE.
#[cfg(not(feature = "ble"))]
fn look_in_the_air(_: Option<&BoardPort>) -> impl FnOnce() -> Result<Vec<Near>, LinkError> {
    || Ok(Vec::new())
}

/// Adds those at ports and those that programs offer.
#[cfg_attr(not(feature = "serial"), expect(unused_variables, reason = "only ports are asked"))]
#[cfg_attr(
    not(any(feature = "serial", feature = "livechess")),
    expect(clippy::ptr_arg, reason = "nothing is added")
)]
fn by_cable(
    beside: Option<&BoardPort>,
    notes: &dyn Fn(Maker) -> Notes,
    timeline: &dyn Timeline,
    near: &mut Vec<Near>,
) {
    #[cfg(feature = "serial")]
    near.extend(cable::at_ports(beside, notes, timeline));
    #[cfg(feature = "livechess")]
    near.extend(in_programs());
}

#[cfg(all(test, feature = "serial", feature = "ble"))]
mod tests {
    use super::air::is_sighted;
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
        let seen = |name: &str, address: &str| Sighting { name: name.into(), address: address.into(), brand };
        let (box_, board) = (seen("Tabiya Box", "C0:FF:EE:00:00:01"), seen("Tabiya", "C0:FF:EE:00:00:02"));
        for which in ["tabiya box", "c0:ff:ee:00:00:01"] {
            let place = BoardPort::Ble(Some(which.to_owned()));
            assert!(is_sighted(&place, &box_), "{which}");
            assert!(!is_sighted(&place, &board) && !is_port(&place, "COM3"), "{which}");
        }
    }
}
