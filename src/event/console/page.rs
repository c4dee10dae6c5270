//! The arbiters' telephones: pages in plain HTML from the console, over TLS at a port of its own. They show the queue, the tables and
//! one table, and give orders with the same questions as the desk.
//!
//! They read without a script; with one they stay as the hall is. Off unless the organiser turns them on: a telephone is
//! believed because it has a code from the chief, and who controls the network and is not noticed by the six words can act as that
//! arbiter.
//!
//! Source: `docs/hall.md`, §6 (last paragraph), §9 (bounds), §11; look: `docs/event.md`, "Telephones".

mod answer;
mod board;
mod sessions;
mod shown;
mod views;
mod visit;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabiya_store::keys::PageKey;

use super::acts::Act;
use super::folder::{FolderFault, OpenEvent};
use super::shared::Shared;
use crate::boot::chance;
use crate::pages::answer::PageAnswer;
use crate::pages::port::{self, PageSite};
use crate::pages::request::PageAsk;
use crate::pages::{self, PageDoor};

pub(crate) use self::sessions::{ALL_TABLES, CODE_TIME};
pub use self::sessions::{NoSession, PhoneQuestion, PhoneRights, PhoneSession, Phones, SignIn};
pub use crate::pages::{PageFault, PagePlace, PageSettings};

/// The port of the pages for browsers.
pub const PAGE_PORT: u16 = 44_065;

/// The cookie of a session.
const COOKIE: &str = "__Host-tabiya";

/// The telephones' page of a running console.
#[derive(Debug)]
pub struct PhonePage {
    /// Where it is.
    pub place: PagePlace,
    phones: Mutex<Phones>,
}

/// Opens the port of the page, with its certificate. `unix_ms` is the present date.
pub(super) fn open(
    settings: &PageSettings,
    event: &OpenEvent,
    runtime: &tokio::runtime::Runtime,
    unix_ms: u64,
) -> Result<(PhonePage, PageDoor), PageFault> {
    let (place, door) = pages::open(settings, (event.keys(), PageKey::Phones), runtime, unix_ms)?;
    Ok((PhonePage { place, phones: Mutex::default() }, door))
}

/// Serves the telephones until the runtime ends; without a page it only waits.
pub(super) async fn serve(shared: Arc<Shared>, door: Option<PageDoor>) {
    port::serve(shared, door).await;
}

impl PageSite for Shared {
    fn place(&self) -> Option<&PagePlace> {
        self.page().map(|page| &page.place)
    }

    fn cookie(&self) -> &'static str {
        COOKIE
    }

    fn answer(&self, ask: &PageAsk) -> PageAnswer {
        answer::answer(self, ask)
    }
}

impl PhonePage {
    fn phones(&self) -> MutexGuard<'_, Phones> {
        self.phones.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the chief does about telephones, wherever he types it.
#[derive(Clone, Debug)]
pub struct PhoneDesk {
    shared: Arc<Shared>,
}

impl PhoneDesk {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// The telephones' page, if telephones are on.
    pub fn page(&self) -> Option<&PhonePage> {
        self.shared.page()
    }

    /// The chief, `by`, gives a code to this arbiter. `None` without a page, or if the system has no chance to give.
    pub fn give_code(
        &self,
        name: &str,
        rights: PhoneRights,
        by: &str,
    ) -> Result<Option<String>, FolderFault> {
        let (Some(page), Ok(chance)) = (self.page(), chance()) else { return Ok(None) };
        let act = Act::new("phone", by).with("arbiter", name).with("rights", rights.to_string());
        self.shared.note_first(&act)?;
        Ok(Some(page.phones().give(name, rights, u64::from_be_bytes(chance), self.shared.now())))
    }

    /// The chief, `by`, ends the sessions of this arbiter, and takes back his code. Returns how many there were.
    pub fn end(&self, name: &str, by: &str) -> Result<usize, FolderFault> {
        let ended = self.page().map_or(0, |page| page.phones().end(name, self.shared.now()));
        if ended > 0 {
            let act = Act::new("phone", by).with("arbiter", name).with("rights", serde_json::Value::Null);
            self.shared.note_first(&act)?;
        }
        Ok(ended)
    }

    /// The arbiters whose telephones are signed in, with what they may do.
    pub fn signed_in(&self) -> Vec<(String, PhoneRights)> {
        let now = self.shared.now();
        self.page().map(|page| page.phones().signed_in(now)).unwrap_or_default()
    }
}

impl Shared {
    /// The telephones' page, if there is one.
    pub(super) fn page(&self) -> Option<&PhonePage> {
        self.page.as_ref()
    }
}

#[cfg(test)]
mod tests;
