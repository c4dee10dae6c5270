//! In place of the readers where the program was built without the feature `pcsc`: tells that there are none.
//!
//! Readers behind a board and typing need nothing of it.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tabiya_types::Timeline;

use super::event::{CardError, CardEvent, CardSink, Options, ReaderName, WriteError};
use super::ndef::{CardId, Record};
use super::tag::Uid;

pub use self::NoReaders as CardReaders;

/// No reader.
#[derive(Debug)]
pub struct NoReaders {
    /// Where readers are, it is a thread that tells: whoever listens may begin only after [`spawn`] has returned.
    _teller: JoinHandle<()>,
}

impl NoReaders {
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
pub fn spawn(timeline: Arc<dyn Timeline>, sink: CardSink) -> NoReaders {
    spawn_with(timeline, sink, Options::default())
}

/// The same: without readers nothing else can be wanted.
pub fn spawn_with(timeline: Arc<dyn Timeline>, mut sink: CardSink, _options: Options) -> NoReaders {
    let teller = thread::spawn(move || sink(timeline.now(), CardEvent::Trouble(CardError::NotBuilt)));
    NoReaders { _teller: teller }
}
