//! Errors of the system's Bluetooth, sorted by what people can do about them.

use btleplug::Error;

use crate::link::error::LinkError;
use crate::platform::bus_name;

/// Why an operation over Bluetooth LE failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BleFault {
    /// There is no message bus, or this program may not use it.
    NoBus,
    /// The system's Bluetooth service is not running.
    NoService,
    /// The system does not allow this program to use Bluetooth.
    Refused,
    /// No adapter is plugged in.
    NoAdapter,
    /// The adapter is switched off or blocked.
    Off,
    /// The wanted board was not seen.
    NotSeen,
    /// The board, or the Bluetooth service, did not answer in time.
    NoAnswer,
    /// The link to the board is lost.
    Lost,
    /// The device lacks the characteristics of the wanted kind of board.
    NotABoard,
    /// The board demands pairing, or does not permit the request at all.
    NotAllowed,
    /// The previous request is still running.
    Busy,
    /// This connection to the message bus has reached its limits; a new one is needed.
    UsedUp,
    /// The caller has stopped waiting.
    GivenUp,
    /// Any other error, which is presumed to be temporary.
    Passing,
}

impl BleFault {
    /// Returns the error that people see. `name` is the name of the board.
    pub(super) fn sentence(self, name: &str) -> LinkError {
        let name = name.to_owned();
        match self {
            Self::NoBus => LinkError::NoBluetooth,
            Self::NoService => LinkError::NoBluetoothService,
            Self::Refused => LinkError::BluetoothRefused,
            Self::NoAdapter => LinkError::NoAdapter,
            Self::Off => LinkError::BluetoothOff,
            Self::NotSeen => LinkError::NotSeen { name },
            Self::NotABoard => LinkError::NotSuchABoard { name },
            Self::NotAllowed => LinkError::WantsPairing { name },
            Self::NoAnswer => LinkError::BoardDoesNotAnswer { name },
            Self::Lost | Self::Busy | Self::UsedUp | Self::GivenUp | Self::Passing => {
                LinkError::OutOfReach { name }
            }
        }
    }
}

/// Classifies an error of the Bluetooth library. Most errors contain an error name of the message bus.
pub(super) fn classify(error: &Error) -> BleFault {
    match error {
        Error::PermissionDenied => BleFault::Refused,
        Error::DeviceNotFound | Error::NotConnected => BleFault::Lost,
        Error::NoAdapterAvailable => BleFault::NoAdapter,
        Error::TimedOut(_) => BleFault::NoAnswer,
        Error::NotSupported(_) | Error::NoSuchCharacteristic | Error::UnexpectedCharacteristic => {
            BleFault::NotAllowed
        }
        error => by_name(&bus_name(error).unwrap_or_default(), &error.to_string()),
    }
}

/// Classifies an error by its name on the message bus and its text.
fn by_name(name: &str, text: &str) -> BleFault {
    let last = name.rsplit('.').next().unwrap_or_default();
    match last {
        "FileNotFound" | "NoServer" | "Disconnected" | "BadAddress" => BleFault::NoBus,
        "ServiceUnknown" | "NameHasNoOwner" => BleFault::NoService,
        _ if name.contains(".Spawn.") => BleFault::NoService,
        "AccessDenied" => BleFault::Refused,
        "UnknownObject" | "UnknownMethod" | "NotConnected" | "DoesNotExist" => BleFault::Lost,
        "InProgress" => BleFault::Busy,
        "NotReady" => BleFault::Off,
        "NotPermitted" | "NotAuthorized" | "NotSupported" => BleFault::NotAllowed,
        "LimitsExceeded" => BleFault::UsedUp,
        "Timeout" | "NoReply" => BleFault::NoAnswer,
        _ if text.contains("Not connected") => BleFault::Lost,
        _ if text.contains("ATT error") || text.contains("Insufficient") => BleFault::NotAllowed,
        _ => BleFault::Passing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_sorted_by_what_can_be_done() {
        let cases = [
            ("org.freedesktop.DBus.Error.FileNotFound", "", BleFault::NoBus),
            ("org.freedesktop.DBus.Error.ServiceUnknown", "", BleFault::NoService),
            ("org.freedesktop.DBus.Error.Spawn.ExecFailed", "", BleFault::NoService),
            ("org.freedesktop.DBus.Error.AccessDenied", "", BleFault::Refused),
            ("org.freedesktop.DBus.Error.UnknownObject", "", BleFault::Lost),
            ("org.freedesktop.DBus.Error.LimitsExceeded", "", BleFault::UsedUp),
            ("org.freedesktop.DBus.Error.Timeout", "", BleFault::NoAnswer),
            ("org.bluez.Error.Failed", "Not connected", BleFault::Lost),
            ("org.bluez.Error.Failed", "le-connection-abort-by-local", BleFault::Passing),
            ("org.bluez.Error.Failed", "Operation already in progress", BleFault::Passing),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", BleFault::NotAllowed),
            ("org.bluez.Error.InProgress", "In Progress", BleFault::Busy),
            ("org.bluez.Error.NotPermitted", "Write not permitted", BleFault::NotAllowed),
            ("org.bluez.Error.NotAuthorized", "", BleFault::NotAllowed),
            ("org.bluez.Error.InvalidArguments", "", BleFault::Passing),
            ("", "something new", BleFault::Passing),
        ];
        for (name, text, fault) in cases {
            assert_eq!(by_name(name, text), fault, "{name} {text}");
        }
    }
}
