//! Reads and writes files safely: reads only ordinary files of a bounded length, writes atomically, and makes secret files
//! readable by their owner alone.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::platform::{identity, owner_only, owner_only_folder, sync_folder};

/// Reads a whole file of at most `most` bytes. `Err` for a device, which may be endless, and for a pipe, which may
/// never send anything.
pub fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let no_file = || io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file");
    // Checked before the file is opened, because opening a pipe without a writer would wait for ever.
    if !fs::metadata(path)?.is_file() {
        return Err(no_file());
    }
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(no_file());
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read, so the number of bytes is limited.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|len| len > most) {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("the file is longer than {most} bytes"),
        ));
    }
    Ok(bytes)
}

/// Writes a file atomically: a reader never sees a half-written file. A pipe or a device, such as `/dev/stdout`, is
/// written directly.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let content = content.as_ref();
    // If the path is a symbolic link, the link stays and its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        let mut out = fs::OpenOptions::new().write(true).open(&path)?;
        return out.write_all(content).and_then(|()| out.flush());
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", draft_ending()));
    let beside = PathBuf::from(beside);
    // It is on the disk before it takes the old one's place. A file that another process left there is not followed.
    let write = || {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&beside)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&beside, &path)
    };
    let _ = fs::remove_file(&beside);
    let written = write();
    if written.is_err() {
        // Do not leave a half-written file behind.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Opens an ordinary file to read and write it, or makes it. What this program keeps beside a record is opened thus, since
/// somebody may have put there what he likes: a link is not followed, and a link or a device is `InvalidInput`.
pub(super) fn open_ordinary(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true);
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made,
    }
    let no_file = || io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file");
    let found = fs::symlink_metadata(path)?;
    // Checked before the file is opened, because opening a device may have an effect.
    if !found.is_file() {
        return Err(no_file());
    }
    let file = options.open(path)?;
    // A link may have been put there in the meantime.
    if is_at(&file, path) { Ok(file) } else { Err(no_file()) }
}

/// Whether this open file is still the one at this path, and no link leads there.
pub(crate) fn is_at(file: &fs::File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(ours), Ok(there)) => identity(&ours) == identity(&there),
        _ => false,
    }
}

/// Writes a new file that only its owner may read, and syncs it to the disk. `Err` if the file exists.
pub(super) fn write_private(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    owner_only(&mut options);
    let mut file = options.open(path)?;
    file.write_all(content.as_ref())?;
    file.sync_all()
}

/// Writes a new file that only its owner may read. The file gets its name only when it is complete, even if the power
/// fails. `Err` if the file exists.
pub(super) fn write_private_whole(path: &Path, text: &str) -> io::Result<()> {
    let draft = private_draft(path, text)?;
    // A hard link, unlike a rename, never replaces another file. On file systems without hard links the file is written
    // directly; if a power cut leaves only a part of it, reading the file reports an error.
    let linked = fs::hard_link(&draft, path).or_else(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Err(error),
        _ => write_private(path, text),
    });
    let _ = fs::remove_file(&draft);
    linked?;
    sync_folder(path)
}

/// Writes a file that only its owner may read, or replaces it. A reader never sees a half-written file.
pub fn replace_private(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    fs::rename(private_draft(path, content)?, path)
}

/// The ending of a draft, which no other draft has: several tables of one program may write the same file at the same moment.
fn draft_ending() -> String {
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}.new", std::process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed))
}

/// Writes and syncs a draft beside `path` that only its owner may read. A draft that an earlier process with this number left
/// there is replaced.
fn private_draft(path: &Path, content: impl AsRef<[u8]>) -> io::Result<PathBuf> {
    let draft = path.with_extension(draft_ending());
    let _ = fs::remove_file(&draft);
    write_private(&draft, content)?;
    Ok(draft)
}

/// Creates a folder that only its owner may open, unless the folder exists.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    owner_only_folder(&mut builder);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_one_program_write_the_same_file_at_the_same_moment() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings.json");
        std::thread::scope(|threads| {
            for nth in 0..8 {
                let file = &file;
                threads.spawn(move || {
                    for _ in 0..20 {
                        write_whole(file, format!("table {nth}")).expect("it is written");
                    }
                });
            }
        });
        assert!(fs::read_to_string(&file).expect("it is whole").starts_with("table "));
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "no draft is left");
    }
}
