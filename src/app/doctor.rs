//! Finds out why a board may be unreachable on this computer, and what to do: permissions of the serial ports, other
//! programs that use them, and whether Bluetooth is available.
//!
//! On Linux the permissions are read from the files in `/dev`; on other systems only Bluetooth is checked.

use std::fmt::Write as _;

use tabiya_boards::link::LinkError;
use tabiya_boards::link::ble::Radio;
use tabiya_boards::makers::CATALOG;
use tabiya_types::Finding;

/// The path at which the rules from [`udev_rules`] are installed.
pub const RULES: &str = "/etc/udev/rules.d/70-tabiya.rules";

/// Checks everything that boards need. Blocks for half a second while it scans for Bluetooth devices.
pub fn examine() -> Vec<Finding> {
    let mut findings = ports();
    findings.push(rules());
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

fn rules() -> Finding {
    if std::path::Path::new(RULES).exists() {
        return Finding::good(format!("{RULES} is installed: you may open the ports of plugged-in boards"));
    }
    Finding::good(format!(
        "{RULES} is not installed; install it only if a port above cannot be opened: tabiya devices doctor --udev | sudo tee {RULES}"
    ))
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

#[cfg(target_os = "linux")]
fn ports() -> Vec<Finding> {
    use tabiya_boards::ports::{Likely, discover};
    let found: Vec<_> =
        discover().into_iter().filter(|candidate| candidate.likely != Likely::Other).collect();
    if found.is_empty() {
        return vec![Finding::good("no board was found on a serial port: plug the board in and check again")];
    }
    let mut findings: Vec<Finding> = found.iter().map(|candidate| port(&candidate.port)).collect();
    if running("ModemManager") {
        findings.push(Finding::bad(
            "ModemManager is running and occupies each new serial port for a while, to test for a modem: wait half a minute after plugging a board in, or stop ModemManager (sudo systemctl stop ModemManager)",
        ));
    }
    findings
}

#[cfg(not(target_os = "linux"))]
fn ports() -> Vec<Finding> {
    Vec::new()
}

/// Reports whether this user may open the port at `path` and, if not, which group the user has to join.
#[cfg(target_os = "linux")]
fn port(path: &str) -> Finding {
    use std::os::unix::fs::MetadataExt as _;

    use nix::unistd::{AccessFlags, Gid, Group, access};
    if access(path, AccessFlags::R_OK | AccessFlags::W_OK).is_ok() {
        return Finding::good(format!("{path} can be opened"));
    }
    let group =
        std::fs::metadata(path).ok().and_then(|meta| Group::from_gid(Gid::from_raw(meta.gid())).ok()?);
    match group {
        Some(group) => Finding::bad(format!(
            "{path} belongs to the group `{name}`, and you are not in that group: run `sudo usermod -a -G {name} $USER`, then log in again",
            name = group.name
        )),
        None => Finding::bad(format!("{path} cannot be opened; to see who owns it, run `ls -l {path}`")),
    }
}

/// Whether a process with this name is running.
#[cfg(target_os = "linux")]
fn running(name: &str) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    processes.flatten().any(|process| {
        std::fs::read_to_string(process.path().join("comm")).is_ok_and(|comm| comm.trim_end() == name)
    })
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
