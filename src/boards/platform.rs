//! What differs between operating systems, for boards and their simulators: pseudo-terminals, signals, who may read a file,
//! and how a system tells why a port cannot be opened. Nothing else in this crate asks which system it runs on.

#[cfg(feature = "simulators")]
mod pty;
#[cfg(feature = "simulators")]
mod signals;

use std::fs::OpenOptions;
#[cfg(any(feature = "serial", test))]
use std::path::Path;

#[cfg(feature = "simulators")]
pub(crate) use pty::{Pty, place_link};
#[cfg(feature = "simulators")]
pub use signals::StopSignals;

/// Makes a file that these options create readable for its owner alone. On Windows files in a user's folders are so
/// without asking.
pub fn owner_only(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Whether this is Windows, which gives other reasons than Unix when a port cannot be opened.
#[cfg(feature = "serial")]
pub(crate) const IS_WINDOWS: bool = cfg!(windows);

/// Whether a path can be a serial port. On Unix, a serial port is a character device.
#[cfg(all(unix, any(feature = "serial", test)))]
pub(crate) fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    path.metadata().is_ok_and(|meta| meta.file_type().is_char_device())
}

/// Whether a path can be a serial port. Names such as `COM3` are not paths, so only files and folders are excluded.
#[cfg(all(not(unix), any(feature = "serial", test)))]
pub(crate) fn is_device(path: &Path) -> bool {
    !path.is_file() && !path.is_dir()
}

/// The name that an error of Bluetooth has on the system's message bus.
#[cfg(all(target_os = "linux", feature = "ble"))]
pub(crate) fn bus_name(error: &btleplug::Error) -> Option<String> {
    let btleplug::Error::Other(inner) = error else { return None };
    match inner.downcast_ref::<bluez_async::BluetoothError>()? {
        bluez_async::BluetoothError::DbusError(dbus) => dbus.name().map(str::to_owned),
        _ => None,
    }
}

/// Returns `None`, because only on Linux errors have a name on a message bus.
#[cfg(all(not(target_os = "linux"), feature = "ble"))]
pub(crate) fn bus_name(_: &btleplug::Error) -> Option<String> {
    None
}
