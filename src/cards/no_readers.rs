//! In place of the readers where the program was built without the feature `pcsc`: tells that there are none.
//!
//! Readers behind a board and typing need nothing of it.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tabiya_types::Timeline;

use super::event::{CardError, CardEvent, Options, ReaderName, Sink, WriteError};
use super::ndef::{CardId, Record};
use super::tag::Uid;

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

    /// There is no reader to lock with.
    pub fn lock(&self, _reader: &ReaderName, _uid: Uid, _id: CardId) -> Result<(), WriteError> {
        Err(WriteError::NoReader)
    }
}

/// Tells that there are no readers, and nothing after it.
pub fn spawn(timeline: Arc<dyn Timeline>, sink: Sink) -> Handle {
    spawn_with(timeline, sink, Options::default())
}

/// The same: without readers nothing else can be wanted.
pub fn spawn_with(timeline: Arc<dyn Timeline>, mut sink: Sink, _options: Options) -> Handle {
    let teller = thread::spawn(move || sink(timeline.now(), CardEvent::Trouble(CardError::NotBuilt)));
    Handle { _teller: teller }
}
