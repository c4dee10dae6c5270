//! Shares one port among several boards. A serial port can be opened only once, but a bus connects many boards to it.
//!
//! One thread owns the port. Each table has its own [`Link`] to the port: the link receives all bytes that arrive, and
//! its writes are sent when the port is free. A write occupies the port until its answer is complete or has timed out.
//! Then the write that has waited longest is sent, so that every table gets its turn. The maker's [`Sharing`] decides
//! what counts as an answer: this module parses no bytes.
//!
//! This module reads the real time, to limit the wait for an answer.
#![expect(clippy::disallowed_methods, reason = "an answer is waited for in real time")]

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::error::LinkError;
use super::line::{Carrier, Link};
use crate::transports::{PortHold, Sharing};

/// The timeout of one read from the port. A write to a free port waits at most this long.
const READ: Duration = Duration::from_millis(4);
/// The longest time that one write may occupy the port while it waits for its answer.
const LONGEST_ANSWER: Duration = Duration::from_secs(10);
/// The interval at which a waiting write checks whether it should give up.
const LOOK: Duration = Duration::from_millis(20);
/// The most unread bytes that are kept for one table. If more arrive, the older bytes are dropped, and the table has to
/// read its board again.
const KEPT: usize = 64 * 1024;

/// The shared ports of this program, by their names.
static LINES: Mutex<BTreeMap<String, Arc<Slot>>> = Mutex::new(BTreeMap::new());

/// One shared port, which may be open or closed. Its opening and its closing never overlap.
#[derive(Default)]
struct Slot {
    place: Mutex<Place>,
    /// Signals that an attempt to open the port has ended.
    news: Condvar,
}

#[derive(Default)]
enum Place {
    #[default]
    Closed,
    /// A table is opening the port, which may take seconds. Meanwhile the table does not hold the lock on this state,
    /// so another table can drop an older link without waiting.
    Opening,
    Open(Line),
}

/// A running attempt to open a port. Dropping the attempt stores its result and wakes the tables that wait for it.
struct Opening<'a> {
    slot: &'a Slot,
    line: Option<Line>,
}

/// An open port and the thread that owns it.
struct Line {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// The data that the thread and the tables share.
struct Shared {
    sharing: Sharing,
    carrier: Carrier,
    state: Mutex<State>,
    /// Signals that bytes arrived, a write was sent, or the port failed.
    news: Condvar,
}

/// The tables that use the port, and their pending writes.
#[derive(Default)]
struct State {
    members: BTreeMap<u64, Member>,
    /// The number of the newest member or write. Members and writes share one sequence of numbers.
    next: u64,
    /// The pending writes, oldest first.
    writes: VecDeque<Write>,
    /// The number of the write that is being sent.
    writing: Option<u64>,
    /// The error with which the port failed; `None` while the port works.
    broken: Option<LinkError>,
    /// Whether the thread must end, because the last table has left.
    stop: bool,
}

/// A table that uses the port.
struct Member {
    /// The number of the table's board; `None` if the table uses the whole port.
    unit: Option<String>,
    /// The bytes that have arrived and that the table has not read.
    unread: VecDeque<u8>,
    /// How many of the unread bytes arrived before the member's last write.
    before: usize,
}

/// A write that waits until the port is free.
struct Write {
    number: u64,
    member: u64,
    bytes: Vec<u8>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The values may be used even if a thread panicked while it held the lock, because it has left them consistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a link to the board `unit` on the port `name`. Uses the port if it is already open, otherwise opens it with
/// `open`. A board can be used by one table only, and a table without a `unit` needs the whole port. `Err` is
/// [`LinkError::Taken`] if another table prevents this.
pub(crate) fn join(
    name: &str,
    unit: Option<&str>,
    sharing: Sharing,
    open: impl FnOnce() -> Result<Box<dyn Link>, LinkError>,
) -> Result<Box<dyn Link>, LinkError> {
    let slot = Arc::clone(lock(&LINES).entry(name.to_owned()).or_default());
    let (shared, number) = slot.enter(unit, name, || Line::start(open()?, sharing, name))?;
    Ok(Box::new(SharedLink { shared, slot, number }))
}

impl Slot {
    /// Adds a member to the port, which `start` opens if it is not open. Returns the port and the member's number.
    fn enter(
        &self,
        unit: Option<&str>,
        name: &str,
        start: impl FnOnce() -> Result<Line, LinkError>,
    ) -> Result<(Arc<Shared>, u64), LinkError> {
        let mut place = self.settled();
        if matches!(&*place, Place::Open(line) if line.is_over()) {
            *place = Place::Closed;
        }
        if let Place::Open(line) = &*place {
            return Ok((Arc::clone(&line.shared), line.shared.enter(unit, name)?));
        }
        *place = Place::Opening;
        drop(place);
        let mut opening = Opening { slot: self, line: None };
        let line = opening.line.insert(start()?);
        Ok((Arc::clone(&line.shared), line.shared.enter(unit, name)?))
    }

