//! What differs between operating systems. Files as the system knows them: their identity, their names, and what makes a new name durable.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Whether the system tells which file is which.
pub(crate) const CAN_TELL_FILES: bool = cfg!(unix);

/// What distinguishes a file from all others on this computer, and is the same for all its names: its device and its inode.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems do not tell")]
pub(crate) fn identity(found: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

/// `None`: this system does not tell. There, nobody can delete or replace an open file, and a lock belongs to its descriptor.
#[cfg(not(unix))]
pub(crate) fn identity(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Whether the file has a second name: a program that opens it there would not see a journal's lock and log.
#[cfg(unix)]
pub(crate) fn has_two_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).is_ok_and(|found| found.nlink() > 1)
}

/// `false`: this system does not tell.
#[cfg(not(unix))]
pub(crate) fn has_two_names(_: &Path) -> bool {
    false
}

/// Whether the disk of this file has no room left for its user.
#[cfg(unix)]
pub(crate) fn is_disk_full(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    nix::sys::statvfs::statvfs(folder).is_ok_and(|found| found.blocks_available() == 0)
}

/// `false`: this system says so itself.
#[cfg(not(unix))]
pub(crate) fn is_disk_full(_: &Path) -> bool {
    false
}

/// Syncs the folder of a file and that folder's parent, so that new names survive a power cut. A parent folder that
/// cannot be opened is not synced.
#[cfg(unix)]
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()?;
    // Some file systems cannot sync the folder above, and some users cannot open it: then its name stays as it is.
    if let Some(Ok(above)) = folder.parent().filter(|above| !above.as_os_str().is_empty()).map(File::open) {
        let _ = above.sync_all();
    }
    Ok(())
}

/// Does nothing: on this system a folder cannot be opened like a file, and the system itself makes new names durable.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a file that these options create readable for its owner alone. On Windows files in a user's folders are so
/// without asking.
pub(crate) fn owner_only(options: &mut fs::OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Makes a folder that this builder creates one that its owner alone may open. On Windows folders of a user are so without
/// asking.
pub(crate) fn owner_only_folder(builder: &mut fs::DirBuilder) {
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
    #[cfg(not(unix))]
    let _ = builder;
}

/// Writes these bytes over the beginning of the file, in one call of the system.
#[cfg(unix)]
pub(crate) fn write_at_start(file: &File, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, 0)
}

/// Writes these bytes over the beginning of the file.
#[cfg(not(unix))]
pub(crate) fn write_at_start(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    use std::io::{Seek as _, Write as _};
    file.rewind()?;
    file.write_all(bytes)
}
