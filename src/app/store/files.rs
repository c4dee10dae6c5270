//! Files that must not be written over (records, what belongs to them, what is in use), and files for their
//! owner alone.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tabiya_boards::capture::{CaptureHeader, CaptureWriter};

use crate::store::journal::{self, FileKind};

/// Whether a file may be written beside those in use. The error is a sentence.
pub fn may_write(path: &Path, used: &[&Path]) -> Result<(), String> {
    let name = path.display();
    let companion = |of: &Path, end: &str| {
        let mut name = of.as_os_str().to_owned();
        name.push(end);
        place(Path::new(&name))
    };
    let here = place(path);
    for used in used {
        if here == place(used) {
            return Err(format!("{name}: this file is in use for something else here; name another one"));
        }
        if ["-wal", "-shm", "-journal", ".lock"].into_iter().any(|end| here == companion(used, end)) {
            return Err(format!("{name}: this file belongs to {}; name another one", used.display()));
        }
    }
    // What belongs to a record that was not closed is half of it.
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ["tabiya-wal", "tabiya-shm", "tabiya-journal", "lock"].contains(&ending) {
        return Err(format!("{name}: this name belongs to a record; name another file"));
    }
    if path.is_file() && matches!(journal::sniff(path), Ok(FileKind::Journal)) {
        return Err(format!("{name}: this is a record, which would be lost; name another file"));
    }
    Ok(())
}

/// Opens a file for raw bytes, to be added at its end. The error is a sentence.
pub fn capture_file(path: &Path, header: &CaptureHeader) -> Result<CaptureWriter<fs::File>, String> {
    let cannot =
        |why: &dyn std::fmt::Display| format!("{}: the capture cannot be written{why}", path.display());
    // A device can be read for ever, and what was captured before is read first.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(cannot(&" here: name a file"));
    }
    CaptureWriter::append(path, header).map_err(|error| cannot(&format_args!(": {error}")))
}

/// Writes a file whole or not at all: a reader never sees half of it. What is no ordinary file (a pipe,
/// `/dev/stdout`) is written as it stands.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: what it leads to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        let mut out = fs::OpenOptions::new().write(true).open(&path)?;
        return out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // What could not be finished is no use to anybody.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Writes a new file that only its owner may read. It is durable when this returns; one that is there stays.
pub(super) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// The same whole or not at all, whenever the power goes: what has the name was written to its end.
pub(super) fn write_private_whole(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let _ = fs::remove_file(&draft);
    write_private(&draft, text)?;
    // A second name, unlike a new one, takes no other file's place. Not every file system has them: there a file that
    // is torn by a power cut is told when it is read.
    let linked = fs::hard_link(&draft, path).or_else(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Err(error),
        _ => write_private(path, text),
    });
    let _ = fs::remove_file(&draft);
    linked?;
    sync_folder(path)
}

/// Makes a file's name durable, and its folder's, which may be new.
#[cfg(unix)]
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    for folder in path.ancestors().skip(1).take(2).filter(|folder| !folder.as_os_str().is_empty()) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Elsewhere a folder cannot be opened like a file; the system writes names through by itself.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a folder that only its owner may look into, if there is none.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Where a file lies, or would lie, whatever it is called by.
fn place(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let there = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(there).unwrap_or_else(|| path.to_owned())
}
