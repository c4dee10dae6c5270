//! Bluetooth LE: finds boards by name and service, and makes a line of each.
//!
//! One [`Radio`] for the program: a thread with its own runtime owns everything of the Bluetooth library, because
//! that must not be dropped anywhere else. What comes out is a [`Link`] like any other, each read one notification,
//! each write one write. Order, figures and pitfalls: the notes on testing Bluetooth LE, sections 5 and 7.

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

use self::air::Air;
pub use self::fault::BleFault;
pub use self::timings::Timings;
pub use self::who::{Known, Sighting, WantedBoard};
use super::error::LinkError;
use super::line::{Carrier, Link};

/// Longer than taking leave of a board ever takes: a question that is under way, and then the leave.
const LONGEST_LEAVE: Duration = Duration::from_secs(11);
/// How often whoever waits for a board looks whether he shall stop.
const GLANCE: Duration = Duration::from_millis(20);

/// What the radio's thread is asked for.
enum Order {
    Open {
        wanted: WantedBoard,
        reply: SyncSender<Result<line::Ends, LinkError>>,
        given_up: oneshot::Receiver<()>,
    },
    Look(Duration, Known, oneshot::Sender<Result<Vec<Sighting>, LinkError>>),
}

/// The computer's Bluetooth.
#[derive(Clone)]
pub struct Radio {
    orders: mpsc::UnboundedSender<Order>,
}

impl Radio {
    /// The one of this program: the system's service is spoken to over one connection only.
    pub fn shared() -> Self {
        static SHARED: OnceLock<Radio> = OnceLock::new();
        SHARED.get_or_init(|| Self::with(Timings::default())).clone()
    }

    /// One with figures of its own. It lives as long as something holds it or a line of it.
    pub fn with(timings: Timings) -> Self {
        let (orders, inbox) = mpsc::unbounded_channel();
        // Without a thread nobody answers, and each question says so.
        let started =
            thread::Builder::new().name("bluetooth".to_owned()).spawn(move || serve(timings, inbox));
        drop(started);
        Self { orders }
    }

    /// Looks for a board, connects to it and listens. Returns early, with whatever error, when `stop` is set.
    pub fn open(&self, wanted: &WantedBoard, stop: &AtomicBool) -> Result<BleLink, LinkError> {
        let (reply, answer) = sync_channel(1);
        // Dropped when this returns: whoever still looks for the board stops then.
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

    /// The boards of known brands that advertise themselves within that span, each once, by name.
    pub fn look(&self, span: Duration, known: Known) -> Result<Vec<Sighting>, LinkError> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(Order::Look(span, known, reply)).map_err(|_| LinkError::NoBluetooth)?;
        answer.blocking_recv().unwrap_or(Err(LinkError::NoBluetooth))
    }
}

/// The radio's thread.
fn serve(timings: Timings, mut inbox: mpsc::UnboundedReceiver<Order>) {
    // One thread: with more, the library loses match rules whose signals arrive while their stream is dropped.
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return;
    };
    runtime.block_on(async move {
        let air = Arc::new(Air::new(timings));
        while let Some(order) = inbox.recv().await {
            let air = Arc::clone(&air);
            // Questions may wait for each other inside, but not for their turn to be asked.
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

/// A line to one board over Bluetooth LE.
pub struct BleLink {
    /// Only taken when it is dropped.
    ends: Option<line::Ends>,
    name: String,
}

impl Drop for BleLink {
    /// Waits until the board is let go: if the program ended before, the system would hold the board, and a new line
    /// to it would be told of the end of this one.
    fn drop(&mut self) {
        let Some(line::Ends { heard, writes, over }) = self.ends.take() else { return };
        drop((heard, writes));
        // An end comes without a word; anything else only if the system does not answer.
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
        // It always comes: each write has its limit.
        result.recv().unwrap_or(Err(BleFault::Lost)).map_err(|fault| self.lost(fault))
    }
}
