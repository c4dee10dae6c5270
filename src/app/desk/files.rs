//! Files that people name at a desk: where they lie, and what may be written there.

use std::path::{Path, PathBuf};

use tabiya_types::{Sentence, say};

use crate::store::files::{may_write, write_whole};

/// Where files lie that people name.
#[derive(Debug)]
pub(super) struct Files {
    /// Where a bare name lies.
    folder: PathBuf,
    /// What `~` means, if anything.
    home: Option<PathBuf>,
    /// The file that somebody wants to write over, until it is asked for once more.
    replacing: Option<PathBuf>,
}

/// A name without an ending gets the usual one.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    if path.extension().is_some() { path.to_owned() } else { path.with_extension(ending) }
}

impl Files {
    pub(super) fn new(folder: PathBuf, home: Option<PathBuf>) -> Self {
        Self { folder, home, replacing: None }
    }

    /// A file as people name it: `~` is their home, and a bare name lies beside the evening's records.
    pub(super) fn place(&self, path: &Path) -> Result<PathBuf, String> {
        let beside = self.folder.join(path);
        let home = self.home.as_ref().filter(|_| path.starts_with("~"));
        let path = match (home, path.strip_prefix("~")) {
            (Some(home), Ok(rest)) => home.join(rest),
            _ => beside,
        };
        std::path::absolute(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes a text into a file that may be written: none of those in use. What is there already is replaced only if
    /// the same is asked for twice.
    pub(super) fn write(&mut self, path: &Path, text: &str, used: &[&Path]) -> Result<Sentence, String> {
        let path = self.place(path)?;
        may_write(&path, used)?;
        let name = path.display().to_string();
        // A pipe that nobody reads would hold the clocks up.
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(format!("{name}: this is no file; name one"));
        }
        if path.is_file() && self.replacing.as_ref() != Some(&path) {
            self.replacing = Some(path);
            return Err(format!("{name}: there is such a file; ask once more to replace it"));
        }
        self.replacing = None;
        write_whole(&path, text).map_err(|error| format!("{name}: cannot be written: {error}"))?;
        Ok(say!("written", "written: {path}", path = name))
    }
}
