//! What opens a port: one attempt a call, however often.

use std::sync::atomic::AtomicBool;

use crate::link::{Link, LinkError};

/// Opens ports, one attempt a call.
pub(crate) trait Opener: Send {
    /// A port's name and the port, for this one of several boards behind it. Returns early, with whatever error, when
    /// `stop` is set.
    fn open(&mut self, unit: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError>;
    /// Whether the next call tries another port than a first one would.
    fn others_left(&self) -> bool {
        false
    }
    /// The port that was opened last is the board.
    fn found(&mut self, _port: &str) {}
}

/// One port that people have named, or that a function opens.
pub(crate) struct NamedPort<F> {
    pub(crate) name: String,
    pub(crate) open: F,
}

impl<F: FnMut(Option<&str>) -> Result<Box<dyn Link>, LinkError> + Send> Opener for NamedPort<F> {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        Ok((self.name.clone(), (self.open)(unit)?))
    }
}
