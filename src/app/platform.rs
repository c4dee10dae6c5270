//! What differs between operating systems: the clocks that show that
//! the computer was asleep, who may open a port, the service manager, the system's name, and the program that shows a folder. Nothing else in this crate asks which
//! system it runs on.

mod clocks;
mod ports;
mod service;
mod system;

pub(crate) use clocks::{boot_and_monotonic, thread_time};
pub(crate) use ports::{Access, access, is_running};
pub(crate) use service::ServiceManager;
pub(crate) use system::system_name;

/// The program that shows a folder.
pub(crate) const FILE_MANAGER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Whether the file manager's exit status says whether it has shown the folder. That of Windows reports a failure even when
/// it has.
pub(crate) const FILE_MANAGER_TELLS: bool = cfg!(not(windows));
