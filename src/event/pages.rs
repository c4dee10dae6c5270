//! Pages in plain HTML for browsers, over TLS at a port of their own: what the arbiters' telephones at a console (`console/page`) and the
//! players' keypads at a table (`keypads`) share.
//!
//! They read without a script; with one they stay as things are. Their certificate is one that browsers understand, and people
//! compare its six words.
//!
//! Source: `docs/hall.md`, §6 (pages for browsers), §9 (bounds).

pub(crate) mod answer;
mod certificate;
#[cfg(test)]
pub(crate) mod client;
pub(crate) mod forms;
pub(crate) mod port;
pub(crate) mod request;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use tabiya_store::keys::{Keyring, PageKey};
use tokio::net::TcpListener;

use self::certificate::{PageIdentity, words_of};
use crate::tls;

pub use self::certificate::PageCertFault;

/// How pages are served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageSettings {
    /// Where they listen.
    pub bind: SocketAddr,
    /// The organiser's own certificate with its key (PEM); without it the computer makes one.
    pub certificate: Option<PathBuf>,
}

/// Why pages cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum PageFault {
    /// The port cannot be opened.
    #[error("{0}: this port cannot be opened ({1}); end the other program that uses it, or choose another")]
    Port(SocketAddr, std::io::Error),
    /// There is no certificate.
    #[error(transparent)]
    Cert(#[from] PageCertFault),
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The system provides no thread, or no address.
    #[error("the system does not serve pages: {0}")]
    System(std::io::Error),
}

/// Where pages are served, and by what people know them.
#[derive(Debug)]
pub struct PagePlace {
    /// Where they listen.
    pub listens: SocketAddr,
    /// The addresses that people type.
    pub addresses: Vec<String>,
    /// The six words of their certificate.
    pub words: Vec<&'static str>,
    /// The hash of the certificate, as a browser shows it (SHA-256, hexadecimal).
    pub fingerprint: String,
    certificate: CertificateDer<'static>,
    /// This computer's own addresses, at which pages may be asked for.
    own: Vec<IpAddr>,
}

/// The open port of pages.
pub(crate) struct PageDoor {
    listener: TcpListener,
    config: Arc<ServerConfig>,
}

/// Opens a port for pages, with its certificate. `unix_ms` is the present date.
pub(crate) fn open(
    settings: &PageSettings,
    (keys, of): (&Keyring, PageKey),
    runtime: &tokio::runtime::Runtime,
    unix_ms: u64,
) -> Result<(PagePlace, PageDoor), PageFault> {
    let listener = runtime
        .block_on(TcpListener::bind(settings.bind))
        .map_err(|error| PageFault::Port(settings.bind, error))?;
    let listens = listener.local_addr().map_err(PageFault::System)?;
    let own = own_addresses(listens.ip());
    let identity = identity(settings.certificate.as_deref(), (keys, of), &own, unix_ms)?;
    let missing = || PageFault::Tls("there is no certificate".to_owned());
    let certificate = identity.certificate().cloned().ok_or_else(missing)?;
    let (words, fingerprint) = words_of(&certificate);
    let config =
        tls::of_page(identity.chain, identity.key).map_err(|error| PageFault::Tls(error.to_string()))?;
    let addresses = own
        .iter()
        .filter(|address| !address.is_loopback() || own.len() == 1)
        .map(|address| format!("https://{}", SocketAddr::new(*address, listens.port())))
        .collect();
    let place = PagePlace { listens, addresses, words, fingerprint, certificate, own };
    Ok((place, PageDoor { listener, config: Arc::new(config) }))
}

fn identity(
    file: Option<&Path>,
    keys: (&Keyring, PageKey),
    own: &[IpAddr],
    unix_ms: u64,
) -> Result<PageIdentity, PageCertFault> {
    file.map_or_else(|| PageIdentity::kept(keys, own, unix_ms), PageIdentity::from_file)
}

/// The addresses of this computer at which pages that listen here are reached.
fn own_addresses(listens: IpAddr) -> Vec<IpAddr> {
    if !listens.is_unspecified() {
        return vec![listens];
    }
    let found = if_addrs::get_if_addrs().unwrap_or_default().into_iter().map(|address| address.ip());
    found.filter(|address| address.is_ipv4() || address.is_loopback()).collect()
}

impl PagePlace {
    /// Whether a host of a request is the pages' own.
    fn is_named(&self, host: &str) -> bool {
        let address: Option<IpAddr> = host.parse().ok();
        address.is_some_and(|address| self.own.contains(&address))
            || tls::is_for_host(&self.certificate, host)
    }

    /// The hash of the certificate as browsers write it: pairs of capital digits with colons.
    pub(crate) fn fingerprint_shown(&self) -> String {
        let digits = self.fingerprint.to_uppercase();
        let pairs = digits.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).into_owned());
        pairs.collect::<Vec<String>>().join(":")
    }
}
