//! Why a board may not be reachable on this computer, and what to do: who may open its ports, who
//! else holds them, whether Bluetooth is there.
//!
//! Linux' permissions are told from the files in `/dev`; elsewhere there is nothing to check but Bluetooth.

use std::fmt::Write as _;

use tabiya_boards::link::LinkError;
use tabiya_boards::link::ble::Radio;
use tabiya_boards::makers::CATALOG;
use tabiya_types::Finding;

/// The file that [`udev_rules`] belongs into.
pub const RULES: &str = "/etc/udev/rules.d/70-tabiya.rules";

/// Looks at everything that boards need. Takes as long as a look for boards over Bluetooth.
pub fn examine() -> Vec<Finding> {
    let mut findings = ports();
    findings.push(rules());
    findings.push(bluetooth(&Radio::shared()));
    findings
}

/// Rules for udev that give the user at the computer the boards' ports, without any group.
pub fn udev_rules() -> String {
    let mut rules =
        "# Chess boards that Tabiya knows: their serial ports belong to whoever sits at the computer.\n"
            .to_owned();
    let mut known: Vec<(u16, u16)> = Vec::new();
    for maker in CATALOG {
        // A device that two makers' boards come with needs one rule.
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
        return Finding::good(format!("{RULES} is there: plugged-in boards belong to whoever sits here"));
    }
    Finding::good(format!(
        "{RULES} is not there; it is only needed where a port above may not be opened: tabiya devices doctor --udev | sudo tee {RULES}"
    ))
}

fn bluetooth(radio: &Radio) -> Finding {
    match radio.look(std::time::Duration::from_millis(500), Vec::new()) {
        Ok(_) => Finding::good("Bluetooth is there and on"),
        Err(fault @ (LinkError::NoBluetooth | LinkError::NoAdapter)) => {
            Finding::good(format!("boards with a cable only: {fault}"))
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
        return vec![Finding::good("no board's port is there: plug the board in and look again")];
    }
    let mut findings: Vec<Finding> = found.iter().map(|candidate| port(&candidate.port)).collect();
    if running("ModemManager") {
        findings.push(Finding::bad(
            "ModemManager runs and takes new serial ports for modems for a while: wait half a minute after plugging a board in, or stop it (sudo systemctl stop ModemManager)",
        ));
    }
    findings
}

#[cfg(not(target_os = "linux"))]
fn ports() -> Vec<Finding> {
    Vec::new()
}

/// Whether this user may open a port, and if not, which group he lacks.
#[cfg(target_os = "linux")]
fn port(path: &str) -> Finding {
    use std::os::unix::fs::MetadataExt as _;

    use nix::unistd::{AccessFlags, Gid, Group, access};
    if access(path, AccessFlags::R_OK | AccessFlags::W_OK).is_ok() {
        return Finding::good(format!("{path} may be opened"));
    }
    let group =
        std::fs::metadata(path).ok().and_then(|meta| Group::from_gid(Gid::from_raw(meta.gid())).ok()?);
    match group {
        Some(group) => Finding::bad(format!(
            "{path} belongs to the group `{name}`, and you are not in it: sudo usermod -a -G {name} $USER, then log in again",
            name = group.name
        )),
        None => Finding::bad(format!("{path} may not be opened; see who owns it: ls -l {path}")),
    }
}

/// Whether a program of that name runs.
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
        assert!(!finding.good && finding.text.contains("may not be opened"), "{finding}");
        assert!(port("/dev/null").good);
    }
}
