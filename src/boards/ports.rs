//! Lists the serial ports of this computer and estimates which of them may have a board.
//!
//! A USB id is only a hint: one of the ids is Microchip's demo id, which power supplies use too. Only the answer to a
//! command proves that a device is a board.

use std::panic::catch_unwind;

use serialport::{SerialPortInfo, SerialPortType};

use crate::link::is_bluetooth;
use crate::maker::Maker;
use crate::makers::CATALOG;

/// A serial port of this computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortInfo {
    /// The name with which the port is opened.
    pub port: String,
    /// How likely it is that a board is connected to the port.
    pub likely: Likely,
    /// The makers of boards that match the device's USB id. Makers that match both vendor and product come first.
    pub makers: Vec<Maker>,
    /// The USB vendor and product ids of the device, if the port is a USB port.
    pub usb: Option<(u16, u16)>,
    /// The product name that the device reports.
    pub product: Option<String>,
    /// The serial number of the device's USB chip, which may differ from the board's serial number.
    pub serial: Option<String>,
}

/// Formats a line for a list: the port, the reason why it may have a board, and the possible makers.
impl std::fmt::Display for PortInfo {
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
            let names: Vec<&str> = self.makers.iter().map(|maker| maker.name()).collect();
            write!(f, " ({})", names.join(" or "))?;
        }
        for text in [&self.product, &self.serial].into_iter().flatten() {
            write!(f, "  {text}")?;
        }
        Ok(())
    }
}

/// How likely it is that a board is connected to a port, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Likely {
    /// A device with the USB id of a board.
    Known,
    /// A device with the USB vendor id of a board's maker.
    Vendor,
    /// Some other USB device.
    Usb,
    /// Bluetooth's serial profile.
    Bluetooth,
    /// A port that is built into the computer, or unknown. It is opened only if people name it, because the device
    /// there may react badly.
    Other,
}

/// Lists all serial ports, the likeliest first, then by name. Empty if the system cannot list them.
pub fn discover() -> Vec<PortInfo> {
    // The library reads the descriptions of all devices. If it panics on one of them, the program must go on.
    let ports = catch_unwind(serialport::available_ports).ok().and_then(Result::ok).unwrap_or_default();
    sorted(ports.iter().map(candidate).collect())
}

fn sorted(mut candidates: Vec<PortInfo>) -> Vec<PortInfo> {
    candidates.sort_by(|a, b| (a.likely, &a.port).cmp(&(b.likely, &b.port)));
    // macOS lists each port twice. Only the name that begins with `cu` can be opened without a carrier signal.
    let calls: Vec<String> =
        candidates.iter().filter_map(|c| c.port.strip_prefix("/dev/cu.").map(str::to_owned)).collect();
    candidates.retain(|c| {
        !c.port.strip_prefix("/dev/tty.").is_some_and(|name| calls.iter().any(|call| call == name))
    });
    candidates
}

fn candidate(info: &SerialPortInfo) -> PortInfo {
    let plain = |likely| PortInfo {
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
            let with =
                |fits: &dyn Fn(&Maker) -> bool| CATALOG.iter().copied().filter(fits).collect::<Vec<_>>();
            let known = with(&|maker| maker.transports().usb.contains(&id));
            let vendor =
                with(&|maker| maker.transports().vendors.contains(&usb.vid) && !known.contains(maker));
            let likely = match (known.is_empty(), vendor.is_empty()) {
                (false, _) => Likely::Known,
                (true, false) => Likely::Vendor,
                (true, true) => Likely::Usb,
            };
            PortInfo {
                makers: [known, vendor].concat(),
                usb: Some(id),
                product: usb.product.clone(),
                serial: usb.serial_number.clone(),
                ..plain(likely)
            }
        }
        SerialPortType::BluetoothPort => plain(Likely::Bluetooth),
        // On Linux only USB ports have a known type, so other ports are recognised by their names.
        _ if is_bluetooth(&info.port_name) => plain(Likely::Bluetooth),
        _ => plain(Likely::Other),
    }
}

#[cfg(test)]
mod tests {
    use serialport::UsbPortInfo;

    use super::*;

    fn usb(port: &str, vid: u16, pid: u16) -> SerialPortInfo {
        let usb = UsbPortInfo { vid, pid, serial_number: None, manufacturer: None, product: None };
        SerialPortInfo { port_name: port.to_owned(), port_type: SerialPortType::UsbPort(usb) }
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
    fn where_a_bus_may_be_a_single_board_is_asked_for_first() {
        for (vid, pid) in [(0x045B, 0x8111), (0x0403, 0x6001)] {
            let found = candidate(&usb("/dev/ttyUSB0", vid, pid));
            let words = found.makers.iter().map(|maker| maker.prefix());
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
