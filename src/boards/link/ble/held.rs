//! What the program keeps about the system's Bluetooth: the adapter in use, boards that were connected before, and the
//! boards in use.

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

/// The stream of a board's notifications.
pub(super) type Notifications = Pin<Box<dyn Stream<Item = ValueNotification> + Send>>;

/// A board that was connected before. The program keeps its handle and its notification stream for two reasons: a new
/// stream for each connection would exhaust the message bus, and a stream receives only from characteristics that its
/// own handle has discovered.
#[derive(Clone)]
pub(super) struct HeldBoard {
    pub(super) peripheral: Peripheral,
    pub(super) notifications: Arc<Mutex<Notifications>>,
}

/// The adapter in use and its events. Dropping this value ends the event stream.
pub(super) struct ActiveAdapter {
    pub(super) adapter: Adapter,
    /// The sending end of the channel of events. The reference is weak, so that the channel closes when the connection
    /// to the message bus has ended.
    pub(super) events: broadcast::WeakSender<CentralEvent>,
    /// The task that forwards the system's events. It ends when the connection to the message bus ends.
    pub(super) listening: JoinHandle<()>,
}

impl ActiveAdapter {
    /// Subscribes to the adapter's events from now on. `Err` if the message bus has ended.
    pub(super) fn events(&self) -> Result<broadcast::Receiver<CentralEvent>, BleFault> {
        self.events.upgrade().map(|events| events.subscribe()).ok_or(BleFault::Lost)
    }
}

impl Drop for ActiveAdapter {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// The boards that links of this program use. No two links may use the same board.
pub(super) type ClaimedBoards = Arc<Lock<HashSet<PeripheralId>>>;

/// A link's claim to a board. Dropping the claim frees the board.
pub(super) struct BoardClaim {
    boards: ClaimedBoards,
    id: PeripheralId,
}

impl BoardClaim {
    /// Claims the board; `None` if another link has it.
    pub(super) fn take(boards: &ClaimedBoards, id: PeripheralId) -> Option<Self> {
        let fresh = boards.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        fresh.then(|| Self { boards: Arc::clone(boards), id })
    }
}

impl Drop for BoardClaim {
    fn drop(&mut self) {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// Runs `step` with a timeout. The timeout does not stop the step inside the system's Bluetooth service, which may
/// complete the step later.
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
