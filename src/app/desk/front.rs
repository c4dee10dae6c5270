//! Fronts: a front shows the table and takes people's inputs. It is a window, a terminal, or a test without a screen.
//!
//! A front draws [`Snapshot`]s and returns [`Wish`]es; it knows no session and no device. The loop (`run.rs`) calls
//! it on its own thread, so that inputs are handled in the order of their moments.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tabiya_types::{Instant, Sentence};

use super::Wish;
use crate::session::Announcement;
use crate::snapshot::Snapshot;

/// News since the last snapshot, for fronts that print lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// An announcement of the table.
    Said(Announcement),
    /// An answer to a typed line, of one or more lines.
    Answer(String),
    /// An input was refused; the text says why.
    Refused(Announcement),
    /// Something outside the match failed, such as a print or an export.
    Failed(Sentence),
    /// A typed line was accepted; the text is the next prompt.
    Next(Sentence),
    /// Somebody asked to see the whole table, at this moment of the match.
    Show(Instant),
}

/// The current state of the table.
pub struct Latest<'a> {
    /// Whether the program is to end.
    pub closing: bool,
    pub(super) make: &'a dyn Fn() -> Snapshot,
}

impl Latest<'_> {
    /// Makes a snapshot of everything that a screen shows. A front that only prints news need not call this.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new((self.make)())
    }
}

impl fmt::Debug for Latest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latest").field("closing", &self.closing).finish_non_exhaustive()
    }
}

/// Shows a table, and turns people's inputs into wishes.
pub trait Front {
    /// The inputs of this front: wishes, typed lines or keys.
    type Input: Send + 'static;

    /// Turns an input into a wish; `None` if it asks nothing of the desk.
    fn understand(&mut self, input: Self::Input, at: Instant) -> Option<Wish>;

    /// Shows the current state of the table, and the news. Called once at the beginning, after each change, and after
    /// each typed line. `Break` ends the loop; so does an error, which the loop returns.
    fn show(&mut self, latest: &Latest<'_>, news: Vec<News>, now: Instant) -> io::Result<ControlFlow<()>>;

    /// Draws again, because time has passed or somebody typed. Called before each wait.
    fn draw(&mut self, now: Instant) -> io::Result<()> {
        let _ = now;
        Ok(())
    }

    /// The time until the next drawing that is needed even if no event arrives; `None` if none is needed.
    fn refresh(&self) -> Option<Duration> {
        None
    }
}
