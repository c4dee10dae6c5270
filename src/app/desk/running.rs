//! A desk at work on a thread of its own, behind a front that only passes on: wishes in, the newest snapshot out. The
//! window draws from it; tests ask it without a screen.
//!
//! Whoever looks never waits for the desk. If the desk breaks down, `alive` tells.

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

/// A desk at work on its own thread.
#[derive(Debug)]
pub struct Running {
    inbox: Inbox<Wish>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    timeline: RealTime,
    alive: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Hands a wish in. Never waits.
    pub fn wish(&self, wish: Wish) {
        // That the desk has ended is told by `alive`.
        self.inbox.send(self.timeline.now(), wish);
    }

    /// The newest snapshot. Never waits.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshots.borrow().clone()
    }

    /// The program's own time.
    pub fn now(&self) -> Instant {
        self.timeline.now()
    }

    /// Whether the desk still works.
    pub fn alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }

    /// Lets everything go, safely written, and waits for that. To be called once, at the end.
    pub fn end(&mut self) {
        self.inbox.close();
        if let Some(thread) = self.thread.take() {
            // One that broke down has told so on its way.
            drop(thread.join());
        }
    }
}

/// Starts a desk. `changed` is called after each new snapshot, from the desk's thread.
pub fn start(desk: Desk, changed: impl Fn() + Send + 'static) -> io::Result<Running> {
    let table = Loop::new()?;
    let (inbox, timeline) = (table.inbox(), table.timeline());
    let alive = Arc::new(AtomicBool::new(true));
    let (publish, snapshots) = watch::channel(Arc::new(desk.snapshot(timeline.now())));
    let front = Publisher { publish, changed: Box::new(changed), alive: alive.clone() };
    let work = move || {
        // A publisher never fails.
        drop(table.run(desk, front));
    };
    let thread = std::thread::Builder::new().name("desk".to_owned()).spawn(work)?;
    Ok(Running { inbox, snapshots, timeline, alive, thread: Some(thread) })
}

/// The front on the desk's own thread: hands the snapshots over to whoever draws them.
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
        // A window that is asked to close does so by itself, and then says so.
        Ok(ControlFlow::Continue(()))
    }
}

/// However the loop ends, whoever looks is told.
impl Drop for Publisher {
    fn drop(&mut self) {
        self.alive.store(false, Ordering::Release);
        (self.changed)();
    }
}
