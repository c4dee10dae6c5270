//! One connected board: a queue of writes, what it notifies, and the signs that the link is gone.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::time::Duration;

use btleplug::api::{CentralEvent, CentralState, CharPropFlags, Characteristic, Peripheral as _, WriteType};
use btleplug::platform::Peripheral;
use futures_util::StreamExt as _;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::fault::BleFault;
use super::held::{HeldBoard, On, Taken, limited};
use super::timings::Timings;

/// Before a write that met another one is tried again,
const BUSY: Duration = Duration::from_millis(50);
/// and how often it is.
const BUSY_TRIES: u32 = 5;
/// How long the last words of a lost board may take.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// So many values may wait for their reader: minutes of the most talkative board. A reader that is so far behind
/// begins anew.
const LONGEST_WAIT: usize = 4096;
/// The longest write where the link's size is not known.
const SMALLEST: usize = 20;

/// What the owner of a line holds of it. Dropping it takes leave of the board.
pub(super) struct Ends {
    pub(super) heard: Receiver<LineEvent>,
    pub(super) writes: mpsc::UnboundedSender<Write>,
    /// Ends when the board has been let go.
    pub(super) over: Receiver<()>,
}

/// What comes of a line.
pub(super) enum LineEvent {
    /// A notification.
    Value(Vec<u8>),
    /// The link is gone.
    Lost(BleFault),
}

/// Something to be written as one, and where its result goes.
pub(super) struct Write {
    pub(super) bytes: Vec<u8>,
    pub(super) done: SyncSender<Result<(), BleFault>>,
}

/// A connected board.
pub(super) struct BleConnection {
    /// Keeps the events coming.
    pub(super) on: Arc<On>,
    /// Keeps other lines from this board.
    pub(super) taken: Taken,
    pub(super) known: HeldBoard,
    pub(super) notify: Vec<Characteristic>,
    pub(super) write: Characteristic,
    /// Whether what is too long for the link may come in parts.
    pub(super) cuts: bool,
    pub(super) events: broadcast::Receiver<CentralEvent>,
    pub(super) timings: Timings,
}

impl BleConnection {
    /// Works on the present runtime until the link is gone or its ends are dropped.
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

    /// Passes on what the board notifies, and notices that it is gone. `over` tells that the ends were dropped, or
    /// that a write has found no link.
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
                    Some(value) if self.notify.iter().any(|one| one.uuid == value.uuid) => {
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
                    // It may be the end of an earlier link that is told late.
                    Ok(CentralEvent::DeviceDisconnected(gone)) if gone == id => match self.is_there().await {
                        Ok(()) => {}
                        Err(fault) => break Some(fault),
                    },
                    Ok(CentralEvent::StateUpdate(CentralState::PoweredOff)) => break Some(BleFault::Off),
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                    // The message bus itself has ended.
                    Err(broadcast::error::RecvError::Closed) => break Some(BleFault::Lost),
                },
                ended = over.recv() => break ended.flatten(),
                // Neither the stream nor the events tell that the system's service has died.
                () = sleep_until(ask_at) => {
                    ask_at = Instant::now() + self.timings.alive;
                    if let Err(fault) = self.is_there().await {
                        break Some(fault);
                    }
                }
            }
        };
        if let Some(fault) = fault {
            // What came before the loss is on another stream, and may still be on its way.
            let until = Instant::now() + LAST_WORDS;
            while let Ok(Some(value)) = timeout_at(until, notifications.next()).await {
                let spoken = self.notify.iter().any(|one| one.uuid == value.uuid);
                if spoken && say.try_send(LineEvent::Value(value.value)).is_err() {
                    break;
                }
            }
            // If there is no room for it, the end of the values says the same.
            let _ = say.try_send(LineEvent::Lost(fault));
        }
        // Whatever else has failed, the system would go on holding the board.
        if !matches!(fault, Some(BleFault::Lost | BleFault::Off)) {
            let _ = limited(self.timings.leave, self.known.peripheral.disconnect()).await;
        }
        // Only now may another line want this board.
        drop((self.taken, self.on));
    }
}

impl BleConnection {
    /// Asks whether the board is still connected.
    async fn is_there(&self) -> Result<(), BleFault> {
        match limited(self.timings.ask, self.known.peripheral.is_connected()).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(BleFault::Lost),
            Err(fault) => Err(fault),
        }
    }
}

/// Writes one thing after another: the system takes no second one meanwhile.
struct Writer {
    /// Whether what is too long for the link may come in parts.
    cuts: bool,
    peripheral: Peripheral,
    characteristic: Characteristic,
    timings: Timings,
}

impl Writer {
    /// Works until its queue ends (`None` then) or the link is gone.
    fn start(self, mut queue: mpsc::UnboundedReceiver<Write>) -> mpsc::UnboundedReceiver<Option<BleFault>> {
        let (over, ended) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(write) = queue.recv().await {
                let written = self.write(&write.bytes).await;
                // Whoever asked may have stopped waiting.
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
        // A confirmed write longer than the link's size would become one of several parts, which boards need not
        // understand.
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
