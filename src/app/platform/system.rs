//! What the operating system is called.

/// The name and version of the system's distribution; `None` if it does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn system_name() -> Option<String> {
    // os-release(5). The file in /usr is the one of the distribution; that in /etc may be the same.
    let text = ["/etc/os-release", "/usr/lib/os-release"]
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok())?;
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

/// `None`: this system is not asked.
#[cfg(not(target_os = "linux"))]
pub(crate) fn system_name() -> Option<String> {
    None
}
