//! The links of a table: which consoles it dials, when it dials again, and how it comes to a seat.
//!
//! Source: `docs/hall.md`, §2 and §3.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tabiya_store::signing::TableKey;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::hub::TableHub;
use super::link::TableLink;
use super::seat::TableSeat;
use crate::boot::chance;
use crate::certs::console_name;
use crate::dial::{connect, open_link};
use crate::discover::{self, NearbyConsoles};
use crate::socket::{EndCode, LinkEnd};
use crate::tls;

/// The most consoles that a table dials.
const MOST_LINKS: usize = 4;
/// The shortest and the longest pause before a console is dialled again.
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(2);
/// A link that was open for so long was a good one: the pause begins anew.
const GOOD: Duration = Duration::from_secs(2);
/// The pause after an end for which people have to do something.
const REFUSED: Duration = Duration::from_secs(30);
/// The pause while another program speaks as this table.
const TWICE: Duration = Duration::from_secs(5);
/// How often an address is dialled in vain before others have their turn.
const TRIES: u32 = 3;
/// How often the addresses are looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How long a table that comes back waits for a console that refuses it.
const FIRST_ANSWER: Duration = Duration::from_secs(1);
/// How long the end of the program waits until everything is told.
const PATIENCE: Duration = Duration::from_secs(2);

/// A table whose consoles are told.
#[derive(Debug)]
pub struct TableInEvent {
    hub: Arc<TableHub>,
    thread: Option<JoinHandle<()>>,
}

impl TableInEvent {
    /// What the links of the table share.
    pub fn hub(&self) -> &Arc<TableHub> {
        &self.hub
    }
}

/// Waits a moment until the consoles have everything, then ends the links.
impl Drop for TableInEvent {
    fn drop(&mut self) {
        self.hub.close();
        if let Some(thread) = self.thread.take() {
            // A panic there is told by its own message.
            let _ = thread.join();
        }
    }
}

/// Tells the consoles of this table from now on, on a thread of its own. `named` are addresses that people have given.
pub fn sit_down(hub: Arc<TableHub>, named: Vec<String>) -> std::io::Result<TableInEvent> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let serving = Arc::clone(&hub);
    let thread = std::thread::Builder::new().name("event".to_owned()).spawn(move || {
        let (event, _) = serving.event_and_table();
        runtime.block_on(serve(serving, named, discover::watch(&event)));
    })?;
    Ok(TableInEvent { hub, thread: Some(thread) })
}

/// Dials the table's consoles until the table's program ends: those that people have named, those that were kept, and those that are
/// found in the network, if it is asked.
pub async fn serve(hub: Arc<TableHub>, named: Vec<String>, found: Option<NearbyConsoles>) {
    let mut links = JoinSet::new();
    let mut dialled: BTreeSet<String> = BTreeSet::new();
    let mut rested: BTreeMap<String, AddressRest> = BTreeMap::new();
    let mut closing: Option<Instant> = None;
    let mut durable = hub.durable();
    loop {
        if hub.is_closing() {
            let until = *closing.get_or_insert_with(|| Instant::now() + PATIENCE);
            if links.is_empty() || Instant::now() >= until {
                return;
            }
        } else {
            let kept = hub.with_seat(|seat| seat.consoles.clone());
            let near = found.as_ref().map(NearbyConsoles::addresses).unwrap_or_default();
            let all =
                named.iter().cloned().chain(near).chain(kept).map(|address| crate::dial::with_port(&address));
            let mut free: Vec<String> = all.filter(|address| !dialled.contains(address)).collect();
            // Who was not dialled yet comes first, then who was dialled longest ago: dead addresses keep no place.
            free.sort_by_key(|address| rested.get(address).map(|rest| rest.until));
            for address in free {
                let rests = rested.get(&address).is_some_and(|rest| rest.lasts(&hub));
                if !rests && dialled.len() < MOST_LINKS && dialled.insert(address.clone()) {
                    links.spawn(keep_dialling(Arc::clone(&hub), address));
                }
            }
        }
        tokio::select! {
            Some(ended) = links.join_next() => {
                if let Ok((address, rest)) = ended {
                    dialled.remove(&address);
                    rested.insert(address, rest);
                }
            }
            _ = durable.changed(), if closing.is_none() && hub.is_closing() => {}
            () = sleep(if closing.is_some() { SHORTEST } else { LOOK }) => {}
        }
    }
}

/// How long an address is left alone.
#[derive(Clone, Debug)]
pub(super) struct AddressRest {
    until: Instant,
    /// The key of a console that is told at another address: this one is left alone as long as that link lasts.
    told: Option<String>,
}

impl AddressRest {
    fn of(rest: Duration) -> Self {
        Self { until: Instant::now() + rest, told: None }
    }

    /// As long as the console with this key is told at another address.
    pub(super) fn while_told(key: String) -> Self {
        Self { told: Some(key), ..Self::of(Duration::ZERO) }
    }

    pub(super) fn lasts(&self, hub: &TableHub) -> bool {
        match &self.told {
            Some(key) => hub.has_link(key),
            None => self.until > Instant::now(),
        }
    }
}

