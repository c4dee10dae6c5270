//! One line for several boards: a serial port can be opened once, and a bus has many boards behind it.
//!
//! A thread has the port. Each table has a [`Link`] of its own to it: it hears all that comes, and what it writes goes out
//! when the line is free. A write has the line until its answer is here or was waited for long enough; who has waited
//! longest is next, so that nobody starves. What an answer is the maker says ([`Sharing`]): nothing here knows bytes.
//!
//! Reads the real time: how long an answer takes.
#![expect(clippy::disallowed_methods, reason = "an answer is waited for in real time")]

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::error::LinkError;
use super::line::{Carrier, Link};
use crate::transports::{LineHold, Sharing};

/// One read of the port: what is written meanwhile waits so long at most.
const READ: Duration = Duration::from_millis(4);
/// An answer that goes on for longer is no answer, and others have waited long enough.
const LONGEST_ANSWER: Duration = Duration::from_secs(10);
/// How often whoever waits for its turn looks whether it should give up.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes that are kept for a table that does not read. What it misses it asks for again.
const KEPT: usize = 64 * 1024;

/// The lines of this program, each by what its port is called.
static LINES: Mutex<BTreeMap<String, Arc<Slot>>> = Mutex::new(BTreeMap::new());

/// The place of a line, whether it is open or not. Opening and closing take turns.
#[derive(Default)]
struct Slot {
    place: Mutex<Place>,
    /// What was being opened is open, or could not be.
    news: Condvar,
}

#[derive(Default)]
enum Place {
    #[default]
    Closed,
    /// Somebody opens it, which may take seconds: who has left an older line here does not wait for that.
    Opening,
    Open(Line),
}

/// Opens a line in its place. However that ends, others need not wait any more.
struct Opening<'a> {
    slot: &'a Slot,
    line: Option<Line>,
}

/// A line that is open, and the thread that has it.
struct Line {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread and the tables have in common.
struct Shared {
    sharing: Sharing,
    carrier: Carrier,
    state: Mutex<State>,
    /// Something came, was written, or broke.
    news: Condvar,
}

/// Who is at the line, and what waits.
#[derive(Default)]
struct State {
    members: BTreeMap<u64, Member>,
    /// The number of the next member, and of the next write.
    next: u64,
    /// What is to be written, in the order of asking.
    writes: VecDeque<Write>,
    /// The write that is on its way out.
    writing: Option<u64>,
    /// Why the line is of no use any more.
    broken: Option<LinkError>,
    /// The last table has gone.
    stop: bool,
}

/// A table at the line.
struct Member {
    /// Its board; `None` is the only one.
    unit: Option<String>,
    /// What came and was not read yet.
    unread: VecDeque<u8>,
    /// How much of that came before its last write went out.
    before: usize,
}

/// Bytes that a member wants to be written.
struct Write {
    number: u64,
    member: u64,
    bytes: Vec<u8>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever broke down while it held the lock has left whole values.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A way to the line `name`, for the board `unit` of it: the line that is open already, or one that `open` makes. A board
/// is one table's alone; without a unit a table has the whole line.
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
    /// A new member's line, the one that is open or the one that `start` makes, and its number there.
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

    /// The place, as soon as nobody opens it.
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

    /// Whether nobody can use it any more.
    fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished) || lock(&self.shared.state).broken.is_some()
    }
}

/// Ends the thread and with it the port, so that it can be opened anew at once.
impl Drop for Line {
    fn drop(&mut self) {
        lock(&self.shared.state).stop = true;
        if let Some(thread) = self.thread.take() {
            // The thread's own panic was reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// A new member's number, or what it cannot have because it is another's.
    fn enter(&self, unit: Option<&str>, name: &str) -> Result<u64, LinkError> {
        let mut state = lock(&self.state);
        let taken = state.members.values().find_map(|other| match (&other.unit, unit) {
            (Some(other), Some(unit)) => {
                (self.sharing.same)(other, unit).then(|| format!("board {unit} on {name}"))
            }
            // The only board of a line has no neighbours.
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

/// The thread: writes what is next, reads, and tells everybody.
struct Keeper {
    shared: Arc<Shared>,
    link: Box<dyn Link>,
    name: String,
}

/// However the thread ends: nobody waits for it any more.
impl Drop for Keeper {
    fn drop(&mut self) {
        let gone = LinkError::Vanished { port: self.name.clone(), source: None };
        lock(&self.shared.state).broken.get_or_insert(gone);
        self.shared.news.notify_all();
    }
}

/// Who has the line.
struct Held {
    turn: LineHold,
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
        // What has come by now is no answer to it.
        let late = self.link.read(Duration::ZERO)?;
        self.tell(&late);
        if let Some(member) = lock(&self.shared.state).members.get_mut(&write.member) {
            member.before = member.unread.len();
        }
        self.link.write_all(&write.bytes)?;
        lock(&self.shared.state).writing = None;
        self.shared.news.notify_all();
        let (turn, now) = ((self.shared.sharing.turn)(&write.bytes), Instant::now());
        Ok(Held { turn, asked: write.bytes, began: now, last: now, heard: Vec::new() })
    }

    fn tell(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            lock(&self.shared.state).hear(bytes);
            self.shared.news.notify_all();
        }
    }
}

/// What the thread does next.
enum Next {
    Stop,
    Nothing,
    Write(Write),
}

impl Held {
    /// Hears what came, if anything; nothing if whoever had the line has it no more.
    fn heard(mut self, bytes: &[u8], sharing: &Sharing) -> Option<Self> {
        let now = Instant::now();
        if !bytes.is_empty() {
            self.last = now;
        }
        let over = match self.turn {
            LineHold::Span(span) => now - self.began >= span,
            LineHold::Answer(patience) => {
                self.heard.extend(bytes);
                let whole = !bytes.is_empty() && (sharing.answered)(&self.asked, &self.heard);
                whole || now - self.last >= patience || now - self.began >= LONGEST_ANSWER
            }
        };
        (!over).then_some(self)
    }
}

/// One table's way to a line that others use too.
struct SharedLink {
    shared: Arc<Shared>,
    slot: Arc<Slot>,
    number: u64,
}

impl SharedLink {
    /// What came for this table.
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

    /// Waits for its turn: no longer than each other table's answer takes, once.
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
                // It is on its way out, which takes a moment.
                None if state.writing != Some(number) => return Ok(true),
                Some(_) | None => {}
            }
            let waited = self.shared.news.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn heard_before(&mut self) -> Vec<u8> {
        let mut state = lock(&self.shared.state);
        let Some(member) = state.members.get_mut(&self.number) else { return Vec::new() };
        let before = std::mem::take(&mut member.before).min(member.unread.len());
        member.unread.drain(..before).collect()
    }
}

/// The last table to go closes the port, and waits until that is done.
impl Drop for SharedLink {
    fn drop(&mut self) {
        let mut place = lock(&self.slot.place);
        let mut state = lock(&self.shared.state);
        state.members.remove(&self.number);
        state.writes.retain(|write| write.member != self.number);
        let last = state.members.is_empty();
        drop(state);
        // Another line may be open in the place of one that broke.
        if last && matches!(&*place, Place::Open(line) if Arc::ptr_eq(&line.shared, &self.shared)) {
            *place = Place::Closed;
        }
    }
}

#[cfg(test)]
mod tests;
