//! Card readers that are plugged in, as the system lists them: the card service does not know of one that the system's
//! own driver holds.
//!
//! Source: `docs/cards.md`, "Readers"; the numbers are the maker's. Linux alone lists devices so; elsewhere none is found.

use std::path::Path;

use super::event::ReaderName;

/// What the service calls an ACR122U, among other things.
const ACR122: &str = "ACR122";

/// Whether this reader is an ACR122U, by its name.
pub(crate) fn is_acr122(reader: &ReaderName) -> bool {
    reader.to_string().contains(ACR122)
}

/// Whether an ACR122U is plugged in and none is among the service's readers. `devices` is where the system lists what
/// is plugged in.
pub(crate) fn acr122_is_missing<'a>(
    mut served: impl Iterator<Item = &'a ReaderName>,
    devices: &Path,
) -> bool {
    !served.any(is_acr122) && acr122_is_plugged_in(devices)
}

fn acr122_is_plugged_in(devices: &Path) -> bool {
    let Ok(devices) = std::fs::read_dir(devices) else { return false };
    devices.flatten().any(|device| {
        let says = |file: &str, wanted: &str| {
            std::fs::read_to_string(device.path().join(file)).is_ok_and(|text| text.trim() == wanted)
        };
        says("idVendor", "072f") && says("idProduct", "2200")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acr122_that_the_system_holds_is_found_by_its_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!acr122_is_plugged_in(folder.path()));
        let device = folder.path().join("1-2");
        std::fs::create_dir(&device).expect("a device");
        std::fs::write(device.join("idVendor"), "072f\n").expect("written");
        std::fs::write(device.join("idProduct"), "90cc\n").expect("written");
        assert!(!acr122_is_plugged_in(folder.path()));
        std::fs::write(device.join("idProduct"), "2200\n").expect("written");
        assert!(acr122_is_plugged_in(folder.path()));
        assert!(!acr122_is_plugged_in(&folder.path().join("nowhere")));
        let (other, acr122) = ("Other 00 00".into(), "ACS ACR122U 01 00".into());
        assert!(acr122_is_missing([&other].into_iter(), folder.path()));
        assert!(!acr122_is_missing([&other, &acr122].into_iter(), folder.path()));
    }
}
