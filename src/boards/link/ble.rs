//! Bluetooth LE: finds boards by name and service, and connects to them.
//!
//! The program has one [`Radio`]: a thread with its own runtime. The thread owns all objects of the Bluetooth library,
//! because they must not be dropped on another thread. A [`BleLink`] is an ordinary [`Link`]: each read returns one
//! notification, each write is one write to the board. The notes on testing Bluetooth LE, sections 5 and 7, explain the
//! order of the steps, the figures and the pitfalls.

mod air;
mod fault;
mod held;
mod line;
mod timings;
mod who;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use self::air::BleAdapter;
pub use self::fault::BleFault;
pub use self::timings::Timings;
pub use self::who::{Known, Sighting, WantedBoard};
use super::error::LinkError;
use super::line::{Carrier, Link};

/// The longest time that dropping a link waits until the board is disconnected. It includes the time that a running
/// request still needs.
const LONGEST_LEAVE: Duration = Duration::from_secs(11);
/// The interval at which a caller that waits for a board checks whether it should stop.
const GLANCE: Duration = Duration::from_millis(20);

/// A request to the radio's thread.
enum Order {
    Open {
        wanted: WantedBoard,
        reply: SyncSender<Result<line::Ends, LinkError>>,
        given_up: oneshot::Receiver<()>,
    },
    Look(Duration, Known, oneshot::Sender<Result<Vec<Sighting>, LinkError>>),
}

/// A handle on the computer's Bluetooth LE.
#[derive(Clone)]
pub struct Radio {
    orders: mpsc::UnboundedSender<Order>,
}

impl Radio {
    /// Returns the radio that the whole program shares. It uses one connection to the system's Bluetooth service.
    pub fn shared() -> Self {
        static SHARED: OnceLock<Radio> = OnceLock::new();
        SHARED.get_or_init(|| Self::with(Timings::default())).clone()
    }

    /// Creates a radio with its own timings. The radio and its links end when its last clone is dropped.
    pub fn with(timings: Timings) -> Self {
        let (orders, inbox) = mpsc::unbounded_channel();
        // If the thread cannot start, each request fails with `NoBluetooth`.
        let started =
            thread::Builder::new().name("bluetooth".to_owned()).spawn(move || serve(timings, inbox));
        drop(started);
        Self { orders }
    }

    /// Searches for a board, connects to it and subscribes to its notifications. Returns early with an error when
    /// `stop` is set.
    pub fn open(&self, wanted: &WantedBoard, stop: &AtomicBool) -> Result<BleLink, LinkError> {
        let (reply, answer) = sync_channel(1);
        // When this function returns, it drops this end of the channel. That ends a search that is still running.
        let (_wanted, given_up) = oneshot::channel();
        let order = Order::Open { wanted: wanted.clone(), reply, given_up };
        self.orders.send(order).map_err(|_| LinkError::NoBluetooth)?;
        loop {
            match answer.recv_timeout(GLANCE) {
                Ok(opened) => {
                    return opened.map(|ends| BleLink { ends: Some(ends), name: wanted.name() });
                }
                Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Acquire) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(LinkError::NoBluetooth);
                }
            }
        }
    }

    /// Returns the boards of known brands that advertise themselves within `span`, each once, sorted by name.
    pub fn look(&self, span: Duration, known: Known) -> Result<Vec<Sighting>, LinkError> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(Order::Look(span, known, reply)).map_err(|_| LinkError::NoBluetooth)?;
        answer.blocking_recv().unwrap_or(Err(LinkError::NoBluetooth))
    }
}

/// Runs the radio's thread.
fn serve(timings: Timings, mut inbox: mpsc::UnboundedReceiver<Order>) {
    // The runtime has only one thread. With several threads, the library would leak match rules of the message bus: if
    // a signal arrives while its stream is being dropped, the rule for that stream would never be removed.
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return;
    };
    runtime.block_on(async move {
        let air = Arc::new(BleAdapter::new(timings));
        while let Some(order) = inbox.recv().await {
            let air = Arc::clone(&air);
            // Each request is a separate task. `BleAdapter` decides which tasks wait for each other.
            tokio::spawn(async move {
                match order {
                    Order::Open { wanted, reply, given_up } => {
                        drop(reply.send(air.open(&wanted, given_up).await));
                    }
                    Order::Look(span, known, reply) => drop(reply.send(air.look(span, &known).await)),
                }
            });
        }
        air.leave().await;
    });
}

/// A link to one board over Bluetooth LE.
pub struct BleLink {
    /// `None` only while the link is being dropped.
    ends: Option<line::Ends>,
    name: String,
}

impl Drop for BleLink {
    /// Waits until the board is disconnected. Without this wait, the system would stay connected to the board after the
    /// program's end, and a new link would receive the disconnection of this link.
    fn drop(&mut self) {
        let Some(line::Ends { heard, writes, over }) = self.ends.take() else { return };
        drop((heard, writes));
        // The channel closes when the board is disconnected. If it does not close in time, the system does not answer.
        let _ = over.recv_timeout(LONGEST_LEAVE);
    }
}

impl BleLink {
    fn lost(&self, fault: BleFault) -> LinkError {
        fault.sentence(&self.name)
    }
}

impl Link for BleLink {
    fn carrier(&self) -> Carrier {
        Carrier::Messages
    }

    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        match self.ends.as_ref().map(|ends| ends.heard.recv_timeout(patience)) {
            Some(Ok(line::LineEvent::Value(value))) => Ok(value),
            Some(Ok(line::LineEvent::Lost(fault))) => Err(self.lost(fault)),
            Some(Err(RecvTimeoutError::Timeout)) => Ok(Vec::new()),
            Some(Err(RecvTimeoutError::Disconnected)) | None => Err(self.lost(BleFault::Lost)),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let (done, result) = sync_channel(1);
        let write = line::Write { bytes: bytes.to_vec(), done };
        if self.ends.as_ref().is_none_or(|ends| ends.writes.send(write).is_err()) {
            return Err(self.lost(BleFault::Lost));
        }
        // A result always arrives, because each write has a timeout.
        result.recv().unwrap_or(Err(BleFault::Lost)).map_err(|fault| self.lost(fault))
    }
}
