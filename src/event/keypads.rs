//! The players' keypads: pages of a table, over TLS at a port of its own, by which a telephone is the keys of one player or the clock of
//! both. A keypad is a local input of the table like its keyboard, at an event and without one, and never a console's order.
//!
//! Nothing is decided here: what is sent goes to the table's own thread (`tabiya_app::keypads`), and what it shows comes from there. No page
//! has a card or a board.
//!
//! Source: `docs/keypads.md`; `docs/hall.md`, §6 (pages for browsers).

mod sessions;
mod shown;
mod views;
mod visit;

use std::fmt;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tabiya_app::desk::KeypadReply;
use tabiya_app::keypads::{KeypadAct, KeypadAnswer, KeypadDoor, KeypadReport};
use tabiya_store::keys::{Keyring, PageKey};
use tabiya_types::{Instant, Timeline};
use tokio::sync::{oneshot, watch};

use self::sessions::PadSessions;
use crate::pages::answer::PageAnswer;
use crate::pages::port::{self, PageSite};
use crate::pages::request::PageAsk;
use crate::pages::{self, PageFault, PagePlace, PageSettings};

/// The port of the keypads' pages.
pub const KEYPAD_PORT: u16 = 44_066;
/// The cookie of a keypad. Cookies know no ports, so it is another one than that of a console's telephones.
const COOKIE: &str = "__Host-tabiya-keypad";
/// How long an answer of the table is awaited.
const PATIENCE: Duration = Duration::from_secs(4);

/// Sends what a telephone does into the table's loop, with the moment at which it came. Returns whether the loop still runs.
pub type SendKeypad = dyn Fn(Instant, KeypadAct, KeypadReply) -> bool + Send + Sync;

/// The way to the table.
pub struct KeypadLink {
    /// What the table shows.
    pub report: watch::Receiver<Arc<KeypadReport>>,
    /// The program's own time.
    pub timeline: Box<dyn Timeline>,
    /// The table's inbox.
    pub send: Box<SendKeypad>,
}

impl fmt::Debug for KeypadLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeypadLink").finish_non_exhaustive()
    }
}

impl KeypadLink {
    fn report(&self) -> Arc<KeypadReport> {
        self.report.borrow().clone()
    }

    /// Lets the table do this, and waits for its answer; `None` if there is none, or not in time.
    fn act(&self, act: KeypadAct) -> Option<KeypadAnswer> {
        let (told, answer) = channel();
        let reply = KeypadReply(Box::new(move |answer| {
            // Who has waited too long is told nothing any more.
            let _ = told.send(answer);
        }));
        if !(self.send)(self.timeline.now(), act, reply) {
            return None;
        }
        answer.recv_timeout(PATIENCE).ok()
    }
}

/// What answers the telephones.
#[derive(Debug)]
struct KeypadSite {
    place: PagePlace,
    link: KeypadLink,
    sessions: Mutex<PadSessions>,
}

impl KeypadSite {
    fn sessions(&self) -> MutexGuard<'_, PadSessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageSite for KeypadSite {
    fn place(&self) -> Option<&PagePlace> {
        Some(&self.place)
    }

    fn cookie(&self) -> &'static str {
        COOKIE
    }

    fn answer(&self, ask: &PageAsk) -> PageAnswer {
        visit::answer(self, ask)
    }

    fn await_change(&self, known: u64) -> impl Future<Output = ()> + Send {
        let mut report = self.link.report.clone();
        async move {
            // A table that has ended shows nothing new.
            if report.wait_for(|report| report.version != known).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// The pages of a table's keypads, which are served as long as this lives.
#[derive(Debug)]
pub struct ServedKeypads {
    door: KeypadDoor,
    fingerprint: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ServedKeypads {
    /// Where telephones reach the table.
    pub fn door(&self) -> &KeypadDoor {
        &self.door
    }

    /// The hash of the certificate, as a browser shows it.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

impl Drop for ServedKeypads {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic there is told by its own message.
            let _ = thread.join();
        }
    }
}

/// Serves the keypads' pages, on a thread of its own. `unix_ms` is the present date.
pub fn serve(
    settings: &PageSettings,
    keys: &Keyring,
    link: KeypadLink,
    unix_ms: u64,
) -> Result<ServedKeypads, PageFault> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(PageFault::System)?;
    let (place, page_door) = pages::open(settings, (keys, PageKey::Keypads), &runtime, unix_ms)?;
    let words = place.words.iter().map(|word| (*word).to_owned()).collect();
    let door = KeypadDoor { addresses: place.addresses.clone(), words };
    let fingerprint = place.fingerprint_shown();
    let site = Arc::new(KeypadSite { place, link, sessions: Mutex::default() });
    let (stop, stopped) = oneshot::channel();
    let thread = std::thread::Builder::new()
        .name("keypads".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = port::serve(site, Some(page_door)) => {}
                    // The sender is dropped at the end.
                    _ = stopped => {}
                }
            });
            runtime.shutdown_timeout(Duration::from_millis(100));
        })
        .map_err(PageFault::System)?;
    Ok(ServedKeypads { door, fingerprint, stop: Some(stop), thread: Some(thread) })
}

#[cfg(test)]
mod tests;