/// Dials one address again and again. Returns it, with how long it is to be left alone, once the program ends, and if nobody has
/// answered there several times, so that others have their turn.
async fn keep_dialling(hub: Arc<TableHub>, address: String) -> (String, AddressRest) {
    let mut pause = SHORTEST;
    let mut failed = 0;
    loop {
        let (end, open) = match dial(&hub, &address).await {
            Dialled::Ended(end, open) => (end, open),
            Dialled::ToldElsewhere(key) => {
                return (address, AddressRest::while_told(key));
            }
        };
        if hub.is_closing() {
            return (address, AddressRest::of(REFUSED));
        }
        failed = if open.is_zero() { failed + 1 } else { 0 };
        if failed >= TRIES && end.code.is_none() {
            return (address, AddressRest::of(LONGEST));
        }
        hub.troubled(&end.to_string());
        let wait = match end.code {
            Some(EndCode::Twice) => TWICE,
            Some(EndCode::Replaced) => {
                pause = SHORTEST;
                pause
            }
            Some(
                EndCode::Frame
                | EndCode::Binary
                | EndCode::Utf8
                | EndCode::Policy
                | EndCode::Long
                | EndCode::Wrong
                | EndCode::Stranger,
            ) => REFUSED,
            None | Some(EndCode::Away | EndCode::Silent) => {
                if open >= GOOD {
                    pause = SHORTEST;
                }
                let wait = jittered(pause);
                pause = (pause * 2).min(LONGEST);
                wait
            }
        };
        let mut durable = hub.durable();
        let closing = async { while !hub.is_closing() && durable.changed().await.is_ok() {} };
        // The pause ends early if the program does.
        let _ = timeout(wait, closing).await;
        if hub.is_closing() {
            return (address, AddressRest::of(REFUSED));
        }
    }
}

/// A random part of a pause, from its half to the whole.
fn jittered(pause: Duration) -> Duration {
    let part = chance::<1>().map_or(255, |[part]| part);
    pause / 2 + pause / 2 * u32::from(part) / 255
}

/// Whether a console at one of these addresses refuses this seat: the event's lists do not have its key any more. All are asked at once,
/// and the first that answers counts. A match waits for this, so who has not answered within a second is not waited for: the links
/// tell later.
pub async fn is_revoked(seat: &TableSeat, key: &Arc<TableKey>, addresses: &[String]) -> bool {
    let addresses: BTreeSet<String> =
        addresses.iter().map(|address| crate::dial::with_port(address)).collect();
    let mut asked: FuturesUnordered<_> =
        addresses.iter().map(|address| refuses(seat, key, address)).collect();
    let first = async {
        while let Some(answer) = asked.next().await {
            if let Some(refused) = answer {
                return refused;
            }
        }
        false
    };
    timeout(FIRST_ANSWER, first).await.unwrap_or(false)
}

/// Whether the console at this address refuses this seat; `None` if none of the event's consoles answers there.
async fn refuses(seat: &TableSeat, key: &Arc<TableKey>, address: &str) -> Option<bool> {
    let config = tls::to_console(&seat.authority, &seat.identity(Arc::clone(key))).ok()?;
    let (stream, proved) = connect(address, Arc::new(config), &console_name(&seat.event)).await.ok()?;
    // Only a console of the newest list is asked, and believed.
    seat.staff.console(&proved?.to_string())?;
    let asked = (hyper::Method::GET, "/v1/table", None);
    let (status, _) = crate::dial::ask(address, stream, asked).await.ok()?;
    Some(status == 403)
}

/// What has come of dialling an address once.
enum Dialled {
    /// A link has ended so after so long, or was not opened.
    Ended(LinkEnd, Duration),
    /// The console there, with this key, is told at another address of its.
    ToldElsewhere(String),
}

impl From<LinkEnd> for Dialled {
    fn from(end: LinkEnd) -> Self {
        Self::Ended(end, Duration::ZERO)
    }
}

/// Dials once, and talks until the link ends.
async fn dial(hub: &Arc<TableHub>, address: &str) -> Dialled {
    let opened = async {
        let (event, authority, own) = hub.with_seat(|seat| {
            (seat.event.clone(), seat.authority.clone(), seat.identity(Arc::clone(&hub.key)))
        });
        let name = console_name(&event);
        let config = tls::to_console(&authority, &own).map_err(|error| LinkEnd::cut(error.to_string()))?;
        let (stream, key) = connect(address, Arc::new(config), &name)
            .await
            .map_err(|fault| LinkEnd::cut(fault.to_string()))?;
        let key = key.map(|key| key.to_string()).unwrap_or_default();
        // Before the first byte of a request: the newest list says who is a console.
        if hub.with_seat(|seat| seat.staff.console(&key).is_none()) {
            let why = format!("{address}: this console is not in the event's list");
            return Err(LinkEnd::new(EndCode::Stranger, why).into());
        }
        let claim = hub.claim(key.clone()).ok_or(Dialled::ToldElsewhere(key))?;
        let socket = open_link(address, stream, &name).await.map_err(|fault| match fault {
            crate::dial::DialFault::Refused { status: 401 | 403, .. } => {
                LinkEnd::new(EndCode::Stranger, fault.to_string())
            }
            fault @ crate::dial::DialFault::Version { .. } => LinkEnd::new(EndCode::Wrong, fault.to_string()),
            fault => LinkEnd::cut(fault.to_string()),
        })?;
        hub.reached(address);
        Ok((socket, claim))
    };
    match opened.await {
        Ok((socket, claim)) => {
            let (end, open) = TableLink::run(Arc::clone(hub), socket, claim).await;
            Dialled::Ended(end, open)
        }
        Err(dialled) => dialled,
    }
}
