//! Quirks of certain readers: inner slots that take no NFC card, readers that beep, and readers that the card service
//! cannot see because the kernel's NFC driver uses them.
//!
//! Source: `docs/cards.md`, "Readers"; the USB ids are the maker's. Connected devices are found on Linux only.

use std::path::Path;

use super::event::ReaderName;

/// The part of the card service's reader name that identifies an ACR122U.
const ACR122: &str = "ACR122";

/// Whether a name from the card service belongs not to a reader for NFC cards, but to the inner slot (SAM) of a reader.
#[cfg(feature = "pcsc")]
pub(crate) fn is_inner_slot(reader: &ReaderName) -> bool {
    reader.to_string().split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "SAM")
}

/// Whether the reader beeps at each card until it gets [`ReaderCommand::Beep`](super::apdu::ReaderCommand::Beep).
#[cfg(feature = "pcsc")]
pub(crate) fn beeps(reader: &ReaderName) -> bool {
    is_acr122(reader)
}

/// Whether the reader's name shows that it is an ACR122U.
fn is_acr122(reader: &ReaderName) -> bool {
    reader.to_string().contains(ACR122)
}

/// Whether an ACR122U is plugged in but the card service lists no ACR122U. `devices` is the folder in which Linux lists
/// the connected USB devices.
pub(crate) fn is_held_by_the_system<'a>(
    mut served: impl Iterator<Item = &'a ReaderName>,
    devices: &Path,
) -> bool {
    !served.any(is_acr122) && acr122_is_plugged_in(devices)
}

fn acr122_is_plugged_in(devices: &Path) -> bool {
    let Ok(devices) = std::fs::read_dir(devices) else { return false };
    devices.flatten().any(|device| {
        let has = |file: &str, wanted: &str| {
            std::fs::read_to_string(device.path().join(file)).is_ok_and(|text| text.trim() == wanted)
        };
        has("idVendor", "072f") && has("idProduct", "2200")
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
        assert!(is_held_by_the_system([&other].into_iter(), folder.path()));
        assert!(!is_held_by_the_system([&other, &acr122].into_iter(), folder.path()));
    }

    #[cfg(feature = "pcsc")]
    #[test]
    fn the_slot_inside_a_reader_is_no_reader_for_cards() {
        let inner = |name: &str| is_inner_slot(&name.into());
        assert!(inner("ACS ACR1252 Dual Reader SAM 00 01"));
        assert!(inner("ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] 01 00"));
        assert!(!inner("ACS ACR1252 Dual Reader PICC 00 00"));
        assert!(!inner("SAMSUNG Reader 00 00"));
    }
}
