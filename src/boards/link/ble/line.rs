//! One connected board: its queue of writes, its notifications, and the detection of a lost link.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::time::Duration;

use btleplug::api::{
    CentralEvent, CentralState, CharPropFlags, Characteristic, Peripheral as _, ValueNotification, WriteType,
};
use btleplug::platform::Peripheral;
use futures_util::{Stream, StreamExt as _};
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::fault::BleFault;
use super::held::{ActiveAdapter, BoardClaim, HeldBoard, limited};
use super::timings::Timings;

/// The pause before a failed write is sent again, if the write failed because the previous write was still running.
const BUSY: Duration = Duration::from_millis(50);
/// How many times a failed write is sent again, if the write failed because the previous write was still running.
const BUSY_TRIES: u32 = 5;
/// How long to wait, after the link was lost, for notifications that the board sent before the loss.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// The capacity of the queue of received notifications. It is enough for several minutes of the board that sends the
/// most. If the queue is full, the link ends, and its owner has to reconnect.
const LONGEST_WAIT: usize = 4096;
/// The number of bytes per write if the link's MTU is unknown.
const SMALLEST: usize = 20;

/// The owner's ends of the channels to a connected board. Dropping them disconnects the board.
pub(super) struct Ends {
    pub(super) heard: Receiver<LineEvent>,
    pub(super) writes: mpsc::UnboundedSender<Write>,
    /// Closes when the board has been disconnected.
    pub(super) over: Receiver<()>,
}

/// What the task of a connected board reports.
pub(super) enum LineEvent {
    /// A notification.
    Value(Vec<u8>),
    /// The link is lost.
    Lost(BleFault),
}

/// One write, and the channel for its result.
pub(super) struct Write {
    pub(super) bytes: Vec<u8>,
    pub(super) done: SyncSender<Result<(), BleFault>>,
}

/// A connected board.
pub(super) struct BleConnection {
    /// The Bluetooth adapter whose events this connection receives. This reference must be kept: without any reference
    /// to the adapter, the stream of its events ends.
    pub(super) on: Arc<ActiveAdapter>,
    /// The claim that keeps other links from using this board.
    pub(super) taken: BoardClaim,
    pub(super) known: HeldBoard,
    pub(super) notify: Vec<Characteristic>,
    pub(super) write: Characteristic,
    /// Whether a write that is too long for the link may be split into several.
    pub(super) cuts: bool,
    pub(super) events: broadcast::Receiver<CentralEvent>,
    pub(super) timings: Timings,
}

impl BleConnection {
    /// Starts the tasks on the current runtime. They run until the link is lost or the returned ends are dropped.
    pub(super) fn start(self) -> Ends {
        let (say, heard) = sync_channel(LONGEST_WAIT);
        let (writes, queue) = mpsc::unbounded_channel();
        let pen = Writer {
            cuts: self.cuts,
            peripheral: self.known.peripheral.clone(),
            characteristic: self.write.clone(),
            timings: self.timings,
        };
        let ended = pen.start(queue);
        let (hold, over) = channel();
        tokio::spawn(async move {
            self.listen(say, ended).await;
            drop(hold);
        });
        Ends { heard, writes, over }
    }

