//! Writes files safely: it protects records and files in use from being overwritten, writes atomically, and makes
//! secret files readable by their owner alone.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tabiya_boards::capture::{CaptureHeader, CaptureWriter};
use tabiya_boards::platform::owner_only;

use crate::platform::{owner_only_folder, sync_folder};
use crate::store::folders::{self, NoFolder};
use crate::store::journal::place::is_at;
use crate::store::journal::{self, FileKind};
use crate::store::{board_notes, decks, heads, keys, settings};

/// Checks that writing `path` overwrites neither a record, nor a file that the program keeps for itself, nor one of the `used`
/// files. Every file that people name for writing is asked about here. The error is a sentence.
pub fn may_write(path: &Path, used: &[&Path]) -> Result<(), String> {
    let name = tabiya_types::shown(path);
    let companion = |of: &Path, end: &str| {
        let mut name = of.as_os_str().to_owned();
        name.push(end);
        place(Path::new(&name))
    };
    let here = place(path);
    for used in used {
        if here == place(used) {
            return Err(format!(
                "{name}: Tabiya already uses this file for another purpose; choose another file"
            ));
        }
        if ["-wal", "-shm", "-journal", ".lock"].into_iter().any(|end| here == companion(used, end))
            || here == place(&heads::file_of(used))
        {
            return Err(format!(
                "{name}: this file belongs to {}; choose another file",
                tabiya_types::shown(used)
            ));
        }
    }
    if is_the_programs(&here) {
        return Err(format!("{name}: Tabiya keeps its own files here; choose another file"));
    }
    // If a record was not closed, a part of its data is still in companion files with these extensions.
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ["tabiya-wal", "tabiya-shm", "tabiya-journal", "lock", "heads"].contains(&ending) {
        return Err(format!(
            "{name}: names with this ending are reserved for parts of a record; choose another name"
        ));
    }
    if path.is_file() && matches!(journal::sniff(path), Ok(FileKind::Journal)) {
        return Err(format!("{name}: this file is a record and would be lost; choose another file"));
    }
    Ok(())
}

/// Whether the program keeps this file for itself: keys, notes on records, decks, settings, notes on boards.
fn is_the_programs(here: &Path) -> bool {
    let keeps = |folder: Result<PathBuf, NoFolder>, names: [&str; 2]| {
        folder.is_ok_and(|folder| names.iter().any(|name| here.starts_with(place(&folder.join(name)))))
    };
    keeps(folders::data(), [keys::FOLDER, decks::FOLDER])
        || keeps(folders::config(), [settings::FILE, board_notes::FILE])
}

/// Opens a capture file; new bytes are appended. The error is a sentence.
pub fn capture_file(path: &Path, header: &CaptureHeader) -> Result<CaptureWriter<fs::File>, String> {
    let cannot = |why: &dyn std::fmt::Display| {
        format!("{}: the capture file cannot be written{why}", tabiya_types::shown(path))
    };
    // The content of an existing file is read first. Reading a device might never end, so a device is refused.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(cannot(&" here: choose an ordinary file"));
    }
    CaptureWriter::append(path, header).map_err(|error| cannot(&format_args!(": {error}")))
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
    beside.push(format!(".{}.new", std::process::id()));
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

/// Writes a new file that only its owner may read, and syncs it to the disk. `Err` if the file exists.
pub(super) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    owner_only(&mut options);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
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
pub(super) fn replace_private(path: &Path, text: &str) -> io::Result<()> {
    fs::rename(private_draft(path, text)?, path)
}

/// Writes and syncs a draft beside `path` that only its owner may read. A draft that an earlier attempt of this process
/// left there is replaced.
fn private_draft(path: &Path, text: &str) -> io::Result<PathBuf> {
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let _ = fs::remove_file(&draft);
    write_private(&draft, text)?;
    Ok(draft)
}

/// Creates a folder that only its owner may open, unless the folder exists.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    owner_only_folder(&mut builder);
    builder.create(folder)
}

/// The real path of a file, with symbolic links resolved. The file need not exist yet.
fn place(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let there = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(there).unwrap_or_else(|| path.to_owned())
}