    /// Waits until no table is opening the port, then locks the port's state.
    fn settled(&self) -> MutexGuard<'_, Place> {
        let opens = |place: &mut Place| matches!(place, Place::Opening);
        self.news.wait_while(lock(&self.place), opens).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        *lock(&self.slot.place) = self.line.take().map_or(Place::Closed, Place::Open);
        self.slot.news.notify_all();
    }
}

impl Line {
    fn start(link: Box<dyn Link>, sharing: Sharing, name: &str) -> Result<Self, LinkError> {
        let (carrier, state, news) = (link.carrier(), Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { sharing, carrier, state, news });
        let keeper = Keeper { shared: Arc::clone(&shared), link, name: name.to_owned() };
        let thread = thread::Builder::new().name("line".to_owned()).spawn(move || keeper.run());
        let thread =
            thread.map_err(|error| LinkError::Failed { port: name.to_owned(), source: Arc::new(error) })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Whether the port has failed or its thread has ended.
    fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished) || lock(&self.shared.state).broken.is_some()
    }
}

/// Ends the thread and closes the port, so that the port can be reopened at once.
impl Drop for Line {
    fn drop(&mut self) {
        lock(&self.shared.state).stop = true;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was already reported when it happened.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Adds a member and returns its number. `Err` if another member uses the same board, or if the new member or
    /// another one needs the whole port.
    fn enter(&self, unit: Option<&str>, name: &str) -> Result<u64, LinkError> {
        let mut state = lock(&self.state);
        let taken = state.members.values().find_map(|other| match (&other.unit, unit) {
            (Some(other), Some(unit)) => {
                (self.sharing.same)(other, unit).then(|| format!("board {unit} on {name}"))
            }
            // A member without a unit does not share the port.
            (None, _) | (_, None) => Some(name.to_owned()),
        });
        if let Some(board) = taken {
            return Err(LinkError::Taken { board });
        }
        let number = state.number();
        let unit = unit.map(str::to_owned);
        state.members.insert(number, Member { unit, unread: VecDeque::new(), before: 0 });
        Ok(number)
    }

    fn fail(&self, error: LinkError) {
        lock(&self.state).broken = Some(error);
        self.news.notify_all();
    }
}

impl State {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn hear(&mut self, bytes: &[u8]) {
        for member in self.members.values_mut() {
            if member.unread.len() + bytes.len() > KEPT {
                member.unread.clear();
                member.before = 0;
            }
            member.unread.extend(bytes);
        }
    }
}

/// The work of the thread: sends the next write, reads, and passes the bytes to every member.
struct Keeper {
    shared: Arc<Shared>,
    link: Box<dyn Link>,
    name: String,
}

/// Marks the port as failed when the thread ends for any reason, so that no table waits for the port.
impl Drop for Keeper {
    fn drop(&mut self) {
        let gone = LinkError::Vanished { port: self.name.clone(), source: None };
        lock(&self.shared.state).broken.get_or_insert(gone);
        self.shared.news.notify_all();
    }
}

/// The last write, while it occupies the port.
struct Held {
    turn: PortHold,
    asked: Vec<u8>,
    began: Instant,
    last: Instant,
    heard: Vec<u8>,
}

impl Keeper {
    fn run(mut self) {
        let mut held: Option<Held> = None;
        loop {
            let write = match self.next_write(held.is_none()) {
                Next::Stop => return,
                Next::Nothing => None,
                Next::Write(write) => Some(write),
            };
            if let Some(write) = write {
                match self.write(write) {
                    Ok(begun) => held = Some(begun),
                    Err(error) => return self.shared.fail(error),
                }
            }
            match self.link.read(READ) {
                Ok(bytes) => {
                    self.tell(&bytes);
                    held = held.and_then(|held| held.heard(&bytes, &self.shared.sharing));
                }
                Err(error) => return self.shared.fail(error),
            }
        }
    }

    fn next_write(&self, free: bool) -> Next {
        let mut state = lock(&self.shared.state);
        if state.stop {
            return Next::Stop;
        }
        let Some(write) = state.writes.pop_front_if(|_| free) else { return Next::Nothing };
        state.writing = Some(write.number);
        Next::Write(write)
    }