    /// Forwards the board's notifications to the owner, until the link is lost or a message arrives at `over`. The
    /// message is the fault if a write failed. The message is `None` if the owner has dropped its ends of the channels.
    async fn listen(
        mut self,
        say: SyncSender<LineEvent>,
        mut over: mpsc::UnboundedReceiver<Option<BleFault>>,
    ) {
        let notifications = self.known.notifications.clone();
        let mut notifications = notifications.lock().await;
        let id = self.known.peripheral.id();
        let mut ask_at = Instant::now() + self.timings.alive;
        let fault = loop {
            tokio::select! {
                value = notifications.next() => match value {
                    Some(value) if self.speaks(value.uuid) => {
                        ask_at = Instant::now() + self.timings.alive;
                        match say.try_send(LineEvent::Value(value.value)) {
                            Ok(()) => {}
                            Err(TrySendError::Full(_)) => break Some(BleFault::Passing),
                            Err(TrySendError::Disconnected(_)) => break None,
                        }
                    }
                    Some(_) => {}
                    None => break Some(BleFault::Lost),
                },
                event = self.events.recv() => match event {
                    // The event may be a late report about an earlier link, so this asks whether the board is still
                    // connected.
                    Ok(CentralEvent::DeviceDisconnected(gone)) if gone == id => {
                        if let Err(fault) = self.is_there().await {
                            break Some(fault);
                        }
                    }
                    Ok(CentralEvent::StateUpdate(CentralState::PoweredOff)) => break Some(BleFault::Off),
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                    // The connection to the message bus has ended.
                    Err(broadcast::error::RecvError::Closed) => break Some(BleFault::Lost),
                },
                ended = over.recv() => break ended.flatten(),
                // If the Bluetooth service dies, neither the stream nor the events report it. So this asks for the
                // state of a board that has been silent for a while.
                () = sleep_until(ask_at) => {
                    ask_at = Instant::now() + self.timings.alive;
                    if let Err(fault) = self.is_there().await {
                        break Some(fault);
                    }
                }
            }
        };
        if let Some(fault) = fault {
            self.take_last_words(&mut *notifications, &say).await;
            // An error is ignored: if the queue is full, the reader notices the loss when the queue ends.
            let _ = say.try_send(LineEvent::Lost(fault));
        }
        // If the fault is `Lost` or `Off`, the board is already disconnected. In every other case the system would stay
        // connected to the board, so this disconnects it.
        if !matches!(fault, Some(BleFault::Lost | BleFault::Off)) {
            let _ = limited(self.timings.leave, self.known.peripheral.disconnect()).await;
        }
        // From here on, another link may use this board.
        drop((self.taken, self.on));
    }
}

impl BleConnection {
    /// Forwards what the board sent before the link was lost: notifications and events arrive in two separate streams, so these
    /// notifications may arrive after the event about the loss.
    async fn take_last_words(
        &self,
        notifications: &mut (impl Stream<Item = ValueNotification> + Unpin),
        say: &SyncSender<LineEvent>,
    ) {
        let until = Instant::now() + LAST_WORDS;
        while let Ok(Some(value)) = timeout_at(until, notifications.next()).await {
            if self.speaks(value.uuid) && say.try_send(LineEvent::Value(value.value)).is_err() {
                break;
            }
        }
    }

    /// Whether the board's bytes come from this characteristic.
    fn speaks(&self, characteristic: uuid::Uuid) -> bool {
        self.notify.iter().any(|one| one.uuid == characteristic)
    }

    /// Asks the system whether the board is still connected.
    async fn is_there(&self) -> Result<(), BleFault> {
        match limited(self.timings.ask, self.known.peripheral.is_connected()).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(BleFault::Lost),
            Err(fault) => Err(fault),
        }
    }
}

/// Sends writes one after another, because the system accepts only one write at a time.
struct Writer {
    /// Whether a write that is too long for the link may be split into several.
    cuts: bool,
    peripheral: Peripheral,
    characteristic: Characteristic,
    timings: Timings,
}

impl Writer {
    /// Starts a task that writes until the queue closes or a write fails. At its end, the task sends `None` if the
    /// queue closed, otherwise the fault.
    fn start(self, mut queue: mpsc::UnboundedReceiver<Write>) -> mpsc::UnboundedReceiver<Option<BleFault>> {
        let (over, ended) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(write) = queue.recv().await {
                let written = self.write(&write.bytes).await;
                // The caller may have stopped waiting.
                let _ = write.done.try_send(written);
                if let Err(fault) = written {
                    let _ = over.send(Some(fault));
                    return;
                }
            }
            let _ = over.send(None);
        });
        ended
    }

    async fn write(&self, bytes: &[u8]) -> Result<(), BleFault> {
        // Long writes are split here. If a confirmed write exceeds the link's MTU, the system splits it in a way that
        // boards need not support.
        let size = usize::from(self.peripheral.mtu()).saturating_sub(3).max(SMALLEST);
        let size = if self.cuts { size } else { bytes.len().max(1) };
        for part in bytes.chunks(size) {
            self.write_part(part).await?;
        }
        Ok(())
    }

    async fn write_part(&self, part: &[u8]) -> Result<(), BleFault> {
        let confirmed = self.characteristic.properties.contains(CharPropFlags::WRITE);
        let (kind, limit) = if confirmed {
            (WriteType::WithResponse, self.timings.step)
        } else {
            (WriteType::WithoutResponse, self.timings.command)
        };
        let mut tries = 0;
        loop {
            match limited(limit, self.peripheral.write(&self.characteristic, part, kind)).await {
                Err(BleFault::Busy) if tries < BUSY_TRIES => {
                    tries += 1;
                    sleep(BUSY).await;
                }
                done => return done,
            }
        }
    }
}
