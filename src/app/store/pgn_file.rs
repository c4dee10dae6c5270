//! The file that a PGN of a running match is kept in, written whole at each move.

use std::path::PathBuf;

use tabiya_types::{Sentence, say};

use super::files::write_whole;

/// Such a file.
#[derive(Debug)]
pub(crate) struct PgnFile {
    path: PathBuf,
    /// Whether it could not be written; told once.
    failed: bool,
}

impl PgnFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, failed: false }
    }

    /// Writes it anew. The first time that this fails people are told.
    pub(crate) fn write(&mut self, text: &str) -> Option<Sentence> {
        let error = match write_whole(&self.path, text) {
            Ok(()) => {
                self.failed = false;
                return None;
            }
            Err(error) => error.to_string(),
        };
        let path = self.path.display().to_string();
        (!std::mem::replace(&mut self.failed, true)).then(|| {
            say!(
                "pgn-not-written",
                "{path} cannot be written: {error}; it is tried again at the next move",
                path,
                error
            )
        })
    }
}
