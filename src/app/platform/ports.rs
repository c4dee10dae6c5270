//! Who may open a port, and which programs run beside this one, as Linux tells it.

/// Whether this user may open a device.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux is asked"))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// He may read and write.
    Allowed,
    /// Only the members of this group may.
    Group(String),
    /// He may not, or there is no such device.
    Denied,
}

/// Asks the device node itself whether this user may read and write (`access(2)`), whatever rules there are. `None` if the
/// system cannot be asked.
#[cfg(target_os = "linux")]
#[expect(clippy::unnecessary_wraps, reason = "other systems do not tell")]
pub(crate) fn access(path: &str) -> Option<Access> {
    use std::os::unix::fs::MetadataExt as _;

    use nix::unistd::{AccessFlags, Gid, Group, access};
    if access(path, AccessFlags::R_OK | AccessFlags::W_OK).is_ok() {
        return Some(Access::Allowed);
    }
    // What no group may open, no membership opens.
    let shared = std::fs::metadata(path).ok().filter(|meta| meta.mode() & 0o060 == 0o060);
    let owner = shared.and_then(|meta| Group::from_gid(Gid::from_raw(meta.gid())).ok()?);
    Some(owner.map_or(Access::Denied, |group| Access::Group(group.name)))
}

/// `None`: this system is not asked.
#[cfg(not(target_os = "linux"))]
pub(crate) fn access(_: &str) -> Option<Access> {
    None
}

/// Whether a process with this name is running; `false` where there is no `/proc`.
pub(crate) fn is_running(name: &str) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    processes.flatten().any(|process| {
        std::fs::read_to_string(process.path().join("comm")).is_ok_and(|comm| comm.trim_end() == name)
    })
}
