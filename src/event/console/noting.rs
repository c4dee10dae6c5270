//! The thread that writes the acts of the desk into the event's journal, one after the other, so that who gives orders does not wait for
//! the disk.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError, Weak};
use std::thread::JoinHandle;

use super::acts::Act;
use super::shared::Shared;

/// An act with its date (RFC 3339, and in ms since 1970).
type DatedAct = (Act, (String, u64));

/// The way to the thread that notes acts.
#[derive(Debug)]
pub(super) struct ActQueue(Mutex<Option<(Sender<DatedAct>, JoinHandle<()>)>>);

impl ActQueue {
    /// Starts the thread; `whole` is what it writes with, once that is there.
    pub(super) fn start(whole: std::sync::Arc<OnceLock<Weak<Shared>>>) -> std::io::Result<Self> {
        let (send, inbox) = channel::<DatedAct>();
        let thread = std::thread::Builder::new().name("acts".to_owned()).spawn(move || {
            while let Ok((act, date)) = inbox.recv() {
                let Some(shared) = whole.get().and_then(Weak::upgrade) else { return };
                shared.write_act(&act, &date);
            }
        })?;
        Ok(Self(Mutex::new(Some((send, thread)))))
    }

    /// Leaves an act to the thread; returns it if the thread has ended.
    pub(super) fn send(&self, act: Act, date: (String, u64)) -> Option<DatedAct> {
        let queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match queue.as_ref() {
            Some((send, _)) => send.send((act, date)).err().map(|unsent| unsent.0),
            None => Some((act, date)),
        }
    }

    /// Waits until all acts are written, and ends the thread.
    pub(super) fn close(&self) {
        let queue = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((send, thread)) = queue {
            drop(send);
            let _ = thread.join();
        }
    }
}
