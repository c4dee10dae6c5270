//! Finds out why a board may be unreachable on this computer, and what to do: permissions of the serial ports, other
//! programs that use them, and whether Bluetooth is available.
//!
//! On Linux each device node is asked whether this user may open it; on other systems only Bluetooth is checked.

use std::fmt::Write as _;

use tabiya_boards::link::LinkError;
use tabiya_boards::link::ble::Radio;
use tabiya_boards::makers::CATALOG;
use tabiya_types::Finding;

use crate::platform::{Access, access, is_running};

/// The path at which the rules from [`udev_rules`] are installed by hand.
const RULES: &str = "/etc/udev/rules.d/70-tabiya.rules";

/// Checks everything that boards need. Blocks for half a second while it scans for Bluetooth devices.
pub fn examine() -> Vec<Finding> {
    let mut findings = ports();
    findings.push(bluetooth(&Radio::shared()));
    findings
}

/// Returns udev rules that let the user at this computer open the boards' ports without membership in a system group.
pub fn udev_rules() -> String {
    let mut rules =
        "# Chess boards that Tabiya supports: the user at this computer may open their serial ports.\n"
            .to_owned();
    let mut known: Vec<(u16, u16)> = Vec::new();
    for maker in CATALOG {
        // Boards of two makers can contain the same USB chip, with the same ids. One rule is enough for both
        // boards.
        let news: Vec<_> = maker.transports().usb.iter().filter(|id| !known.contains(id)).copied().collect();
        known.extend(&news);
        for (vendor, product) in news {
            let _ = writeln!(
                rules,
                "# {}\nSUBSYSTEM==\"tty\", ATTRS{{idVendor}}==\"{vendor:04x}\", ATTRS{{idProduct}}==\"{product:04x}\", TAG+=\"uaccess\"",
                maker.name()
            );
        }
    }
    rules
}

fn bluetooth(radio: &Radio) -> Finding {
    match radio.look(std::time::Duration::from_millis(500), Vec::new()) {
        Ok(_) => Finding::good("Bluetooth is available and switched on"),
        Err(fault @ (LinkError::NoBluetooth | LinkError::NoAdapter)) => {
            Finding::good(format!("only boards with a cable can be used: {fault}"))
        }
        Err(fault) => Finding::bad(fault.to_string()),
    }
}

/// The serial ports that are likely to be boards, and whether they can be opened.
fn ports() -> Vec<Finding> {
    use tabiya_boards::ports::{Likely, discover};
    let found = discover().into_iter().filter(|candidate| candidate.likely != Likely::Other);
    let mut findings: Vec<Finding> = found.map(|candidate| port(&candidate.port)).collect();
    if findings.is_empty() {
        return vec![Finding::good("no board was found on a serial port: plug the board in and check again")];
    }
    if is_running("ModemManager") {
        findings.push(Finding::bad(
            "ModemManager is running and occupies each new serial port for a while, to test for a modem: wait half a minute after plugging a board in, or stop ModemManager (sudo systemctl stop ModemManager)",
        ));
    }
    findings
}

/// Reports whether this user may open the port at `path` and, if not, which group the user has to join, or that the rules
/// from [`udev_rules`] let him.
fn port(path: &str) -> Finding {
    match access(path) {
        None => Finding::good(format!("{path} is there")),
        Some(Access::Allowed) => Finding::good(format!("{path} can be opened")),
        Some(Access::Group(group)) => Finding::bad(format!(
            "{path} belongs to the group `{group}`, and you are not in that group: run `tabiya devices doctor --udev | sudo tee {RULES}` and plug the board in again, or `sudo usermod -a -G {group} $USER` and log in again"
        )),
        Some(Access::Denied) => {
            Finding::bad(format!("{path} cannot be opened; to see who owns it, run `ls -l {path}`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_name_every_usb_id_of_the_catalogue() {
        let rules = udev_rules();
        let ids: std::collections::BTreeSet<_> =
            CATALOG.iter().flat_map(|maker| maker.transports().usb).collect();
        assert_eq!(rules.lines().filter(|line| line.starts_with("SUBSYSTEM")).count(), ids.len());
        assert!(
            rules.contains(r#"ATTRS{idVendor}=="045b", ATTRS{idProduct}=="8111", TAG+="uaccess""#),
            "{rules}"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_port_that_is_not_there_is_no_port_that_may_be_opened() {
        let finding = port("/dev/ttyNONE");
        assert!(!finding.good && finding.text.contains("cannot be opened"), "{finding}");
        assert!(port("/dev/null").good);
    }
}
