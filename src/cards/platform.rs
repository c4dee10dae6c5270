//! What differs between operating systems, for card readers.

/// Whether the card service reports a reader that is plugged in. That of macOS does not, so each wait for it is kept short.
pub(crate) const REPORTS_NEW_READERS: bool = cfg!(not(target_os = "macos"));
