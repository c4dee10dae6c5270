//! The PGN file of a running match, rewritten after moves at most once a second, and at once after a result.
//!
//! The text of the whole match is made and written each time, so a rewrite at every move would cost more the longer the match
//! is. The pace is real time even while a simulated evening runs faster; a session asks again until the file is up to date.
#![expect(clippy::disallowed_methods, reason = "what a file costs, it costs in real time")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_types::{Sentence, say};

use super::disk::write_whole;
use super::keeper::{PgnKeeper, PgnNews};

/// The real time from one rewrite to the next, at least. It is shorter than the session's own pause before it asks again, so
/// that the file lags behind the last move by a second at most.
const PACE: Duration = Duration::from_millis(900);

/// A PGN file that is rewritten after moves.
#[derive(Debug)]
pub struct PgnFile {
    path: PathBuf,
    /// When it was written last; `None` before the first move.
    written: Option<Instant>,
    /// When it was written last because of a result. Where games end faster than people play, results wait, too.
    with_result: Option<Instant>,
}

impl PgnFile {
    /// Returns a keeper that writes the PGN into the file `path`. The first move overwrites an existing file.
    pub fn keeper(path: PathBuf) -> Box<dyn PgnKeeper> {
        Box::new(Self { path, written: None, with_result: None })
    }
}

impl PgnKeeper for PgnFile {
    fn is_due(&self, news: PgnNews) -> bool {
        let last = match news {
            PgnNews::Move => self.written,
            PgnNews::Result => self.with_result,
        };
        last.is_none_or(|written| written.elapsed() >= PACE)
    }

    fn write(&mut self, news: PgnNews, text: &str) -> Result<(), Sentence> {
        let written = write_whole(&self.path, text);
        self.written = Some(Instant::now());
        if news == PgnNews::Result {
            self.with_result = self.written;
        }
        written.map_err(|error| {
            say!(
                "pgn-not-written",
                "{path} cannot be written: {error}; Tabiya tries again at the next move",
                path = tabiya_types::shown(&self.path),
                error = error.to_string()
            )
        })
    }
}
