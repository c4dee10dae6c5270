//! Finding the consoles of an event in the local network, and being found: DNS-SD over multicast DNS. What is found is not trusted;
//! keys decide.
//!
//! Source: `docs/hall.md`, §2; RFC 6762, RFC 6763.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mdns_sd::{ServiceDaemon, ServiceEvent, ServiceInfo};

/// The service.
const SERVICE: &str = "_tabiya._tcp.local.";
/// How long a table without an address listens.
pub const LISTEN: Duration = Duration::from_secs(3);
/// The most consoles that are listed.
const MOST: usize = 64;

/// A console that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundConsole {
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The event's name.
    pub name: String,
    /// Its addresses with the port.
    pub addresses: Vec<String>,
}

/// The consoles that were found so far.
pub struct NearbyConsoles {
    daemon: ServiceDaemon,
    event: Option<String>,
    consoles: Arc<Mutex<BTreeMap<String, FoundConsole>>>,
}

impl fmt::Debug for NearbyConsoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NearbyConsoles").field("event", &self.event).finish_non_exhaustive()
    }
}

impl NearbyConsoles {
    /// The consoles of the event that is looked for, or of all events.
    pub fn consoles(&self) -> Vec<FoundConsole> {
        let consoles = self.consoles.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted =
            |console: &&FoundConsole| self.event.as_ref().is_none_or(|event| console.event == *event);
        consoles.values().filter(wanted).cloned().collect()
    }

    /// Their addresses.
    pub fn addresses(&self) -> Vec<String> {
        self.consoles().into_iter().flat_map(|console| console.addresses).collect()
    }
}

impl Drop for NearbyConsoles {
    fn drop(&mut self) {
        let _ = self.daemon.shutdown();
    }
}

/// Looks for the consoles of this event from now on. `None` if the network cannot be asked.
pub fn watch(event: &str) -> Option<NearbyConsoles> {
    look(Some(event.to_owned()))
}

/// Looks for the consoles of all events from now on. `None` if the network cannot be asked.
pub fn watch_all() -> Option<NearbyConsoles> {
    look(None)
}

fn look(event: Option<String>) -> Option<NearbyConsoles> {
    let daemon = ServiceDaemon::new().ok()?;
    let events = daemon.browse(SERVICE).ok()?;
    let consoles: Arc<Mutex<BTreeMap<String, FoundConsole>>> = Arc::default();
    let noted = Arc::clone(&consoles);
    // The daemon's own thread fills the queue; this one ends with the daemon.
    std::thread::Builder::new()
        .name("discover".to_owned())
        .spawn(move || {
            while let Ok(event) = events.recv() {
                let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
                match event {
                    ServiceEvent::ServiceResolved(service)
                        if noted.len() < MOST || noted.contains_key(service.get_fullname()) =>
                    {
                        let text = |name: &str| {
                            service
                                .get_property_val_str(name)
                                .unwrap_or_default()
                                .chars()
                                .take(60)
                                .collect::<String>()
                        };
                        let port = service.get_port();
                        let addresses =
                            service.get_addresses().iter().map(|address| at(&address.to_ip_addr(), port));
                        let console = FoundConsole {
                            event: text("e"),
                            name: text("n"),
                            addresses: addresses.collect(),
                        };
                        noted.insert(service.get_fullname().to_owned(), console);
                    }
                    ServiceEvent::ServiceRemoved(_, name) => drop(noted.remove(&name)),
                    _ => {}
                }
            }
        })
        .ok()?;
    Some(NearbyConsoles { daemon, event, consoles })
}

fn at(address: &IpAddr, port: u16) -> String {
    match address {
        IpAddr::V4(address) => format!("{address}:{port}"),
        IpAddr::V6(address) => format!("[{address}]:{port}"),
    }
}

/// A console that can be found. It ends when this is dropped.
pub struct Announced(ServiceDaemon);

impl fmt::Debug for Announced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Announced")
    }
}

/// Lets this console be found. The error is a sentence.
pub fn announce(console: &str, (event, name): (&str, &str), port: u16) -> Result<Announced, String> {
    let plain = |error: mdns_sd::Error| error.to_string();
    let daemon = ServiceDaemon::new().map_err(plain)?;
    let host = format!("tabiya-{event}.local.");
    let properties = [("txtvers", "1"), ("e", event), ("n", name)];
    let info = ServiceInfo::new(SERVICE, console, &host, "", port, &properties[..]).map_err(plain)?;
    daemon.register(info.enable_addr_auto()).map_err(plain)?;
    Ok(Announced(daemon))
}

impl Drop for Announced {
    fn drop(&mut self) {
        let _ = self.0.shutdown();
    }
}
