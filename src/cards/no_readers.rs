//! The stub for builds without the feature `pcsc`: it only reports that PC/SC readers are not supported.
//!
//! Readers behind a board and typed cards work without the feature.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tabiya_types::Timeline;

use super::event::{CardError, CardEvent, CardSink, Options, ReaderName, WriteError};
use super::ndef::{CardId, Record};
use super::tag::Uid;

pub use self::NoReaders as CardReaders;

/// The handle to the card readers in a build without support for them. Every command to it fails.
#[derive(Debug)]
pub struct NoReaders {
    /// The thread that calls the sink. As with real readers, the sink may block until the caller of [`spawn`] receives
    /// events, and the caller can receive events only after `spawn` has returned. So `spawn` must not call the sink
    /// itself, and starts this thread.
    _reporter: JoinHandle<()>,
}

impl NoReaders {
    /// Always returns [`WriteError::NoReader`].
    pub fn write(&self, _reader: &ReaderName, _uid: Uid, _record: Record) -> Result<(), WriteError> {
        Err(WriteError::NoReader)
    }

    /// Always returns [`WriteError::NoReader`]: no card can be locked.
    pub fn lock(&self, _reader: &ReaderName, _uid: Uid, _id: CardId) -> Result<(), WriteError> {
        Err(WriteError::NoReader)
    }
}

/// Reports [`CardError::NotBuilt`] once, and nothing after it.
pub fn spawn(timeline: Arc<dyn Timeline>, sink: CardSink) -> NoReaders {
    spawn_with(timeline, sink, Options::default())
}

/// Reports [`CardError::NotBuilt`] once; the options have no effect.
pub fn spawn_with(timeline: Arc<dyn Timeline>, mut sink: CardSink, _options: Options) -> NoReaders {
    let reporter = thread::spawn(move || sink(timeline.now(), CardEvent::Problem(CardError::NotBuilt)));
    NoReaders { _reporter: reporter }
}
