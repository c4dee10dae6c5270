//! The lists of other consoles: whoever restores the authority or joins as a console asks for them first, and a console that sees one
//! which its own authority has signed, and not it, does not keep the authority any more.
//!
//! Source: `docs/hall.md`, §1.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::Method;
use rustls::pki_types::CertificateDer;
use serde_json::Value;
use tabiya_store::keys::Keyring;
use tokio::time::{interval, sleep, timeout};

use super::folder::{EventDates, EventFolder, FolderFault};
use super::shared::Shared;
use crate::boot::chance;
use crate::certs::{CertificatePurpose, console_name, signed};
use crate::dial::{ask_within, connect};
use crate::discover::{LISTEN, NearbyConsoles};
use crate::table::ConsoleSeat;
use crate::tls::{self, Identity};

/// The path of the lists.
const LISTS: &str = "/v1/lists";
/// The longest answer, in bytes: the keys of 9,999 tables, and former ones.
const LONGEST: usize = 4 << 20;
/// How often other consoles are asked.
const OFTEN: Duration = Duration::from_secs(10);
/// How long one console may take.
const PATIENCE: Duration = Duration::from_secs(8);
/// The most consoles that are asked.
const MOST: usize = 16;

/// The two lists of another console, as it has them. Who has signed them has to be asked.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct OtherLists {
    /// The list of consoles.
    pub(super) staff: Value,
    /// The list of tables.
    pub(super) roster: Value,
}

/// Asks the console at this address. `None` if nobody answers, if it is this console itself, and if it does not know this one.
async fn lists_of(
    address: &str,
    (event, authority): (&str, &CertificateDer<'static>),
    own: &Identity,
) -> Option<OtherLists> {
    let asked = async {
        let config = tls::to_console(authority, own).ok()?;
        let (stream, key) = connect(address, Arc::new(config), &console_name(event)).await.ok()?;
        if key? == own.key.public() {
            return None;
        }
        let (status, mut body) =
            ask_within(address, stream, (Method::GET, LISTS, None), LONGEST).await.ok()?;
        let mut list = |name: &str| body.get_mut(name).map(Value::take);
        (status == 200).then_some(OtherLists { staff: list("staff")?, roster: list("roster")? })
    };
    timeout(PATIENCE, asked).await.ok()?
}

/// Asks the consoles that are found, as long as the console runs.
pub(super) async fn watch(shared: Arc<Shared>, found: Option<NearbyConsoles>) {
    let mut beats = interval(OFTEN);
    loop {
        beats.tick().await;
        let addresses = found.as_ref().map(NearbyConsoles::addresses).unwrap_or_default();
        let others = addresses.into_iter().filter(|address| !shared.addresses.contains(address));
        for address in others.take(MOST) {
            ask(&shared, &address).await;
        }
    }
}

/// Asks the console at this address, and takes what counts of its lists.
pub(super) async fn ask(shared: &Arc<Shared>, address: &str) {
    let of = &shared.of;
    let Some(lists) = lists_of(address, (&of.event, &of.authority), &of.own).await else { return };
    let shared = Arc::clone(shared);
    // What counts is written into the event's folder.
    let _ = tokio::task::spawn_blocking(move || shared.hear_lists(&lists)).await;
}

/// Whether the authority was restored at this computer, which is not yet the console of this folder.
pub fn is_restored(folder: &EventFolder, keys: &Keyring) -> Result<bool, FolderFault> {
    let (event, _) = folder.about()?;
    Ok(keys.find_authority(&event)?.is_some() && !folder.is_console(&keys.table_key()?.public())?)
}

/// Makes the folder of a computer that has joined as a console: with the newest lists of the console that has admitted it.
pub fn join_event(
    folder: &EventFolder,
    seat: &ConsoleSeat,
    with: (&Keyring, &EventDates<'_>),
) -> Result<(), FolderFault> {
    let failed = |error| FolderFault::Io(tabiya_types::shown(folder.path()), error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let lists = runtime.block_on(lists_of(&seat.address, (&seat.event, &seat.authority), &seat.own));
    let lists = lists.ok_or_else(|| FolderFault::NoLists(seat.address.clone()))?;
    folder.make_of_console(seat, &lists, with)
}

/// Before the restored authority signs anything: asks the consoles at these addresses, and those that are found in the next moments,
/// for their lists, and keeps what counts more in the folder. Returns how many have answered.
pub fn ask_first(
    folder: &EventFolder,
    keys: &Keyring,
    (addresses, found): (&[String], Option<&NearbyConsoles>),
) -> Result<usize, FolderFault> {
    let (event, _) = folder.about()?;
    let Some(authority) = keys.find_authority(&event)? else { return Ok(0) };
    let own = keys.table_key()?;
    let serial = chance().map_err(|_| FolderFault::NoChance)?;
    let purpose = (&own.public(), CertificatePurpose::Console, "console");
    let certificate = signed(&authority, purpose, &event, serial)?;
    let own = Identity { key: Arc::new(own), certificate };
    let (of, path) = (folder.authority()?, folder.path());
    let failed = |error| FolderFault::Io(tabiya_types::shown(Path::new(path)), error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let mut addresses = addresses.to_vec();
    if let Some(found) = found {
        // Made inside the runtime, whose clock it needs.
        runtime.block_on(async { sleep(LISTEN).await });
        addresses.extend(found.addresses());
    }
    let mut answered = 0;
    for address in addresses.into_iter().take(MOST) {
        if let Some(lists) = runtime.block_on(lists_of(&address, (&event, &of), &own)) {
            folder.take_lists(&lists)?;
            answered += 1;
        }
    }
    Ok(answered)
}
