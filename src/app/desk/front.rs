//! What shows a table and is told what people want: a window, a terminal, a test without a screen.
//!
//! A front is drawn from [`Snapshot`]s and answers with [`Wish`]es; it knows no session and no device. The loop
//! (`run.rs`) calls it on its own thread, so that what people do comes in the order of its moments.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tabiya_types::{Instant, Sentence};

use super::Wish;
use crate::session::Announcement;
use crate::snapshot::Snapshot;

/// Something that was said or answered since the last snapshot, for fronts that print lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// The table said it.
    Said(Announcement),
    /// An answer to a typed line, of one or more lines.
    Answer(String),
    /// Something was not taken, and why.
    Refused(Announcement),
    /// Something that was to be done on the side failed.
    Failed(Sentence),
    /// A typed line was taken; this comes next.
    Next(Sentence),
    /// Somebody asked at that moment of the match for the whole table.
    Show(Instant),
}

/// How the table stands now.
pub struct Latest<'a> {
    /// Whether the program is to end.
    pub closing: bool,
    pub(super) make: &'a dyn Fn() -> Snapshot,
}

impl Latest<'_> {
    /// All that a screen shows. It is made when it is asked for: who only prints what is new needs none.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new((self.make)())
    }
}

impl fmt::Debug for Latest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latest").field("closing", &self.closing).finish_non_exhaustive()
    }
}

/// Shows a table, and tells what people want.
pub trait Front {
    /// What people do at it: wishes as they are, typed lines, keys.
    type Input: Send + 'static;

    /// What they want by it, if anything.
    fn understand(&mut self, input: Self::Input, at: Instant) -> Option<Wish>;

    /// Shows how the table stands now, and what is new. Called once at the beginning, after each change, and
    /// after each typed line. `Break` ends the loop; so does an error, which the loop returns.
    fn show(&mut self, latest: &Latest<'_>, news: Vec<News>, now: Instant) -> io::Result<ControlFlow<()>>;

    /// Draws once more: time has passed, or somebody typed. Called before each wait.
    fn draw(&mut self, now: Instant) -> io::Result<()> {
        let _ = now;
        Ok(())
    }

    /// How soon it has to be drawn again although nothing happens.
    fn refresh(&self) -> Option<Duration> {
        None
    }
}
