//! What the program asks of an operating system that keeps things private: its files, and its memory, which may hold sealed
//! cards. Nothing else in the program's own crate asks which system it runs on.

/// Files of this program are readable by their owner alone, and its memory by no other program of the same user and in no
/// core dump. Where a system forbids neither, they stay as the system has them.
pub(crate) fn keep_private() {
    #[cfg(unix)]
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_dumpable(false);
}

/// Files that are written from now on can be read by everybody: they are for all users of the computer.
pub(crate) fn let_all_read() {
    #[cfg(unix)]
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o022));
}

/// Lets other programs of the same user look at this process: desktop portals refuse one that they cannot look at. Only for
/// a process that holds no secret.
#[cfg(feature = "window")]
pub(crate) fn may_be_looked_at() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_dumpable(true);
}

/// Whether there is a desktop on which a window can be opened.
#[cfg(feature = "window")]
pub(crate) fn has_display() -> bool {
    let there = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(all(unix, not(target_os = "macos")))) || there("DISPLAY") || there("WAYLAND_DISPLAY")
}
