//! Which files may be written where people name them: neither a record nor what the program keeps for itself.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folders::{self, NoFolder};
use crate::journal::{self, FileKind};
use crate::{decks, heads, keys};

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
        || keeps(folders::config(), [folders::SETTINGS, folders::BOARD_NOTES])
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
