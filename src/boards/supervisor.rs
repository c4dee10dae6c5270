//! Keeps one board connected: opens its port, runs its driver, and reopens the port after a break.
//!
//! [`ConnectionLife`] makes the decisions and does no IO. The thread in this file reads from the link, adds the times
//! and writes to the link.

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
use crate::chunk::Direction;
use crate::driver::BoardCommand;
use crate::event::BoardEvent;
use crate::link::{Link, LinkError};
use crate::notes::Notes;
use crate::open::{NamedPort, Opener, opener, roaming_opener};

/// The largest number of commands that can wait for the thread. Further commands are dropped, because the caller can
/// give them again.
const LONGEST_ORDERS: usize = 64;
/// The pause between the last commands to a board that is being disconnected.
const LAST_WRITES: Millis = Millis(150);

/// Receives the board's events, each with the time at which its bytes arrived. While it blocks, nothing is read from
/// the board.
pub type EventSink = Box<dyn FnMut(Instant, BoardEvent) + Send>;
/// Receives the raw bytes of both directions, for captures and the monitor.
pub type ByteTap = Box<dyn FnMut(Instant, Direction, &[u8]) + Send>;

/// A board that is kept connected by its own thread. Dropping the handle stops the thread.
pub struct BoardHandle {
    orders: SyncSender<BoardCommand>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BoardHandle {
    /// Asks the board for its whole position.
    pub fn ask_dump(&self) {
        self.tell(BoardCommand::AskDump);
    }

    /// Asks the board for its battery level. A board without a battery ignores the question.
    pub fn ask_battery(&self) {
        self.tell(BoardCommand::AskBattery);
    }

    /// Silences the board, closes its port and waits until the thread has ended. The event sink must not wait for the
    /// caller of this function, or both would block for ever.
    pub fn stop(mut self) {
        self.join();
    }

    /// Gives the board a command. A command that the board cannot carry out is ignored.
    pub fn tell(&self, order: BoardCommand) {
        // An error means that the queue is full, because the thread waits for its event sink. The caller can give the
        // command again.
        let _ = self.orders.try_send(order);
    }

    fn join(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.tell(BoardCommand::Wake);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was already reported when it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for BoardHandle {
    fn drop(&mut self) {
        self.join();
    }
}

/// Starts a thread that keeps the board at `address` connected until the handle is stopped or dropped. A port that
/// cannot be opened is reported as [`BoardEvent::Lost`] and retried. `Err` only if the thread cannot be started.
pub fn spawn(
    address: &LiveAddress,
    notes: Notes,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
) -> io::Result<BoardHandle> {
    let session = ConnectionLife::new(address, notes, timeline.now());
    start(session, opener(address), timeline, sink, tap)
}

/// The same for a board of one table among several on this computer: a board that reports its number keeps its table. If it is
/// plugged in again elsewhere, it is found there: on the ports of other tables, and on those of its maker's boards.
pub fn spawn_roaming(
    address: &LiveAddress,
    notes: Notes,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
) -> io::Result<BoardHandle> {
    let session = ConnectionLife::roaming(address, notes, timeline.now());
    start(session, roaming_opener(address), timeline, sink, tap)
}

/// Keeps a board connected over links that `open` creates, for simulators and tests; otherwise equal to [`spawn`]. The
/// port in `address` is only a name for messages.
pub fn spawn_over(
    address: &LiveAddress,
    mut open: impl FnMut() -> Result<Box<dyn Link>, LinkError> + Send + 'static,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
) -> io::Result<BoardHandle> {
    let name = address.place.to_string();
    let open = move |_: Option<&str>| open();
    let session = ConnectionLife::new(address, Notes::NONE, timeline.now());
    start(session, Box::new(NamedPort { name, open }), timeline, sink, tap)
}

fn start(
    session: ConnectionLife,
    opener: Box<dyn Opener>,
    timeline: Arc<dyn Timeline>,
    sink: EventSink,
    tap: Option<ByteTap>,
) -> io::Result<BoardHandle> {
    let (orders, inbox) = mpsc::sync_channel(LONGEST_ORDERS);
    let stop = Arc::new(AtomicBool::new(false));
    let mut keeper =
        Keeper { session, opener, link: None, timeline, sink, tap, inbox, stop: Arc::clone(&stop) };
    let thread = thread::Builder::new().name("board".to_owned()).spawn(move || keeper.run())?;
    Ok(BoardHandle { orders, stop, thread: Some(thread) })
}

/// The work of the thread: reads from the link, adds the times, writes to the link, and passes events on.
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

    /// Reads once, handles commands, and keeps the link if it is still usable.
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

    /// Opens a port if an attempt is due. Otherwise waits until an attempt is due or a command arrives. Called only
    /// while no port is open.
    fn wait(&mut self) {
        let now = self.timeline.now();
        if self.session.wants_port(now) {
            self.opener.search(self.session.may_search());
            match self.opener.open(self.session.wanted(), &self.stop) {
                Ok((port, mut link)) => {
                    let (carrier, others_left) = (link.carrier(), self.opener.others_left());
                    self.session.opened(port, carrier, others_left, self.timeline.now());
                    self.write(&mut *link);
                    if self.session.keeps_port() {
                        self.link = Some(link);
                    }
                }
                // If the attempt failed because the thread has to stop, its error has no meaning and is not reported.
                Err(_) if self.stop.load(Ordering::Acquire) => return,
                Err(error) => self.session.failed(error, self.timeline.now()),
            }
            self.tell(now);
            return;
        }
        match self.inbox.recv_timeout(patience(&self.session, now)) {
            Ok(order) => self.session.order(&order, now),
            Err(RecvTimeoutError::Timeout) => {}
            // The handle was dropped, so nobody needs the board any more.
            Err(RecvTimeoutError::Disconnected) => self.stop.store(true, Ordering::Release),
        }
    }

    fn write(&mut self, link: &mut dyn Link) {
        while let Some(bytes) = self.session.next_write() {
            let stop = Arc::clone(&self.stop);
            let written = link.write_unless(&bytes, &|| stop.load(Ordering::Acquire));
            // On a shared port, the write may have been delayed until the port was free, so the current time is needed
            // again.
            let now = self.timeline.now();
            match written {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => return self.session.failed(error, now),
            }
            let before = link.received_before_write();
            self.tap(now, Direction::FromDevice, &before);
            self.session.on_bytes(&before, now);
            self.session.wrote(now);
            self.tap(now, Direction::ToDevice, &bytes);
        }
    }

    /// Sends the last commands to the board, with pauses that are long enough for every maker. Ignores everything that
    /// the board still sends.
    fn take_leave(&mut self, link: &mut dyn Link, mut wait: Millis) {
        while let Some(bytes) = self.session.next_write() {
            pause(link, wait, &*self.timeline);
            wait = LAST_WRITES;
            if !last_write(link, &bytes, &*self.timeline) {
                return;
            }
            self.tap(self.timeline.now(), Direction::ToDevice, &bytes);
        }
        // Waits again, because a port that is closed at once may lose the last command.
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
