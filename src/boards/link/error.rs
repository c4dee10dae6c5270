//! What to tell people when a line cannot be opened, or breaks.

use std::io;
use std::sync::Arc;

/// Why a line could not be opened, or broke. Each sentence ends with what to do.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// No such port: unplugged, or a wrong name.
    #[error(
        "{port} is not there; plug the board in and switch it on, or see `tabiya devices list` for the ports that are"
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
    /// Another table of this program has that board.
    #[error("{board} is in use at another table; stop it there, or name another board")]
    Taken {
        /// The board, or the port of the only one.
        board: String,
    },
    /// The port is there, but not for this user.
    #[error(
        "no permission to open {port}; add your user to the group `dialout` (sudo usermod -a -G dialout $USER), then log in again"
    )]
    NoPermission {
        /// The port.
        port: String,
    },
    /// The device went away while it was open.
    #[error("the board on {port} is gone; plug it in again, it is looked for by itself")]
    Vanished {
        /// The port.
        port: String,
        /// What the system said.
        source: Option<Arc<io::Error>>,
    },
    /// The line ended before a board had answered.
    #[error("the connection to {port} ended before a board answered; check what is there, then try again")]
    BrokeOff {
        /// The port.
        port: String,
        /// What the system said.
        source: Option<Arc<io::Error>>,
    },
    /// The path names something else.
    #[error("{port} is not a serial port; give the board's port, such as /dev/ttyACM0 or COM3")]
    NotSerial {
        /// The path.
        port: String,
    },
    /// The machine is there, nothing listens.
    #[error(
        "{address} refuses the connection; start the program that offers the board there, or check the port number"
    )]
    Refused {
        /// Host and port.
        address: String,
    },
    /// No machine of this name.
    #[error("the host of {address} is not known; check its name and the network")]
    UnknownHost {
        /// Host and port.
        address: String,
    },
    /// The machine did not answer.
    #[error("{address} does not answer; check that the machine is on and reachable")]
    Unreachable {
        /// Host and port.
        address: String,
        /// What the system said.
        source: Option<Arc<io::Error>>,
    },
    /// The port opens, but nothing there speaks as a board does.
    #[error("nothing on {port} answers as a {maker} board; switch the board on, or choose another port")]
    NoAnswer {
        /// The port.
        port: String,
        /// The maker's name.
        maker: &'static str,
    },
    /// The board spoke, and has stopped.
    #[error(
        "the board on {port} has stopped answering; it is connected again by itself, check its cable and battery"
    )]
    Silent {
        /// The port.
        port: String,
    },
    /// A board answers, but not the one that was lost.
    #[error(
        "{port} is another board (number {found}); connect board {expected} again, or start anew with this one"
    )]
    OtherBoard {
        /// The port.
        port: String,
        /// The number of the board that was lost.
        expected: String,
        /// The number of this one.
        found: String,
    },
    /// There is no way to the system's Bluetooth.
    #[error("Bluetooth is not available on this computer; use the board's cable, or play on by typing")]
    NoBluetooth,
    /// The system's Bluetooth service is not there.
    #[error(
        "the Bluetooth service is not running; start it (sudo systemctl start bluetooth), or use the board's cable"
    )]
    NoBluetoothService,
    /// The system does not let this program.
    #[error(
        "Tabiya is not allowed to use Bluetooth; allow access to the system service org.bluez (in a Flatpak: --system-talk-name=org.bluez), or add your user to the group `bluetooth` and log in again"
    )]
    BluetoothRefused,
    /// Nothing to receive with.
    #[error("no Bluetooth adapter was found; plug one in, it is noticed by itself")]
    NoAdapter,
    /// Switched off or blocked.
    #[error(
        "Bluetooth is switched off or blocked (aeroplane mode?); switch it on, the board is then found by itself"
    )]
    BluetoothOff,
    /// The board does not advertise itself.
    #[error(
        "no {name} board is to be seen over Bluetooth; switch it on, and off in other programs and phones that hold it"
    )]
    NotSeen {
        /// The board or its maker.
        name: String,
    },
    /// The board is there and does not let itself be connected.
    #[error("the {name} board does not answer over Bluetooth; switch it off and on, it is tried again")]
    BoardDoesNotAnswer {
        /// The board or its maker.
        name: String,
    },
    /// The link broke.
    #[error(
        "the {name} board is out of reach over Bluetooth; bring it nearer or switch it on, it is looked for by itself"
    )]
    OutOfReach {
        /// The board or its maker.
        name: String,
    },
    /// Something else is called so.
    #[error("what is called {name} over Bluetooth is no such board; name another one, or another maker")]
    NotSuchABoard {
        /// The board or its maker.
        name: String,
    },
    /// The board refuses what is asked without pairing.
    #[error("the {name} board refuses this; pair it once in the system's Bluetooth settings")]
    WantsPairing {
        /// The board or its maker.
        name: String,
    },
    /// No port on this computer could be a board.
    #[error(
        "no {maker} board was found; plug it in and switch it on, or name its port, as in {prefix}:/dev/ttyUSB0"
    )]
    NoneFound {
        /// The maker's name.
        maker: &'static str,
        /// The maker's word in addresses.
        prefix: &'static str,
    },
    /// This build of the crate cannot open such ports.
    #[error(
        "{port} cannot be opened: this program was built without the feature `{feature}` of tabiya-boards"
    )]
    NotBuilt {
        /// The port.
        port: String,
        /// The feature that is missing.
        feature: &'static str,
    },
    /// Anything else that the system says.
    #[error("{port} cannot be used; plug the board in again, or restart the computer's Bluetooth")]
    Failed {
        /// The port.
        port: String,
        /// What the system said.
        source: Arc<io::Error>,
    },
}

impl LinkError {
    /// Whether two errors tell people the same, so that the second need not be told.
    pub fn same_as(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}