    fn write(&mut self, write: Write) -> Result<Held, LinkError> {
        // Bytes that arrived before this write cannot be its answer, so they are read and passed on first.
        let late = self.link.read(Duration::ZERO)?;
        self.tell(&late);
        if let Some(member) = lock(&self.shared.state).members.get_mut(&write.member) {
            member.before = member.unread.len();
        }
        self.link.write_all(&write.bytes)?;
        lock(&self.shared.state).writing = None;
        self.shared.news.notify_all();
        let (turn, now) = ((self.shared.sharing.hold)(&write.bytes), Instant::now());
        Ok(Held { turn, asked: write.bytes, began: now, last: now, heard: Vec::new() })
    }

    fn tell(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            lock(&self.shared.state).hear(bytes);
            self.shared.news.notify_all();
        }
    }
}

/// The next action of the thread.
enum Next {
    Stop,
    Nothing,
    Write(Write),
}

impl Held {
    /// Takes in the bytes that arrived. Returns `None` when the write no longer occupies the port.
    fn heard(mut self, bytes: &[u8], sharing: &Sharing) -> Option<Self> {
        let now = Instant::now();
        if !bytes.is_empty() {
            self.last = now;
        }
        let over = match self.turn {
            PortHold::Span(span) => now - self.began >= span,
            PortHold::Answer(patience) => {
                self.heard.extend(bytes);
                let whole = !bytes.is_empty() && (sharing.answered)(&self.asked, &self.heard);
                whole || now - self.last >= patience || now - self.began >= LONGEST_ANSWER
            }
        };
        (!over).then_some(self)
    }
}

/// One table's link over a shared port.
struct SharedLink {
    shared: Arc<Shared>,
    slot: Arc<Slot>,
    number: u64,
}

impl SharedLink {
    /// Takes the bytes that this table has not read.
    fn unread(&self, state: &mut State) -> Vec<u8> {
        let Some(member) = state.members.get_mut(&self.number) else { return Vec::new() };
        member.before = 0;
        member.unread.drain(..).collect()
    }
}

impl Link for SharedLink {
    fn carrier(&self) -> Carrier {
        self.shared.carrier
    }

    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        let until = Instant::now() + patience;
        let mut state = lock(&self.shared.state);
        loop {
            let bytes = self.unread(&mut state);
            if !bytes.is_empty() {
                return Ok(bytes);
            }
            if let Some(error) = &state.broken {
                return Err(error.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(bytes);
            }
            let waited = self.shared.news.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the port is free for this table, then writes. Each other table can write at most once before that,
    /// so the wait is at most as long as one answer for each other table.
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.write_unless(bytes, &|| false).map(|_| ())
    }

    fn write_unless(&mut self, bytes: &[u8], give_up: &dyn Fn() -> bool) -> Result<bool, LinkError> {
        let mut state = lock(&self.shared.state);
        let number = state.number();
        state.writes.push_back(Write { number, member: self.number, bytes: bytes.to_vec() });
        loop {
            if let Some(error) = &state.broken {
                return Err(error.clone());
            }
            let waiting = state.writes.iter().position(|write| write.number == number);
            match waiting {
                Some(place) if give_up() => {
                    state.writes.remove(place);
                    return Ok(false);
                }
                // The write is neither in the queue nor in progress, so it is complete.
                None if state.writing != Some(number) => return Ok(true),
                Some(_) | None => {}
            }
            let waited = self.shared.news.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn received_before_write(&mut self) -> Vec<u8> {
        let mut state = lock(&self.shared.state);
        let Some(member) = state.members.get_mut(&self.number) else { return Vec::new() };
        let before = std::mem::take(&mut member.before).min(member.unread.len());
        member.unread.drain(..before).collect()
    }
}

/// Closes the port if this was the last table, and waits until the port is closed.
impl Drop for SharedLink {
    fn drop(&mut self) {
        let mut place = lock(&self.slot.place);
        let mut state = lock(&self.shared.state);
        state.members.remove(&self.number);
        state.writes.retain(|write| write.member != self.number);
        let last = state.members.is_empty();
        drop(state);
        // After a failure, another table may have opened the port again. The port that was opened again stays open.
        if last && matches!(&*place, Place::Open(line) if Arc::ptr_eq(&line.shared, &self.shared)) {
            *place = Place::Closed;
        }
    }
}

#[cfg(test)]
mod tests;
