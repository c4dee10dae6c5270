//! Keeps one board connected: opens its port, drives it, and after a break opens it again.
//!
//! [`ConnectionLife`] decides and does no IO; the thread below it reads, stamps and writes.

mod backoff;
mod flood;
pub(crate) mod leave;
pub(crate) mod session;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};

use tabiya_types::{Instant, Millis, Timeline};

use self::leave::{last_write, patience, pause};
pub use self::session::ConnectionLife;
use crate::address::LiveAddress;
use crate::capture::Direction;
use crate::driver::BoardCommand;
use crate::event::BoardEvent;
use crate::link::{Link, LinkError};
use crate::notes::Notes;
use crate::open::{NamedPort, Opener, opener};

/// Orders that wait for the thread; more are dropped, as each can be given again.
const LONGEST_ORDERS: usize = 64;
/// Between two of the last writes to a board that is let go.
const LAST_WRITES: Millis = Millis(150);

/// Where events go, each with the moment at which its bytes arrived. It may wait, and the board
/// waits with it.
pub type EventSink = Box<dyn FnMut(Instant, BoardEvent) + Send>;
/// Where raw bytes go: captures and the monitor.
pub type ByteTap = Box<dyn FnMut(Instant, Direction, &[u8]) + Send>;

/// A board that is being kept connected. Dropping it stops it.
pub struct BoardHandle {
    orders: SyncSender<BoardCommand>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BoardHandle {
    /// Asks for the whole board.
    pub fn ask_dump(&self) {
        self.tell(BoardCommand::AskDump);
    }

    /// Asks for the battery; boards without one stay silent.
    pub fn ask_battery(&self) {
        self.tell(BoardCommand::AskBattery);
    }

    /// Leaves the board silent, closes its port and waits until that is done. The sink must not
    /// wait for whoever calls this.
    pub fn stop(mut self) {
        self.join();
    }

    /// Has the board do something; what it cannot do it does not.
    pub fn tell(&self, order: BoardCommand) {
        // A full queue means a thread that waits for its sink; the order can be given again.
        let _ = self.orders.try_send(order);
    }

    fn join(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.tell(BoardCommand::Wake);
        if let Some(thread) = self.thread.take() {
            // The thread's own panic was reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for BoardHandle {
    fn drop(&mut self) {
        self.join();
    }
}

/// Keeps the board of `address` connected on a thread of its own, until the handle is stopped.
/// `Err` only if the system has no thread left; a port that does not open is a
/// [`BoardEvent::Lost`], and is tried again.
pub fn spawn(
    address: &LiveAddress,
    notes: Notes,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
) -> io::Result<BoardHandle> {
    start(address, notes, opener(address), timeline, sink, tap)
}

/// Like [`spawn`], over a line that `open` makes: simulators and tests. The address's place is only a name in
/// sentences.
pub fn spawn_over(
    address: &LiveAddress,
    mut open: impl FnMut() -> Result<Box<dyn Link>, LinkError> + Send + 'static,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
) -> io::Result<BoardHandle> {
    let name = address.place.to_string();
    let open = move |_: Option<&str>| open();
    start(address, Notes::NONE, Box::new(NamedPort { name, open }), timeline, sink, tap)
}

fn start(
    address: &LiveAddress,
    notes: Notes,
    opener: Box<dyn Opener>,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
) -> io::Result<BoardHandle> {
    let (orders, inbox) = mpsc::sync_channel(LONGEST_ORDERS);
    let stop = Arc::new(AtomicBool::new(false));
    let session = ConnectionLife::new(address, notes, timeline.now());
    let mut keeper =
        Keeper { session, opener, link: None, timeline, sink, tap, inbox, stop: Arc::clone(&stop) };
    let thread = thread::Builder::new().name("board".to_owned()).spawn(move || keeper.run())?;
    Ok(BoardHandle { orders, stop, thread: Some(thread) })
}

/// The thread: reads, stamps, writes, passes on.
struct Keeper {
    session: ConnectionLife,
    opener: Box<dyn Opener>,
    link: Option<Box<dyn Link>>,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
    inbox: Receiver<BoardCommand>,
    stop: Arc<AtomicBool>,
}

impl Keeper {
    fn run(&mut self) {
        while !self.stop.load(Ordering::Acquire) {
            match self.link.take() {
                Some(link) => self.read(link),
                None => self.wait(),
            }
        }
        let wait = self.session.stop(self.timeline.now());
        if let Some(mut link) = self.link.take() {
            self.take_leave(&mut *link, wait);
        }
    }

    /// Reads once, and keeps the link if it is still good.
    fn read(&mut self, mut link: Box<dyn Link>) {
        let read = link.read(patience(&self.session, self.timeline.now()));
        let now = self.timeline.now();
        match read {
            Ok(bytes) => {
                self.tap(now, Direction::FromDevice, &bytes);
                self.session.on_bytes(&bytes, now);
                self.session.on_time(now);
                while let Ok(order) = self.inbox.try_recv() {
                    self.session.order(&order, now);
                }
                self.write(&mut *link);
            }
            Err(error) => self.session.failed(error, now),
        }
        if let Some(port) = self.session.found_at() {
            self.opener.found(port);
        }
        if self.session.keeps_port() {
            self.link = Some(link);
        }
        self.tell(now);
    }

    /// Without a port: opens one if it is time, else waits for that time or for an order.
    fn wait(&mut self) {
        let now = self.timeline.now();
        if self.session.wants_port(now) {
            match self.opener.open(self.session.wanted(), &self.stop) {
                Ok((port, mut link)) => {
                    let (carrier, others_left) = (link.carrier(), self.opener.others_left());
                    self.session.opened(port, carrier, others_left, self.timeline.now());
                    self.write(&mut *link);
                    if self.session.keeps_port() {
                        self.link = Some(link);
                    }
                }
                // Whoever stops it gets any error, and nobody wants to hear of it.
                Err(_) if self.stop.load(Ordering::Acquire) => return,
                Err(error) => self.session.failed(error, self.timeline.now()),
            }
            self.tell(now);
            return;
        }
        match self.inbox.recv_timeout(patience(&self.session, now)) {
            Ok(order) => self.session.order(&order, now),
            Err(RecvTimeoutError::Timeout) => {}
            // The handle is gone, and with it whoever wanted this board.
            Err(RecvTimeoutError::Disconnected) => self.stop.store(true, Ordering::Release),
        }
    }

    fn write(&mut self, link: &mut dyn Link) {
        while let Some(bytes) = self.session.next_write() {
            let stop = Arc::clone(&self.stop);
            let written = link.write_unless(&bytes, &|| stop.load(Ordering::Acquire));
            // A shared line may have been waited for.
            let now = self.timeline.now();
            match written {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => return self.session.failed(error, now),
            }
            let before = link.heard_before();
            self.tap(now, Direction::FromDevice, &before);
            self.session.on_bytes(&before, now);
            self.session.wrote(now);
            self.tap(now, Direction::ToDevice, &bytes);
        }
    }

    /// The last writes, with as much time between them as every board needs; what it still says is not heard.
    fn take_leave(&mut self, link: &mut dyn Link, mut wait: Millis) {
        while let Some(bytes) = self.session.next_write() {
            pause(link, wait, &*self.timeline);
            wait = LAST_WRITES;
            if !last_write(link, &bytes, &*self.timeline) {
                return;
            }
            self.tap(self.timeline.now(), Direction::ToDevice, &bytes);
        }
        // A line that is closed at once may lose what was written last.
        pause(link, wait, &*self.timeline);
    }

    fn tap(&mut self, at: Instant, direction: Direction, bytes: &[u8]) {
        if let Some(tap) = &mut self.tap
            && !bytes.is_empty()
        {
            tap(at, direction, bytes);
        }
    }

    fn tell(&mut self, at: Instant) {
        while let Some(event) = self.session.next_event() {
            (self.sink)(at, event);
        }
    }
}

#[cfg(test)]
mod tests;
