//! In place of the readers where the program was built without the feature `pcsc`: tells that there are none.
//!
//! Readers behind a board and typing need nothing of it.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::event::{CardError, CardEvent, ReaderName, WriteError};
use super::ndef::Record;
use super::tag::Uid;
use crate::clock::Instant;
use crate::devices::Timeline;

/// Where events go, each with the moment at which the system told. It may wait.
pub type Sink = Box<dyn FnMut(Instant, CardEvent) + Send>;

/// No reader.
#[derive(Debug)]
pub struct Handle {
    /// Where readers are, it is a thread that tells: whoever listens may begin only after [`spawn`] has returned.
    _teller: JoinHandle<()>,
}

impl Handle {
    /// There is no reader to write with.
    pub fn write(&self, _reader: &ReaderName, _uid: Uid, _record: Record) -> Result<(), WriteError> {
        Err(WriteError::NoReader)
    }
}

/// Tells that there are no readers, and nothing after it.
pub fn spawn(timeline: Arc<dyn Timeline>, mut sink: Sink) -> Handle {
    let teller = thread::spawn(move || sink(timeline.now(), CardEvent::Trouble(CardError::NotBuilt)));
    Handle { _teller: teller }
}
