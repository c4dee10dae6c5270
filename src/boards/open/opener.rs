//! The trait of what opens ports, one attempt per call.

use std::sync::atomic::AtomicBool;

use crate::link::{Link, LinkError};

/// Opens ports, one attempt per call.
pub(crate) trait Opener: Send {
    /// Opens a port for the board `unit` behind it. Returns the port's name and the link. Returns early with an
    /// arbitrary error when `stop` is set.
    fn open(&mut self, unit: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError>;
    /// Whether the current search has more ports to try.
    fn others_left(&self) -> bool {
        false
    }
    /// Reports that the port opened last has the board.
    fn found(&mut self, _port: &str) {}
}

/// One port, which a function opens.
pub(crate) struct NamedPort<F> {
    pub(crate) name: String,
    pub(crate) open: F,
}

impl<F: FnMut(Option<&str>) -> Result<Box<dyn Link>, LinkError> + Send> Opener for NamedPort<F> {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        Ok((self.name.clone(), (self.open)(unit)?))
    }
}
