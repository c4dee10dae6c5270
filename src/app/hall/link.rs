//! The hand-over between the thread of a console's desk and the thread of its window: views go one way, wishes the other, and
//! neither waits for the other.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{HallView, HallWish};

/// The end of the window: it reads the newest view and leaves wishes.
#[derive(Debug)]
pub struct HallLink {
    shown: Arc<Mutex<Arc<HallView>>>,
    wishes: Sender<HallWish>,
}

/// The end of the desk.
pub struct HallEnd {
    shown: Arc<Mutex<Arc<HallView>>>,
    wishes: Receiver<HallWish>,
    changed: Box<dyn Fn() + Send>,
}

impl std::fmt::Debug for HallEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HallEnd").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// What the desk hears while it waits.
#[derive(Clone, PartialEq, Debug)]
pub enum HallHeard {
    /// Somebody wants something.
    Wish(HallWish),
    /// Nothing came in time.
    Nothing,
    /// The window is closed.
    Closed,
}

/// A link. `changed` is called after each new view.
pub fn link(changed: impl Fn() + Send + 'static) -> (HallLink, HallEnd) {
    let shown = Arc::new(Mutex::new(Arc::new(HallView::default())));
    let (wishes, inbox) = channel();
    let end = HallEnd { shown: Arc::clone(&shown), wishes: inbox, changed: Box::new(changed) };
    (HallLink { shown, wishes }, end)
}

impl HallLink {
    /// The newest view.
    pub fn view(&self) -> Arc<HallView> {
        Arc::clone(&self.shown.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Leaves a wish. `Err` if the desk has ended.
    pub fn wish(&self, wish: HallWish) -> Result<(), SendError<HallWish>> {
        self.wishes.send(wish)
    }
}

impl HallEnd {
    /// Shows a view.
    pub fn show(&self, view: HallView) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(view);
        (self.changed)();
    }

    /// Waits for a wish, at most so long.
    pub fn hear(&self, wait: Duration) -> HallHeard {
        match self.wishes.recv_timeout(wait) {
            Ok(wish) => HallHeard::Wish(wish),
            Err(RecvTimeoutError::Timeout) => HallHeard::Nothing,
            Err(RecvTimeoutError::Disconnected) => HallHeard::Closed,
        }
    }
}
