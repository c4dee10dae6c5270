//! Runs a desk on its own thread. The desk receives wishes and provides its newest snapshot; the window draws the
//! snapshots, and tests read them without a screen.
//!
//! Reading a snapshot never waits for the desk. `alive` reports whether the desk's thread still runs; after a panic it
//! returns false.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use tabiya_types::{Instant, Timeline};
use tokio::sync::watch;

use super::front::{Front, Latest, News};
use super::run::{Inbox, Loop};
use super::{Desk, Wish};
use crate::snapshot::Snapshot;
use crate::time::RealTime;

/// A desk that runs on its own thread.
#[derive(Debug)]
pub struct Running {
    inbox: Inbox<Wish>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    timeline: RealTime,
    alive: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Sends a wish to the desk. Never blocks.
    pub fn wish(&self, wish: Wish) {
        // Sending fails only after the desk has ended, which `alive` reports.
        self.inbox.send(self.timeline.now(), wish);
    }

    /// The newest snapshot. Never blocks.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshots.borrow().clone()
    }

    /// The program's own time, which begins when the desk is started.
    pub fn now(&self) -> Instant {
        self.timeline.now()
    }

    /// Whether the desk still runs.
    pub fn alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }

    /// Ends the desk, and waits until everything is safely written. Must be called once, at the end.
    pub fn end(&mut self) {
        self.inbox.close();
        if let Some(thread) = self.thread.take() {
            // The result is not needed: `alive` already reports a panic of the thread.
            drop(thread.join());
        }
    }
}

/// What is done to a desk and its loop before they run, such as joining an event. What it returns is kept until the desk has ended.
/// The error is a sentence for people.
pub type Preparation = Box<dyn FnOnce(&mut Loop<Wish>, &mut Desk) -> Result<Box<dyn Send>, String> + Send>;

/// Starts a desk on a new thread. The desk's thread calls `changed` after each new snapshot. `Err` if the system
/// cannot start a thread.
pub fn start(
    mut desk: Desk,
    prepare: Option<Preparation>,
    changed: impl Fn() + Send + 'static,
) -> io::Result<Running> {
    let mut table = Loop::new()?;
    let kept = prepare.map(|prepare| prepare(&mut table, &mut desk)).transpose().map_err(io::Error::other)?;
    let (inbox, timeline) = (table.inbox(), table.timeline());
    let alive = Arc::new(AtomicBool::new(true));
    let (publish, snapshots) = watch::channel(Arc::new(desk.snapshot(timeline.now())));
    let front = Publisher { publish, changed: Box::new(changed), alive: alive.clone() };
    let work = move || {
        // The result is not needed: a `Publisher` never fails, and nobody uses the final state of the match.
        drop(table.run(desk, front));
        drop(kept);
    };
    let thread = std::thread::Builder::new().name("desk".to_owned()).spawn(work)?;
    Ok(Running { inbox, snapshots, timeline, alive, thread: Some(thread) })
}

/// The front end on the desk's thread: publishes each snapshot for the window or the test that reads it.
struct Publisher {
    publish: watch::Sender<Arc<Snapshot>>,
    changed: Box<dyn Fn() + Send>,
    alive: Arc<AtomicBool>,
}

impl Front for Publisher {
    type Input = Wish;

    fn understand(&mut self, wish: Wish, _: Instant) -> Option<Wish> {
        Some(wish)
    }

    fn show(&mut self, latest: &Latest<'_>, _: Vec<News>, _: Instant) -> io::Result<ControlFlow<()>> {
        self.publish.send_replace(latest.snapshot());
        (self.changed)();
        // A window that sees `closing` in the snapshot closes itself, and then closes the inbox.
        Ok(ControlFlow::Continue(()))
    }
}

/// When the loop ends, even by a panic, `alive` becomes false and `changed` is called.
impl Drop for Publisher {
    fn drop(&mut self) {
        self.alive.store(false, Ordering::Release);
        (self.changed)();
    }
}
