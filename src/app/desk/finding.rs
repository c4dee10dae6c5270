//! Boards that a search found, as the screens show them, and what people can do if a board does not answer: in words for
//! people at a table, without ports, commands and numbers of errors. Those are in the text of the error itself.

use tabiya_boards::address::{BoardPort, LiveAddress};
use tabiya_boards::link::LinkError;
use tabiya_boards::makers::USUAL;
use tabiya_boards::near::{BoardSearchError, NearbyBoard};
use tabiya_boards::ports::{Likely, PortInfo};
use tabiya_types::{Sentence, harmless, say};

use crate::snapshot::{FoundBoard, FoundLink};

/// A board that answers or advertises itself.
pub(super) fn found_board(near: &NearbyBoard) -> FoundBoard {
    let link = match near.address.place {
        BoardPort::Ble(_) => FoundLink::Bluetooth(near.rssi_dbm),
        BoardPort::Serial(_) => FoundLink::Cable,
        _ => FoundLink::Program,
    };
    FoundBoard { address: near.address.to_string(), name: harmless(&near.name), link, sure: true }
}

/// The boards that may be behind a port. Several makers use the same USB ids, so there may be several. A device that
/// matches no maker may be a board of the most usual maker. Ports that are built in are none.
pub(super) fn found_ports(port: &PortInfo) -> Vec<FoundBoard> {
    if port.likely >= Likely::Other {
        return Vec::new();
    }
    let makers = if port.makers.is_empty() { vec![USUAL] } else { port.makers.clone() };
    let link = if port.likely == Likely::Bluetooth { FoundLink::Bluetooth(None) } else { FoundLink::Cable };
    let board = |maker| FoundBoard {
        address: LiveAddress::serial(maker, &port.port).to_string(),
        name: maker.name().to_owned(),
        link,
        sure: port.likely == Likely::Known,
    };
    makers.into_iter().map(board).collect()
}

/// What people can do about a board that does not answer.
pub(super) fn link_words(error: &LinkError) -> Sentence {
    match error {
        LinkError::Missing { .. } | LinkError::NoneFound { .. } => {
            say!("link-missing", "no board answers; plug it in and switch it on")
        }
        LinkError::Busy { .. } => {
            say!("link-busy", "another program uses the board; close that program")
        }
        LinkError::Taken { .. } => say!("link-taken", "another table uses this board; let go of it there"),
        LinkError::NoPermission { .. } => {
            say!("link-permission", "this user may not use the board; “For experts” says how to allow it")
        }
        LinkError::Vanished { .. } | LinkError::Silent { .. } => say!(
            "link-gone",
            "the board has stopped answering; check cable and battery, and it is connected again by itself"
        ),
        LinkError::OutOfReach { .. } | LinkError::BoardDoesNotAnswer { .. } => say!(
            "link-reach",
            "the board is out of reach; bring it nearer or switch it on, and it is connected again by itself"
        ),
        LinkError::NotSeen { .. } => say!(
            "link-not-seen",
            "the board does not show itself over Bluetooth; switch it on, and disconnect it from telephones"
        ),
        LinkError::OtherBoard { .. } => {
            say!("link-other", "another board answers there; choose it anew with Find boards")
        }
        LinkError::WantsPairing { .. } => {
            say!("link-pairing", "the board wants to be paired once in the Bluetooth settings of the system")
        }
        LinkError::NoBluetooth
        | LinkError::NoBluetoothService
        | LinkError::BluetoothRefused
        | LinkError::NoAdapter
        | LinkError::BluetoothOff => {
            say!("link-bluetooth", "Bluetooth cannot be used here; switch it on, or use the board’s cable")
        }
        LinkError::NoAnswer { maker, .. } => say!(
            "link-no-answer",
            "what is plugged in does not answer as a {maker} board; switch it on, or choose another one",
            maker = (*maker).to_owned()
        ),
        _ => say!(
            "link-failed",
            "the board cannot be reached; check cable, power and network, then choose it again"
        ),
    }
}

/// What people can do if no board could be chosen automatically.
pub(super) fn search_words(error: &BoardSearchError) -> Sentence {
    match error {
        BoardSearchError::None { .. } => {
            say!("search-none", "no board was found; plug one in and switch it on")
        }
        BoardSearchError::Many(_) => {
            say!("search-many", "more than one board was found; choose one below")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_port_and_no_command_stands_in_the_words_for_people() {
        let port = || "/dev/ttyACM0".to_owned();
        let source = || std::sync::Arc::new(std::io::Error::from_raw_os_error(2));
        for error in [
            LinkError::Missing { port: port() },
            LinkError::NoPermission { port: port() },
            LinkError::Vanished { port: port(), source: Some(source()) },
            LinkError::Failed { port: port(), source: source() },
            LinkError::NoBluetoothService,
        ] {
            let told = link_words(&error).to_string();
            let terminal = ["`", "/dev", "os error", "sudo", "$"];
            assert!(!terminal.iter().any(|word| told.contains(word)), "{told}");
        }
        let told = search_words(&BoardSearchError::None { air: None }).to_string();
        assert!(!told.contains('`'), "{told}");
    }
}
