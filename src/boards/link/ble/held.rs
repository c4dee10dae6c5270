//! What is held of the system's Bluetooth: the adapter that is on, boards that were once connected, who has which.

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::time::Duration;

use btleplug::api::{CentralEvent, ValueNotification};
use btleplug::platform::{Adapter, Peripheral, PeripheralId};
use futures_util::Stream;
use tokio::sync::{Mutex, broadcast};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::fault::{BleFault, classify};

/// What a board notifies.
pub(super) type Notifications = Pin<Box<dyn Stream<Item = ValueNotification> + Send>>;

/// A board that was once connected. Its handle and its stream are kept: a new stream for each connection would use up
/// the message bus, and a stream hears only what its own handle has discovered.
#[derive(Clone)]
pub(super) struct HeldBoard {
    pub(super) peripheral: Peripheral,
    pub(super) notifications: Arc<Mutex<Notifications>>,
}

/// The adapter in use and what it tells, for as long as somebody holds it.
pub(super) struct On {
    pub(super) adapter: Adapter,
    /// Weak, so that whoever listens is told when the message bus has ended.
    pub(super) events: broadcast::WeakSender<CentralEvent>,
    /// Passes the system's events on; it ends when the message bus does.
    pub(super) listening: JoinHandle<()>,
}

impl On {
    /// What the adapter tells from now on.
    pub(super) fn events(&self) -> Result<broadcast::Receiver<CentralEvent>, BleFault> {
        self.events.upgrade().map(|events| events.subscribe()).ok_or(BleFault::Lost)
    }
}

impl Drop for On {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// The boards that lines of this program have, so that no two lines want the same.
pub(super) type TakenBoards = Arc<Lock<HashSet<PeripheralId>>>;

/// A board that is one line's, until this is dropped.
pub(super) struct Taken {
    boards: TakenBoards,
    id: PeripheralId,
}

impl Taken {
    /// Takes the board, if no line has it.
    pub(super) fn take(boards: &TakenBoards, id: PeripheralId) -> Option<Self> {
        let fresh = boards.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        fresh.then(|| Self { boards: Arc::clone(boards), id })
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// Something with a limit of its own: dropping it does not undo it in the system's service.
pub(super) async fn limited<T>(
    limit: Duration,
    step: impl Future<Output = btleplug::Result<T>>,
) -> Result<T, BleFault> {
    match timeout(limit, step).await {
        Err(_) => Err(BleFault::NoAnswer),
        Ok(Err(error)) => Err(classify(&error)),
        Ok(Ok(done)) => Ok(done),
    }
}
