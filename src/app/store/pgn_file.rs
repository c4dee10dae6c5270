//! The PGN file of a running match, rewritten at each move.

use std::path::PathBuf;

use tabiya_types::{Sentence, say};

use super::files::write_whole;
use super::keeper::PgnKeeper;

/// A PGN file that is rewritten at each move.
#[derive(Debug)]
pub struct PgnFile(PathBuf);

impl PgnFile {
    /// Returns a keeper that writes the PGN into the file `path`. The first move overwrites an existing file.
    pub fn keeper(path: PathBuf) -> Box<dyn PgnKeeper> {
        Box::new(Self(path))
    }
}

impl PgnKeeper for PgnFile {
    fn write(&mut self, text: &str) -> Result<(), Sentence> {
        write_whole(&self.0, text).map_err(|error| {
            say!(
                "pgn-not-written",
                "{path} cannot be written: {error}; Tabiya tries again at the next move",
                path = tabiya_types::shown(&self.0),
                error = error.to_string()
            )
        })
    }
}
