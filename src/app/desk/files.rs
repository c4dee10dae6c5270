//! Files whose names people enter at a desk: finds their full paths, and writes only files that may be written.

use std::path::{Path, PathBuf};

use tabiya_store::disk::write_whole;
use tabiya_store::files::may_write;

/// Turns the file names that people enter into full paths, and writes the files.
#[derive(Debug)]
pub(super) struct Files {
    /// The folder for file names that contain no folder: the user's documents, or that of the records.
    folder: PathBuf,
    /// The user's home folder, for which people type `~`; `None` if there is none.
    home: Option<PathBuf>,
    /// The existing file that the last request wanted to replace. A second request in a row for the same file replaces
    /// it.
    replacing: Option<PathBuf>,
}

/// Why a file could not be written, without the system's number of the error.
fn cause(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" (os error ").map_or(text.clone(), |(words, _)| words.to_owned())
}

/// Adds the usual file extension to a name without an extension.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    if path.extension().is_some() { path.to_owned() } else { path.with_extension(ending) }
}

impl Files {
    pub(super) fn new(folder: PathBuf, home: Option<PathBuf>) -> Self {
        Self { folder, home, replacing: None }
    }

    /// The folder for file names that contain no folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder for exports when a file is first written there.
    pub(super) fn make_folder(&self, path: &Path) -> std::io::Result<()> {
        if path.parent() == Some(&self.folder) { std::fs::create_dir_all(&self.folder) } else { Ok(()) }
    }

    /// Returns the full path for a file name that people entered. `~` stands for the home folder, and a name without a
    /// folder belongs to the folder of the evening's records.
    pub(super) fn place(&self, path: &Path) -> Result<PathBuf, String> {
        let beside = self.folder.join(path);
        let home = self.home.as_ref().filter(|_| path.starts_with("~"));
        let path = match (home, path.strip_prefix("~")) {
            (Some(home), Ok(rest)) => home.join(rest),
            _ => beside,
        };
        std::path::absolute(&path).map_err(|error| format!("{}: {error}", tabiya_types::shown(&path)))
    }

    /// Notes that people have agreed to replace this file, if it exists. A path that cannot be used is refused when it is
    /// written to.
    pub(super) fn replace(&mut self, path: &Path) {
        self.replacing = self.place(path).ok();
    }

    /// Writes a file. `Err` if the file is one of the files in `used`, which the program itself uses. An
    /// existing file is replaced only at the second request in a row; the first request returns `Err`.
    pub(super) fn write(&mut self, path: &Path, content: &[u8], used: &[&Path]) -> Result<PathBuf, String> {
        let path = self.place(path)?;
        may_write(&path, used)?;
        let name = tabiya_types::shown(&path);
        // Writing to a named pipe without a reader would block this thread, and the clocks would stop.
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(format!("{name}: this is not a regular file; choose another name"));
        }
        if path.is_file() && self.replacing.as_ref() != Some(&path) {
            self.replacing = Some(path);
            return Err(format!("{name}: this file already exists; save it a second time to replace it"));
        }
        self.replacing = None;
        let failed = |error: std::io::Error| format!("{name}: the file cannot be written: {}", cause(&error));
        self.make_folder(&path).map_err(failed)?;
        write_whole(&path, content).map_err(failed)?;
        Ok(path)
    }
}
