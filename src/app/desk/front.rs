//! Front ends: a front end shows the match and takes people's inputs. It is a window, a terminal, or a test without a
//! screen.
//!
//! A front end draws [`Snapshot`]s and returns [`Wish`]es; it uses no session and no device directly. The loop
//! (`run.rs`) calls the front end on the loop's own thread, so that inputs are handled in the order of their times.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tabiya_types::{Instant, Sentence};

use super::wish::Wish;
use crate::session::Announcement;
use crate::snapshot::Snapshot;

/// News since the last snapshot, for front ends that print lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// An announcement about the match.
    Said(Announcement),
    /// The answer to a typed line, one or more lines.
    Answer(Vec<Sentence>),
    /// An input was refused; the text says why.
    Refused(Announcement),
    /// Something outside the match failed, such as printing or an export.
    Failed(Sentence),
    /// A typed line was accepted; the text is the next prompt.
    Next(Sentence),
    /// Somebody asked to see the complete state of the match. The value is the match's own time of that request.
    Show(Instant),
}

/// The current state of the desk, for a front end to show.
pub struct Latest<'a> {
    /// Whether the program should end.
    pub closing: bool,
    pub(super) make: &'a dyn Fn() -> Snapshot,
}

impl Latest<'_> {
    /// Makes a snapshot of everything that a screen shows. A front end that only prints news need not call this
    /// function.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new((self.make)())
    }
}

impl fmt::Debug for Latest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latest").field("closing", &self.closing).finish_non_exhaustive()
    }
}

/// Shows a match, and turns people's inputs into wishes.
pub trait Front {
    /// The inputs that this front end receives, such as wishes, typed lines or keys.
    type Input: Send + 'static;

    /// Turns an input into a wish; `None` if the input requests nothing from the desk.
    fn understand(&mut self, input: Self::Input, at: Instant) -> Option<Wish>;

    /// Shows the current state and the news. The loop calls this function once at the beginning, after each change,
    /// and after each typed line. `Break` ends the loop. An error also ends the loop, and the loop returns the error.
    fn show(&mut self, latest: &Latest<'_>, news: Vec<News>, now: Instant) -> io::Result<ControlFlow<()>>;

    /// Draws again, because time has passed or somebody typed. The loop calls this function before it waits for an
    /// event.
    fn draw(&mut self, now: Instant) -> io::Result<()> {
        let _ = now;
        Ok(())
    }

    /// The time after which the front end must draw again even if no event arrives; `None` if it need not draw again.
    fn refresh(&self) -> Option<Duration> {
        None
    }
}
