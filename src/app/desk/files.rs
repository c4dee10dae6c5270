//! Files that people name at a desk: their full paths, and whether they may be written.

use std::path::{Path, PathBuf};

use tabiya_types::{Sentence, say};

use crate::store::files::{may_write, write_whole};

/// How the names that people enter become paths.
#[derive(Debug)]
pub(super) struct Files {
    /// The folder of a bare name.
    folder: PathBuf,
    /// The folder that `~` means, if any.
    home: Option<PathBuf>,
    /// An existing file that somebody asked to write over; a second request replaces it.
    replacing: Option<PathBuf>,
}

/// Adds the usual file extension to a name without one.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    if path.extension().is_some() { path.to_owned() } else { path.with_extension(ending) }
}

impl Files {
    pub(super) fn new(folder: PathBuf, home: Option<PathBuf>) -> Self {
        Self { folder, home, replacing: None }
    }

    /// Returns the full path of a file that people name: `~` is the home folder, and a bare name is in the folder of
    /// the evening's records.
    pub(super) fn place(&self, path: &Path) -> Result<PathBuf, String> {
        let beside = self.folder.join(path);
        let home = self.home.as_ref().filter(|_| path.starts_with("~"));
        let path = match (home, path.strip_prefix("~")) {
            (Some(home), Ok(rest)) => home.join(rest),
            _ => beside,
        };
        std::path::absolute(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes a text to a file; `Err` for the files in `used`. An existing file is replaced only when the same file
    /// is requested twice in a row.
    pub(super) fn write(&mut self, path: &Path, text: &str, used: &[&Path]) -> Result<Sentence, String> {
        let path = self.place(path)?;
        may_write(&path, used)?;
        let name = path.display().to_string();
        // Writing to a pipe that nobody reads would block, and the clocks with it.
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(format!("{name}: this is not a regular file; choose another name"));
        }
        if path.is_file() && self.replacing.as_ref() != Some(&path) {
            self.replacing = Some(path);
            return Err(format!("{name}: this file exists already; do the same again to replace it"));
        }
        self.replacing = None;
        write_whole(&path, text).map_err(|error| format!("{name}: cannot be written: {error}"))?;
        Ok(say!("written", "written: {path}", path = name))
    }
}
