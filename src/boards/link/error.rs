//! The errors of links, with messages for people.

use std::io;
use std::sync::Arc;

/// Why a link could not be opened, or why it broke. Each message ends with what to do.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The port does not exist: the board is unplugged, or the name is wrong.
    #[error(
        "{port} is not there; plug the board in and switch it on, or run `tabiya devices list` to see the ports"
    )]
    Missing {
        /// The port.
        port: String,
    },
    /// Another program holds the port.
    #[error(
        "{port} is in use by another program; close that program (LiveChess holds every port), or choose another port"
    )]
    Busy {
        /// The port.
        port: String,
    },
    /// Another table of this program uses the board.
    #[error("{board} is in use at another table; stop the board at that table, or choose another board")]
    Taken {
        /// The board and its port. If one of the two tables needs the whole port, this is only the
        /// port.
        board: String,
    },
    /// The port exists, but this user may not open it.
    #[error(
        "no permission to open {port}; add your user to the group `dialout` (sudo usermod -a -G dialout $USER), then log in again"
    )]
    NoPermission {
        /// The port.
        port: String,
    },
    /// The device went away while it was open.
    #[error("the board on {port} is gone; plug it in again and it reconnects automatically")]
    Vanished {
        /// The port.
        port: String,
        /// The operating system's error.
        source: Option<Arc<io::Error>>,
    },
    /// The connection ended before a board answered.
    #[error(
        "the connection to {port} ended before a board answered; check which device is connected there, then try again"
    )]
    BrokeOff {
        /// The port.
        port: String,
        /// The operating system's error.
        source: Option<Arc<io::Error>>,
    },
    /// The path is not a serial port.
    #[error("{port} is not a serial port; give the board's port, such as /dev/ttyACM0 or COM3")]
    NotSerial {
        /// The path.
        port: String,
    },
    /// The machine answers, but no program listens on the port.
    #[error(
        "{address} refuses the connection; start the program that offers the board there, or check the port number"
    )]
    Refused {
        /// The host and the port.
        address: String,
    },
    /// No machine has this name.
    #[error("the host name in {address} is not known; check the name and the network")]
    UnknownHost {
        /// The host and the port.
        address: String,
    },
    /// The machine did not answer.
    #[error("{address} does not answer; check that the machine is on and reachable")]
    Unreachable {
        /// The host and the port.
        address: String,
        /// The operating system's error.
        source: Option<Arc<io::Error>>,
    },
    /// The port opens, but nothing answers with the maker's protocol.
    #[error("nothing on {port} answers as a {maker} board; switch the board on, or choose another port")]
    NoAnswer {
        /// The port.
        port: String,
        /// The maker's name.
        maker: &'static str,
    },
    /// The board answered before, but has stopped answering.
    #[error(
        "the board on {port} has stopped answering; check its cable and battery; it reconnects automatically"
    )]
    Silent {
        /// The port.
        port: String,
    },
    /// Another board answers instead of the one that was lost.
    #[error(
        "the board on {port} has the number {found}, but the lost board has the number {expected}; connect board {expected} again, or restart Tabiya with board {found}"
    )]
    OtherBoard {
        /// The port.
        port: String,
        /// The number of the board that was lost.
        expected: String,
        /// The number of the board that answers.
        found: String,
    },
    /// The system's Bluetooth cannot be reached.
    #[error("Bluetooth is not available on this computer; use the board's cable, or type the moves")]
    NoBluetooth,
    /// The system's Bluetooth service is not running.
    #[error(
        "the Bluetooth service is not running; start it (sudo systemctl start bluetooth), or use the board's cable"
    )]
    NoBluetoothService,
    /// The system does not allow this program to use Bluetooth.
    #[error(
        "Tabiya is not allowed to use Bluetooth; allow access to the system service org.bluez (in a Flatpak: --system-talk-name=org.bluez), or add your user to the group `bluetooth` and log in again"
    )]
    BluetoothRefused,
    /// No Bluetooth adapter is plugged in.
    #[error("no Bluetooth adapter was found; plug an adapter in, and Tabiya uses it automatically")]
    NoAdapter,
    /// Bluetooth is switched off or blocked.
    #[error(
        "Bluetooth is switched off or blocked (aeroplane mode?); switch Bluetooth on, and Tabiya finds the board automatically"
    )]
    BluetoothOff,
    /// The wanted board does not advertise itself.
    #[error(
        "no {name} board was found over Bluetooth; switch it on, and disconnect it from other programs and phones"
    )]
    NotSeen {
        /// The name of the board or of its maker.
        name: String,
    },
    /// The board advertises itself but does not accept a connection.
    #[error(
        "the {name} board does not answer over Bluetooth; switch the board off and on, and Tabiya tries again"
    )]
    BoardDoesNotAnswer {
        /// The name of the board or of its maker.
        name: String,
    },
    /// The Bluetooth link to the board broke.
    #[error(
        "the {name} board is out of reach over Bluetooth; bring the board nearer or switch it on, and it reconnects automatically"
    )]
    OutOfReach {
        /// The name of the board or of its maker.
        name: String,
    },
    /// The Bluetooth device with this name or address is not a board of this maker.
    #[error(
        "the Bluetooth device {name} is not a board of this maker; choose another device or another maker"
    )]
    NotSuchABoard {
        /// The name of the board or of its maker.
        name: String,
    },
    /// The board refuses access without pairing.
    #[error("the {name} board refuses access; pair it once in the system's Bluetooth settings")]
    WantsPairing {
        /// The name of the board or of its maker.
        name: String,
    },
    /// No port on this computer could be a board.
    #[error(
        "no {maker} board was found; plug it in and switch it on, or name its port, as in {prefix}:/dev/ttyUSB0"
    )]
    NoneFound {
        /// The maker's name.
        maker: &'static str,
        /// The maker's prefix in addresses.
        prefix: &'static str,
    },
    /// This build of the crate cannot open ports of this kind.
    #[error(
        "{port} cannot be opened: this program was built without the feature `{feature}` of tabiya-boards"
    )]
    NotBuilt {
        /// The port.
        port: String,
        /// The feature of the crate that is missing.
        feature: &'static str,
    },
    /// Any other error of the operating system.
    #[error("{port} cannot be used; plug the board in again, or restart the computer's Bluetooth")]
    Failed {
        /// The port.
        port: String,
        /// The operating system's error.
        source: Arc<io::Error>,
    },
}

impl LinkError {
    /// Whether two errors have the same message, so that people need not see the second one.
    pub fn same_as(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}
