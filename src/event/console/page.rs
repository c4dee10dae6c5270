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
mod certificate;
mod port;
mod request;
mod sessions;
mod shown;
mod views;
mod visit;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use tokio::net::TcpListener;

use self::certificate::{PageIdentity, words_of};
use super::acts::Act;
use super::folder::{FolderFault, OpenEvent};
use super::serve::{ServeFault, Shared};
use crate::boot::chance;
use crate::tls;

pub use self::certificate::PageCertFault;
pub(super) use self::port::serve;
pub(crate) use self::sessions::{ALL_TABLES, CODE_TIME};
pub use self::sessions::{NoSession, PhoneQuestion, PhoneRights, PhoneSession, Phones, SignIn};

/// The port of the pages for browsers.
pub const PAGE_PORT: u16 = 44_065;

/// How the telephones' page runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageSettings {
    /// Where it listens.
    pub bind: SocketAddr,
    /// The organiser's own certificate with its key (PEM); without it the computer makes one.
    pub certificate: Option<PathBuf>,
}

/// The telephones' page of a running console.
#[derive(Debug)]
pub struct PhonePage {
    /// Where it listens.
    pub listens: SocketAddr,
    /// The addresses that people type.
    pub addresses: Vec<String>,
    /// The six words of its certificate.
    pub words: Vec<&'static str>,
    /// The hash of the certificate, as a browser shows it (SHA-256, hexadecimal).
    pub fingerprint: String,
    certificate: CertificateDer<'static>,
    /// This computer's own addresses, at which the page may be asked for.
    own: Vec<IpAddr>,
    phones: Mutex<Phones>,
}

/// The page's open port.
pub(super) struct PageDoor {
    listener: TcpListener,
    config: Arc<ServerConfig>,
}

/// Opens the port of the page, with its certificate. `unix_ms` is the present date.
pub(super) fn open(
    settings: &PageSettings,
    event: &OpenEvent,
    runtime: &tokio::runtime::Runtime,
    unix_ms: u64,
) -> Result<(PhonePage, PageDoor), ServeFault> {
    let listener = runtime
        .block_on(TcpListener::bind(settings.bind))
        .map_err(|error| ServeFault::PagePort(settings.bind, error))?;
    let listens = listener.local_addr().map_err(ServeFault::System)?;
    let own = own_addresses(listens.ip());
    let identity = match &settings.certificate {
        Some(file) => PageIdentity::from_file(file)?,
        None => PageIdentity::kept(event.keys(), &own, unix_ms)?,
    };
    let missing = || ServeFault::Tls("there is no certificate".to_owned());
    let certificate = identity.certificate().cloned().ok_or_else(missing)?;
    let (words, fingerprint) = words_of(&certificate);
    let config =
        tls::of_page(identity.chain, identity.key).map_err(|error| ServeFault::Tls(error.to_string()))?;
    let addresses = own
        .iter()
        .filter(|address| !address.is_loopback() || own.len() == 1)
        .map(|address| format!("https://{}", SocketAddr::new(*address, listens.port())))
        .collect();
    let page =
        PhonePage { listens, addresses, words, fingerprint, certificate, own, phones: Mutex::default() };
    Ok((page, PageDoor { listener, config: Arc::new(config) }))
}

/// The addresses of this computer at which a page that listens here is reached.
fn own_addresses(listens: IpAddr) -> Vec<IpAddr> {
    if !listens.is_unspecified() {
        return vec![listens];
    }
    let found = if_addrs::get_if_addrs().unwrap_or_default().into_iter().map(|address| address.ip());
    found.filter(|address| address.is_ipv4() || address.is_loopback()).collect()
}

impl PhonePage {
    fn phones(&self) -> MutexGuard<'_, Phones> {
        self.phones.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a host of a request is the page's own.
    fn is_named(&self, host: &str) -> bool {
        let address: Option<IpAddr> = host.parse().ok();
        address.is_some_and(|address| self.own.contains(&address))
            || tls::is_for_host(&self.certificate, host)
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
        self.shared.note_act(&act)?;
        Ok(Some(page.phones().give(name, rights, u64::from_be_bytes(chance), self.shared.now())))
    }

    /// The chief, `by`, ends the sessions of this arbiter, and takes back his code. Returns how many there were.
    pub fn end(&self, name: &str, by: &str) -> Result<usize, FolderFault> {
        let ended = self.page().map_or(0, |page| page.phones().end(name, self.shared.now()));
        if ended > 0 {
            let act = Act::new("phone", by).with("arbiter", name).with("rights", serde_json::Value::Null);
            self.shared.note_act(&act)?;
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
