//! The file that a PGN of a running match is kept in, written whole at each move.

use std::path::PathBuf;

use tabiya_types::{Sentence, say};

use super::files::write_whole;
use super::keeper::PgnKeeper;

/// Such a file.
#[derive(Debug)]
pub struct PgnFile(PathBuf);

impl PgnFile {
    /// Keeps it there. What stands there is written over at the first move.
    pub fn keeper(path: PathBuf) -> Box<dyn PgnKeeper> {
        Box::new(Self(path))
    }
}

impl PgnKeeper for PgnFile {
    fn write(&mut self, text: &str) -> Result<(), Sentence> {
        write_whole(&self.0, text).map_err(|error| {
            say!(
                "pgn-not-written",
                "{path} cannot be written: {error}; it is tried again at the next move",
                path = self.0.display().to_string(),
                error = error.to_string()
            )
        })
    }
}
