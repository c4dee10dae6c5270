//! `tabiya play --keypads`: players use telephones as their own keys.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tabiya_app::desk::{Desk, Loop};
use tabiya_app::keypads::KeypadReport;
use tabiya_event::keypads::{KEYPAD_PORT, KeypadLink, ServedKeypads, serve};
use tabiya_event::pages::PageSettings;
use tabiya_store::keys::Keyring;
use tabiya_types::Timeline as _;
use tokio::sync::watch;

use super::PlayArguments;
use crate::cli::output::{ExitFailure, print_line};
use crate::cli::qr::qr;

/// They are served as long as this lives.
pub(super) type Served = ServedKeypads;

/// Serves the keypads' pages for this table, if the arguments ask for it.
pub(super) fn open<I: Send + 'static>(
    arguments: &PlayArguments,
    table: &mut Loop<I>,
    desk: &mut Desk,
) -> Result<Option<Served>, ExitFailure> {
    if !arguments.keypads {
        return Ok(None);
    }
    let (tell, report) = watch::channel(Arc::new(KeypadReport::default()));
    table.tell_keypads(tell);
    let (inbox, timeline) = (table.inbox(), table.timeline());
    let now = timeline.now();
    let send = Box::new(move |at, act, reply| inbox.keypad(at, act, reply));
    let link = KeypadLink { report, timeline: Box::new(timeline), send };
    let port = arguments.keypad_port.unwrap_or(KEYPAD_PORT);
    let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), port);
    let settings = PageSettings { bind, certificate: None };
    let (_, unix_ms) = crate::cli::event::today();
    let served = serve(&settings, &Keyring::usual(), link, unix_ms)
        .map_err(|fault| ExitFailure::unusable(format!("--keypads, --keypad-port: {fault}")))?;
    desk.open_keypads(served.door().clone(), now).map_err(ExitFailure::unusable)?;
    Ok(Some(served))
}

/// Shows a telephone's camera where the pages are.
pub(super) fn tell(served: &Served) -> Result<(), ExitFailure> {
    for address in served.door().addresses.iter().take(1) {
        print_line(qr(address).trim_end_matches('\n'))?;
    }
    print_line(&format!("fingerprint (SHA-256): {}", served.fingerprint()))
}
