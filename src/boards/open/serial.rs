//! Opens serial ports: a port with a known name, or the candidates of a search in turn.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::line::line;
use super::opener::{NamedPort, Opener};
use crate::link::{Link, LinkError, SerialLink};
use crate::maker::Maker;
use crate::ports::{Likely, discover};
use crate::transports::SerialSettings;

/// Returns the opener for a named port.
pub(super) fn named(maker: Maker, port: String) -> Box<dyn Opener> {
    let name = port.clone();
    let open = move |unit: Option<&str>| serial(maker, unit, &port);
    Box::new(NamedPort { name, open })
}

/// Returns the opener that tries all ports that may have a board of this maker.
pub(super) fn search(maker: Maker) -> Box<dyn Opener> {
    Box::new(Search { maker, left: Vec::new(), last: None })
}

/// Returns the opener that tries this port, and later, if it may search, also the ports of other tables and all that may have a
/// board of this maker.
pub(super) fn roaming(maker: Maker, home: &str) -> Box<dyn Opener> {
    homes().push(home.to_owned());
    let search = Search { maker, left: Vec::new(), last: Some(home.to_owned()) };
    Box::new(Roaming { search, home: home.to_owned(), everywhere: false })
}

/// The ports that people have named for boards that may roam, in this program: each may now have the board of another.
static HOMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn homes() -> MutexGuard<'static, Vec<String>> {
    // The list may be used even if a thread panicked while it held the lock: it is always whole.
    HOMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a serial port with this maker's settings.
fn serial(maker: Maker, unit: Option<&str>, port: &str) -> Result<Box<dyn Link>, LinkError> {
    let settings = maker.transports().serial.unwrap_or(SerialSettings::PLAIN_9600);
    // A port may have several names, such as symbolic links. The real path is the same for all of them.
    let name =
        std::fs::canonicalize(port).map_or_else(|_| port.to_owned(), |path| path.display().to_string());
    line(maker, unit, &name, || Ok(Box::new(SerialLink::open(port, settings)?)))
}

/// Tries all ports that may have the board, in turn.
struct Search {
    maker: Maker,
    /// The ports that this round of the search has not yet tried, in reverse order.
    left: Vec<String>,
    /// The port on which the board was last found. Each round tries it first.
    last: Option<String>,
}

impl Opener for Search {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        let none = self.maker.not_found();
        if self.maker.transports().serial.is_none() {
            return Err(none);
        }
        if self.left.is_empty() {
            let found = discover().into_iter().filter(|port| port.likely != Likely::Other);
            self.left = in_turn(found.map(|port| port.port).collect(), self.last.as_deref());
        }
        let mut error = none;
        while let Some(port) = self.left.pop() {
            match serial(self.maker, unit, &port) {
                Ok(link) => return Ok((port, link)),
                // If one of the ports fails with an error that people can fix, return this error. It is more useful
                // than "nothing was found".
                Err(
                    refusal @ (LinkError::NoPermission { .. }
                    | LinkError::Busy { .. }
                    | LinkError::Taken { .. }),
                ) => error = refusal,
                Err(_) => {}
            }
        }
        Err(error)
    }

    fn others_left(&self) -> bool {
        !self.left.is_empty()
    }

    fn found(&mut self, port: &str) {
        if self.last.as_deref() != Some(port) {
            self.last = Some(port.to_owned());
        }
        self.left.clear();
    }
}

/// A board that is expected on one port, and may be plugged in again on another one.
struct Roaming {
    search: Search,
    home: String,
    everywhere: bool,
}

impl Opener for Roaming {
    fn open(&mut self, unit: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        if !self.everywhere {
            return Ok((self.home.clone(), serial(self.search.maker, unit, &self.home)?));
        }
        if self.search.left.is_empty() {
            let mut ports = homes().clone();
            let found = discover().into_iter().filter(|port| port.likely != Likely::Other);
            ports.extend(found.map(|port| port.port));
            ports.sort_unstable();
            ports.dedup();
            self.search.left = in_turn(ports, self.search.last.as_deref());
        }
        // Other tables use the other ports, so those are no news.
        let none = self.search.maker.not_found();
        self.search.open(unit, stop).map_err(|_| none)
    }

    fn others_left(&self) -> bool {
        self.search.others_left()
    }

    fn search(&mut self, everywhere: bool) {
        self.everywhere = everywhere;
    }

    fn found(&mut self, port: &str) {
        self.search.found(port);
    }
}

impl Drop for Roaming {
    fn drop(&mut self) {
        let mut homes = homes();
        if let Some(at) = homes.iter().position(|home| *home == self.home) {
            homes.swap_remove(at);
        }
    }
}

/// Returns the ports as a stack: the port to try first is on top, at the end of the list. This is the port `last`.
/// Below it is the likeliest of the other ports.
fn in_turn(mut ports: Vec<String>, last: Option<&str>) -> Vec<String> {
    ports.reverse();
    ports.sort_by_key(|port| Some(port.as_str()) == last);
    ports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_where_the_board_was_is_tried_first() {
        let ports = || vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        assert_eq!(in_turn(ports(), None), ["c", "b", "a"]);
        assert_eq!(in_turn(ports(), Some("b")), ["c", "a", "b"]);
    }
}
