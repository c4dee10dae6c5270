//! The trait of values that open ports. Each call makes one attempt.

use std::sync::atomic::AtomicBool;

use crate::link::{Link, LinkError};

/// Opens ports. Each call makes one attempt.
pub(crate) trait Opener: Send {
    /// Opens a port. If several boards share the port, `unit` is the number of the wanted board. Returns the port's
    /// name and the link. Returns early with an error when `stop` is set; this error has no meaning.
    fn open(&mut self, unit: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError>;
    /// Whether the current search has ports left that it has not tried yet.
    fn others_left(&self) -> bool {
        false
    }
    /// Says whether the next attempts may try other ports than the one that was named.
    fn search(&mut self, _everywhere: bool) {}
    /// Reports that the board was found on this port, which was opened last.
    fn found(&mut self, _port: &str) {}
}

/// A single port with a known name. `open` opens it.
pub(crate) struct NamedPort<F> {
    pub(crate) name: String,
    pub(crate) open: F,
}

impl<F: FnMut(Option<&str>) -> Result<Box<dyn Link>, LinkError> + Send> Opener for NamedPort<F> {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        Ok((self.name.clone(), (self.open)(unit)?))
    }
}
