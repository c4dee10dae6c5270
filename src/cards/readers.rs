//! Keeps all card readers: notices cards, reads and writes them, tells a sink.
//!
//! One thread waits for the system's service (PC/SC) to tell of readers and cards; each reader has a thread of its own
//! that talks to its cards, so that a reader that hangs holds no other up. No card is held between two taps.
//! Facts about the service: `docs/cards.md`, "Readers"; each is tried with the real one in `tests/cards.rs`.
//! Not seen on hardware: anything.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pcsc::{Card, Context, Disposition, PNP_NOTIFICATION, Protocols, ReaderState, Scope, ShareMode, State};
use tabiya_types::{Instant, Millis, Timeline};

use super::apdu::{self, Command, LONGEST_ANSWER};
use super::event::{CardError, CardEvent, Options, ReaderName, Sink, Tap, Unread, WriteError};
use super::ndef::{CardId, Content, Record, Scan, scan};
use super::plugged::{acr122_is_missing, is_acr122};
use super::tag::{Capability, FIRST_PAGE, LOCK, LOCK_PAGE, PAGES_A_READ, Uid};

/// How long the service is asked to wait for news: readers are counted anew after it, as it does not tell of all.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// Before the service is looked for again.
const SERVICE_PAUSE: Duration = Duration::from_millis(250);
/// How long the service and a reader take to find what lies there already: until then nothing was laid down now.
const SETTLE: Millis = Millis(500);
/// Before a card is tried again.
const RETRY_PAUSE: Duration = Duration::from_millis(50);
/// Before a card is tried again that another program has for itself.
const IN_USE_PAUSE: Duration = Duration::from_millis(500);
/// How often a card is tried.
const ATTEMPTS: u32 = 3;
/// A reader that is silent for so long is said not to answer.
const SILENT: Millis = Millis(2_000);
/// How often it is looked whether the system's own driver holds a reader.
const LOOK_FOR_HELD: Millis = Millis(1_000);
/// What may wait for a reader's thread; more only comes while it hangs.
const LONGEST_QUEUE: usize = 64;

/// The readers, until this is dropped. Dropping waits for nothing.
#[derive(Debug)]
pub struct Handle {
    workers: Workers,
    /// Its end tells the waiting thread to stop.
    _alive: SyncSender<()>,
    stop: Arc<AtomicBool>,
    timeline: SharedTimeline,
}

impl Handle {
    /// Writes a card's record. What came of it is told as [`CardEvent::Written`] or [`CardEvent::NotWritten`]; only the
    /// card with this UID is written. `Err` if there is no such reader, or too much waits for it already.
    pub fn write(&self, reader: &ReaderName, uid: Uid, record: Record) -> Result<(), WriteError> {
        self.ask(reader, Job::Write { at: self.timeline.0.now(), uid, record })
    }

    /// Locks a card's record for good. What came of it is told as [`CardEvent::Locked`] or [`CardEvent::NotWritten`]; only
    /// the card with this UID is locked, and only if this id is written on it. `Err` as for writing.
    pub fn lock(&self, reader: &ReaderName, uid: Uid, id: CardId) -> Result<(), WriteError> {
        self.ask(reader, Job::Lock { at: self.timeline.0.now(), uid, id })
    }

    fn ask(&self, reader: &ReaderName, job: Job) -> Result<(), WriteError> {
        let workers = whole(&self.workers);
        let worker = workers.get(reader).ok_or(WriteError::NoReader)?;
        worker.jobs.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => WriteError::Busy,
            TrySendError::Disconnected(_) => WriteError::NoReader,
        })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// Starts looking for readers and cards.
pub fn spawn(timeline: Arc<dyn Timeline>, sink: Sink) -> Handle {
    spawn_with(timeline, sink, Options::default())
}

/// The same, with more than is usual.
pub fn spawn_with(timeline: Arc<dyn Timeline>, sink: Sink, options: Options) -> Handle {
    let workers = Workers::default();
    let stop = Arc::new(AtomicBool::new(false));
    let (alive, ended) = sync_channel(1);
    let timeline = SharedTimeline(timeline);
    let mut waiter = Waiter {
        workers: Arc::clone(&workers),
        sink: Arc::new(Mutex::new(sink)),
        timeline: timeline.clone(),
        ended,
        stop: Arc::clone(&stop),
        options,
        seen: BTreeMap::new(),
        told: None,
        held: Held::default(),
    };
    thread::spawn(move || waiter.run());
    Handle { workers, _alive: alive, stop, timeline }
}

#[derive(Clone)]
struct SharedTimeline(Arc<dyn Timeline>);

impl std::fmt::Debug for SharedTimeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Timeline")
    }
}

type Workers = Arc<Mutex<BTreeMap<ReaderName, Worker>>>;
type SharedSink = Arc<Mutex<Sink>>;

/// What a thread that panicked has left is as good as before: nothing here is half-changed.
fn whole<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

// ---- who waits ----

/// One reader's state, as the service told it last.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The first look.
    since: Option<Instant>,
    /// The service's count of cards laid and lifted.
    count: u32,
    /// Whether a card lies there.
    card: bool,
    /// The state was seen before the service had counted it: the next count is no news.
    owed: bool,
}

/// What a look at a reader's state says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// A card lies there; `fresh` if it was laid down now.
    Laid { count: u32, fresh: bool, mute: bool },
    /// A card lies there as before, but perhaps another. Whoever reads it knows. `late` if nothing but a count that was
    /// owed has come; else the service began anew meanwhile, and nobody has laid a card down now.
    Doubtful { count: u32, late: bool },
    /// It does not lie there any more.
    Lifted,
}

/// How often cards were laid and lifted between two counts of the service, which has 16 bits for them.
fn steps(before: u32, now: u32) -> u32 {
    now.wrapping_sub(before) & 0xFFFF
}

impl Seen {
    /// Two cards may have come and gone between two looks: the count tells, pairs of states do not. The service
    /// changes the state first and counts then, and may be looked at in between: it owes one count then. As each card
    /// that is laid or lifted is one count, whether one is owed follows from what was seen and counted.
    fn look(&mut self, state: State, count: u32, now: Instant) -> Vec<Change> {
        let card = state.contains(State::PRESENT);
        let new = self.since.is_none();
        let since = *self.since.get_or_insert(now);
        // The first look has nothing to be compared with.
        let steps = if new { 0 } else { steps(self.count, count) };
        let owed = !new && (self.owed ^ (self.card != card) ^ (steps % 2 == 1));
        let fresh = now.since(since) >= SETTLE;
        let laid = Change::Laid { count, fresh, mute: state.contains(State::MUTE) };
        let changes = match (self.card, card) {
            (false, false) => vec![],
            (false, true) => vec![laid],
            (true, false) => vec![Change::Lifted],
            (true, true) if new => vec![Change::Doubtful { count, late: false }],
            (true, true) if steps == 0 => vec![],
            (true, true) if steps == 1 && self.owed => vec![Change::Doubtful { count, late: true }],
            (true, true) => vec![Change::Lifted, laid],
        };
        *self = Self { since: Some(since), count, card, owed };
        changes
    }

    /// The service has been quiet for so long that it has counted everything.
    fn settled(&mut self) {
        self.owed = false;
    }
}

/// Whether a name is that of a slot inside a reader that no card of ours fits in.
fn is_inner_slot(name: &str) -> bool {
    name.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "SAM")
}

/// Whether the system's own driver keeps a reader from the service.
#[derive(Debug, Default)]
struct Held {
    looked: Option<Instant>,
    /// Seen at the last look, but the service may still be slow.
    suspected: bool,
    told: bool,
}

/// The thread that waits for the service.
struct Waiter {
    workers: Workers,
    sink: SharedSink,
    timeline: SharedTimeline,
    ended: Receiver<()>,
    stop: Arc<AtomicBool>,
    options: Options,
    seen: BTreeMap<ReaderName, Seen>,
    /// The trouble with the service that was told and is not over.
    told: Option<CardError>,
    held: Held,
}

impl Waiter {
    fn run(&mut self) {
        while !self.stop.load(Ordering::Acquire) {
            let error = match Context::establish(Scope::User) {
                Ok(context) => self.watch(&context),
                Err(pcsc::Error::NoService | pcsc::Error::ServiceStopped) => Some(CardError::NoService),
                Err(pcsc::Error::SecurityViolation) => Some(CardError::Refused),
                Err(error) => Some(CardError::Failed { source: Arc::new(error) }),
            };
            if let Some(error) = error {
                self.trouble(error);
            }
            self.pause(SERVICE_PAUSE);
        }
        whole(&self.workers).clear();
    }

    /// Lets time pass, unless the handle goes.
    fn pause(&self, length: Duration) {
        if self.ended.recv_timeout(length) == Err(RecvTimeoutError::Disconnected) {
            self.stop.store(true, Ordering::Release);
        }
    }

    fn tell(&self, at: Instant, event: CardEvent) {
        whole(&self.sink)(at, event);
    }

    fn trouble(&mut self, error: CardError) {
        // That a stopped service is not there is what stopping means.
        let news = match (&self.told, &error) {
            (None, _) => true,
            (Some(CardError::ServiceStopped), CardError::NoService) => false,
            (Some(told), error) => told.to_string() != error.to_string(),
        };
        if news {
            self.told = Some(error.clone());
            self.tell(self.timeline.0.now(), CardEvent::Trouble(error));
        }
    }

    /// Waits and tells as long as the service stands. The error with which it ended, if the handle has not.
    fn watch(&mut self, context: &Context) -> Option<CardError> {
        // What was told of the service is over then, and what still holds is told again.
        self.held = Held::default();
        // Counts begin anew with each service; a card that lay there may have gone since.
        self.seen.values_mut().for_each(|seen| *seen = Seen { card: seen.card, ..Seen::default() });
        let mut states: Vec<ReaderState> = Vec::new();
        let began = self.timeline.0.now();
        let mut ready = false;
        while !self.stop.load(Ordering::Acquire) {
            let names = match context.list_readers_owned() {
                Ok(names) => names,
                Err(pcsc::Error::NoReadersAvailable) => Vec::new(),
                Err(_) => return Some(CardError::ServiceStopped),
            };
            self.meet(names, &mut states);
            if self.told.take().is_some() {
                self.tell(self.timeline.0.now(), CardEvent::TroubleOver(None));
            }
            self.look_for_silent();
            for state in &mut states {
                state.sync_current_state();
            }
            let settled = self.timeline.0.now().since(began) > SETTLE + Millis(100);
            if settled && !std::mem::replace(&mut ready, true) {
                self.tell(self.timeline.0.now(), CardEvent::Ready);
            }
            // Before that a slow service may not have listed the reader yet.
            if ready {
                self.look_for_held();
            }
            if states.is_empty() {
                self.pause(LONGEST_WAIT);
                continue;
            }
            match context.get_status_change(LONGEST_WAIT, &mut states) {
                Ok(()) => self.pass_on(&states),
                Err(pcsc::Error::Timeout) => self.seen.values_mut().for_each(Seen::settled),
                Err(pcsc::Error::Cancelled) => {}
                // A reader went between the list and the wait.
                Err(pcsc::Error::UnknownReader) => self.pause(RETRY_PAUSE),
                Err(_) => return Some(CardError::ServiceStopped),
            }
        }
        None
    }

    /// Compares the list of readers with what was known.
    fn meet(&mut self, names: Vec<CString>, states: &mut Vec<ReaderState>) {
        let names: BTreeMap<ReaderName, CString> = names
            .into_iter()
            .map(|name| (ReaderName::from(&*name.to_string_lossy()), name))
            .filter(|(name, _)| !is_inner_slot(&name.to_string()))
            .collect();
        // Not on every system is there an entry that tells of readers; the wait is short enough without it.
        let any = PNP_NOTIFICATION();
        if !cfg!(target_os = "macos") && !states.iter().any(|state| state.name() == any) {
            states.push(ReaderState::new(any, State::UNAWARE));
        }
        states.retain(|state| {
            state.name() == any || names.values().any(|name| name.as_c_str() == state.name())
        });
        let now = self.timeline.0.now();
        let gone: Vec<ReaderName> =
            self.seen.keys().filter(|name| !names.contains_key(*name)).cloned().collect();
        for name in gone {
            self.seen.remove(&name);
            let worker = whole(&self.workers).remove(&name);
            if let Some(worker) = worker {
                worker.voice.gone(now);
            }
        }
        for (name, as_written) in names {
            if !states.iter().any(|state| state.name() == as_written.as_c_str()) {
                states.push(ReaderState::new(as_written.clone(), State::UNAWARE));
            }
            if !self.seen.contains_key(&name) {
                self.seen.insert(name.clone(), Seen::default());
                let worker = Worker::start(&name, as_written, self.options.quiet, &self.sink, &self.timeline);
                whole(&self.workers).insert(name.clone(), worker);
                self.tell(now, CardEvent::Came(name));
            }
        }
    }

    /// Gives each reader's news to its thread.
    fn pass_on(&mut self, states: &[ReaderState]) {
        let at = self.timeline.0.now();
        for state in states {
            let told = state.event_state();
            let name = ReaderName::from(&*state.name().to_string_lossy());
            let Some(seen) = self.seen.get_mut(&name) else { continue };
            if !told.contains(State::CHANGED) {
                continue;
            }
            let changes = seen.look(told, state.event_count(), at);
            if let Some(worker) = whole(&self.workers).get(&name) {
                for change in changes {
                    // Only a reader that hangs has a full queue, and that is told already.
                    let _ = worker.jobs.try_send(Job::Change { at, change });
                }
            }
        }
    }

    fn look_for_held(&mut self) {
        let now = self.timeline.0.now();
        if self.held.looked.is_some_and(|looked| now.since(looked) < LOOK_FOR_HELD) {
            return;
        }
        self.held.looked = Some(now);
        let held = acr122_is_missing(self.seen.keys(), &self.options.plugged);
        if held && self.held.suspected && !self.held.told {
            self.held.told = true;
            self.tell(now, CardEvent::Trouble(CardError::HeldBySystem));
        }
        if !held && self.held.told {
            self.held.told = false;
            self.tell(now, CardEvent::TroubleOver(None));
        }
        self.held.suspected = held;
    }

    fn look_for_silent(&self) {
        let now = self.timeline.0.now();
        // Whoever listens may be writing a card just now: nothing is told while the list is held.
        let voices: Vec<_> = whole(&self.workers).values().map(|worker| Arc::clone(&worker.voice)).collect();
        for voice in voices {
            voice.look(now);
        }
    }
}

// ---- who talks to one reader's cards ----

/// The waiting thread's end of a reader's thread.
#[derive(Debug)]
struct Worker {
    jobs: SyncSender<Job>,
    voice: Arc<Voice>,
}

/// All that is told of one reader. Its own thread and the waiting one speak here, one at a time: so the newest word is
/// the true one, and none comes after the reader has gone.
struct Voice {
    name: ReaderName,
    sink: SharedSink,
    timeline: SharedTimeline,
    /// Held while something is told.
    said: Mutex<Said>,
}

#[derive(Debug, Default)]
struct Said {
    /// Since when the reader owes an answer.
    owes: Option<Instant>,
    /// That it does not answer was told.
    silent: bool,
    /// That it is gone was told.
    gone: bool,
}

impl std::fmt::Debug for Voice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Voice").field("name", &self.name).field("said", &self.said).finish_non_exhaustive()
    }
}

impl Voice {
    fn new(name: ReaderName, sink: &SharedSink, timeline: &SharedTimeline) -> Self {
        Self { name, sink: Arc::clone(sink), timeline: timeline.clone(), said: Mutex::default() }
    }

    fn tell(&self, at: Instant, event: CardEvent) {
        let said = whole(&self.said);
        if !said.gone {
            whole(&self.sink)(at, event);
        }
    }

    /// The reader is asked something.
    fn asks(&self) {
        whole(&self.said).owes = Some(self.timeline.0.now());
    }

    /// The reader owes nothing any more.
    fn answered(&self) {
        let mut said = whole(&self.said);
        said.owes = None;
        if std::mem::take(&mut said.silent) && !said.gone {
            whole(&self.sink)(self.timeline.0.now(), CardEvent::TroubleOver(Some(self.name.clone())));
        }
    }

    /// Tells once if the reader has owed an answer for too long.
    fn look(&self, now: Instant) {
        let mut said = whole(&self.said);
        if !said.gone && !said.silent && said.owes.is_some_and(|since| now.since(since) >= SILENT) {
            said.silent = true;
            let error = CardError::NotAnswering { reader: self.name.clone() };
            whole(&self.sink)(now, CardEvent::Trouble(error));
        }
    }

    /// The reader has gone, and with it whatever was wrong with it.
    fn gone(&self, at: Instant) {
        let mut said = whole(&self.said);
        said.gone = true;
        whole(&self.sink)(at, CardEvent::Gone(self.name.clone()));
    }
}

#[derive(Clone, Copy, Debug)]
enum Job {
    Change {
        at: Instant,
        change: Change,
    },
    /// The card that another program had for itself.
    Again {
        at: Instant,
        count: u32,
        fresh: bool,
    },
    Write {
        at: Instant,
        uid: Uid,
        record: Record,
    },
    Lock {
        at: Instant,
        uid: Uid,
        id: CardId,
    },
}

/// Why an attempt came to nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stumble {
    /// There is no card.
    NoCard,
    /// The card, the reader or the service did not answer.
    Lost,
    /// The answer was not `90 00`.
    Refused,
    /// Another card answered in the end than in the beginning.
    Swapped,
    /// Another program has the card for itself.
    InUse,
    /// The card is not what can be written.
    Unfit(WriteError),
}

impl Worker {
    fn start(
        name: &ReaderName,
        as_written: CString,
        quiet: bool,
        sink: &SharedSink,
        timeline: &SharedTimeline,
    ) -> Self {
        let (jobs, inbox) = sync_channel(LONGEST_QUEUE);
        let voice = Arc::new(Voice::new(name.clone(), sink, timeline));
        let mut talker = Talker {
            name: name.clone(),
            as_written,
            context: None,
            voice: Arc::clone(&voice),
            lies: None,
            unread: None,
            hush: quiet && is_acr122(name),
            again: None,
        };
        thread::spawn(move || talker.run(&inbox));
        Self { jobs, voice }
    }
}

/// The thread of one reader. It ends when the reader goes; one that hangs is left to itself.
struct Talker {
    name: ReaderName,
    as_written: CString,
    /// A connection to the service of its own, as a question locks it until it is answered.
    context: Option<Context>,
    voice: Arc<Voice>,
    /// The card that was told last and has not been lifted.
    lies: Option<Uid>,
    /// What was told of a card that could not be read and has not been lifted.
    unread: Option<Unread>,
    /// Whether the reader is still to be asked not to beep: it can be asked while a card lies there.
    hush: bool,
    /// What is tried again when nothing else is to be done.
    again: Option<Job>,
}

impl Talker {
    fn run(&mut self, inbox: &Receiver<Job>) {
        while let Some(job) = self.next(inbox) {
            match job {
                Job::Change { at, change: Change::Lifted } => self.lifted(at),
                Job::Change { at, change: Change::Doubtful { count, late } } => self.read(at, count, late),
                Job::Change { at, change: Change::Laid { count, fresh, mute } } => {
                    (self.unread, self.again) = (None, None);
                    if mute {
                        self.unreadable(at, Unread::Mute);
                    } else {
                        self.read(at, count, fresh);
                    }
                }
                Job::Again { at, count, fresh } => self.read(at, count, fresh),
                Job::Write { at, uid, record } => {
                    self.change(at, uid, CardEvent::Written, |card| write_card(card, uid, &record));
                }
                Job::Lock { at, uid, id } => {
                    self.change(at, uid, CardEvent::Locked, |card| lock_card(card, uid, id));
                }
            }
            self.voice.answered();
        }
    }

    /// What is to be done next; nothing any more if the reader has gone.
    fn next(&self, inbox: &Receiver<Job>) -> Option<Job> {
        let Some(again) = self.again else { return inbox.recv().ok() };
        match inbox.recv_timeout(IN_USE_PAUSE) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Timeout) => Some(again),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn tell(&self, at: Instant, event: CardEvent) {
        self.voice.tell(at, event);
    }

    fn lifted(&mut self, at: Instant) {
        (self.lies, self.unread, self.again) = (None, None, None);
        self.tell(at, CardEvent::Lifted(self.name.clone()));
    }

    /// A card was read. The one that is known to lie there is no news.
    fn lies(&mut self, at: Instant, uid: Uid, content: Content, fresh: bool) {
        if self.lies == Some(uid) {
            return;
        }
        if self.lies.is_some() {
            self.lifted(at);
        }
        (self.lies, self.unread) = (Some(uid), None);
        let tap = Tap { reader: self.name.clone(), uid, content };
        self.tell(at, if fresh { CardEvent::Tapped(tap) } else { CardEvent::Lying(tap) });
    }

    /// Tells why a card was not read. One that another program has, or that was counted late, is looked at again, the
    /// last time perhaps when it is not there any more: what was told of it is not told again, and that it is gone will be
    /// told.
    fn unreadable(&mut self, at: Instant, why: Unread) {
        let news = self.unread.is_none_or(|told| told != why && why != Unread::Lifted);
        if news {
            self.unread = Some(why);
            self.tell(at, CardEvent::Unreadable { reader: self.name.clone(), why });
        }
    }

    /// Reads what was laid down, and tells it if it is still what lies there.
    fn read(&mut self, at: Instant, count: u32, fresh: bool) {
        self.again = None;
        let mut last = Stumble::Lost;
        for attempt in 1..=ATTEMPTS {
            match self.with_card(|card| read_card(card, attempt == ATTEMPTS)) {
                Ok((uid, content)) => {
                    // Of a card that was lifted since and followed by another, the next look tells.
                    if self.state().is_none_or(|(_, now)| steps(count, now) <= 1) {
                        return self.lies(at, uid, content, fresh);
                    }
                    last = Stumble::NoCard;
                }
                Err(stumble) => last = stumble,
            }
            match self.state() {
                Some((state, now)) if state.contains(State::PRESENT) && steps(count, now) <= 1 => {}
                // Another card: it is told as well.
                Some((state, _)) if state.contains(State::PRESENT) => return,
                // A card that was told, and whose going will be told.
                Some(_) if self.lies.is_some() => return,
                Some(_) => return self.unreadable(at, Unread::Lifted),
                // The service has gone, which the waiting thread tells.
                None => return,
            }
            if attempt < ATTEMPTS {
                rest();
            }
        }
        // After an outage it cannot be said that it is the card which was told; a late count is no reason to doubt it.
        if self.lies.is_some() && !fresh {
            self.lifted(at);
        }
        if self.lies.is_none() {
            self.unreadable(
                at,
                match last {
                    Stumble::InUse => Unread::InUse,
                    // The service knows later than the reader that a card has gone.
                    Stumble::NoCard => Unread::Lifted,
                    _ => Unread::Failed,
                },
            );
        }
        if last == Stumble::InUse {
            self.again = Some(Job::Again { at, count, fresh });
        }
    }

    /// Changes what is on a card, which tells its record afterwards.
    fn change(
        &mut self,
        at: Instant,
        uid: Uid,
        told_as: fn(Tap) -> CardEvent,
        work: impl Fn(&mut Talk<'_>) -> Result<Record, Stumble>,
    ) {
        let mut last = Stumble::Lost;
        for attempt in 1..=ATTEMPTS {
            match self.with_card(&work) {
                Ok(record) => {
                    let content = Content::Ours(record);
                    return self.tell(at, told_as(Tap { reader: self.name.clone(), uid, content }));
                }
                Err(stumble) => last = stumble,
            }
            if attempt < ATTEMPTS && !matches!(last, Stumble::Unfit(_) | Stumble::NoCard) {
                rest();
            }
        }
        let why = match last {
            Stumble::Unfit(why) => why,
            Stumble::NoCard => WriteError::Lifted,
            Stumble::Swapped => WriteError::OtherCard,
            Stumble::InUse => WriteError::InUse,
            Stumble::Refused => WriteError::Locked,
            Stumble::Lost => match self.state() {
                Some((state, _)) if !state.contains(State::PRESENT) => WriteError::Lifted,
                _ => WriteError::Failed,
            },
        };
        self.tell(at, CardEvent::NotWritten { reader: self.name.clone(), why });
    }

    /// What the service says of this reader now, and how many cards it has counted.
    fn state(&mut self) -> Option<(State, u32)> {
        let context = self.context()?;
        let mut states = [ReaderState::new(self.as_written.clone(), State::UNAWARE)];
        if context.get_status_change(Duration::ZERO, &mut states).is_err() {
            self.context = None;
            return None;
        }
        states.first().map(|state| (state.event_state(), state.event_count()))
    }

    fn context(&mut self) -> Option<Context> {
        if self.context.is_none() {
            self.context = Context::establish(Scope::User).ok();
        }
        self.context.clone()
    }

    /// Talks to the card, with no other program between two questions. A card that failed is reset, so that a tag
    /// that fell silent hears again; any other is left as it is.
    fn with_card<T>(&mut self, work: impl FnOnce(&mut Talk<'_>) -> Result<T, Stumble>) -> Result<T, Stumble> {
        let context = self.context().ok_or(Stumble::Lost)?;
        let (voice, hush) = (&self.voice, &mut self.hush);
        voice.asks();
        let connected = connect(&context, &self.as_written).and_then(|mut card| {
            let done = {
                let held = card.transaction().map_err(stumble)?;
                let mut talk = Talk { card: &held, voice };
                let done = work(&mut talk)?;
                if std::mem::take(hush) {
                    // A comfort: a reader that does not know it beeps on, and the card was read.
                    let _ = talk.ask(Command::Beep(false), |_| Some(()));
                }
                held.end(Disposition::LeaveCard).map_err(|(_, error)| stumble(error))?;
                done
            };
            card.disconnect(Disposition::LeaveCard).map_err(|(_, error)| stumble(error))?;
            Ok(done)
        });
        if connected.as_ref().is_err_and(|stumble| *stumble == Stumble::Lost) {
            self.context = None;
        }
        connected
    }
}

#[expect(clippy::disallowed_methods, reason = "a card that could not be read is given time")]
fn rest() {
    thread::sleep(RETRY_PAUSE);
}

fn connect(context: &Context, reader: &CStr) -> Result<Card, Stumble> {
    context.connect(reader, ShareMode::Shared, Protocols::ANY).map_err(stumble)
}

fn stumble(error: pcsc::Error) -> Stumble {
    match error {
        pcsc::Error::NoSmartcard | pcsc::Error::RemovedCard => Stumble::NoCard,
        pcsc::Error::SharingViolation => Stumble::InUse,
        _ => Stumble::Lost,
    }
}

/// A card that is held for as long as it is read.
struct Talk<'a> {
    card: &'a Card,
    voice: &'a Voice,
}

impl Talk<'_> {
    /// One question; what `understood` makes of the answer.
    fn ask<T>(
        &mut self,
        command: Command,
        understood: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, Stumble> {
        self.voice.asks();
        let mut room = [0; LONGEST_ANSWER];
        let answer = self.card.transmit(&command.to_bytes(), &mut room).map_err(stumble)?;
        match answer {
            // A card that went while it was asked.
            [] => Err(Stumble::Lost),
            answer => understood(answer).ok_or(Stumble::Refused),
        }
    }

    fn uid(&mut self) -> Result<Uid, Stumble> {
        self.ask(Command::Uid, apdu::uid)
    }

    /// What is written on it, read no further than needed.
    fn content(&mut self) -> Result<Content, Stumble> {
        let mut area = Vec::new();
        let mut page = FIRST_PAGE;
        loop {
            match scan(&area) {
                Scan::Is(content) => return Ok(content),
                Scan::More => area.extend(self.ask(Command::Read(page), apdu::pages)?),
            }
            page = page.saturating_add(PAGES_A_READ);
        }
    }
}

/// UID, content, and the UID again: a card that is laid quickly in another's place must not get its content. A card
/// that does not let itself be read even at the last attempt still has its UID.
fn read_card(card: &mut Talk<'_>, last: bool) -> Result<(Uid, Content), Stumble> {
    let uid = card.uid()?;
    let content = match card.content() {
        Err(Stumble::Refused) if last => Content::Closed,
        content => content?,
    };
    if card.uid()? == uid { Ok((uid, content)) } else { Err(Stumble::Swapped) }
}

/// Writes the pages in their order, and reads them again.
fn write_card(card: &mut Talk<'_>, uid: Uid, record: &Record) -> Result<Record, Stumble> {
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    let first_pages = card.ask(Command::Read(0), apdu::pages)?;
    let capability = Capability::parse(apdu::capability(first_pages));
    let capability = capability.ok_or(Stumble::Unfit(WriteError::NotPrepared))?;
    if !capability.writable {
        return Err(Stumble::Unfit(WriteError::Locked));
    }
    if usize::from(capability.size) < record.area().len() {
        return Err(Stumble::Unfit(WriteError::TooSmall));
    }
    for (page, bytes) in record.writes() {
        card.ask(Command::Write(page, bytes), |answer| apdu::done(answer).map(|_| ()))?;
    }
    let written = card.content()?;
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    if written == Content::Ours(*record) { Ok(*record) } else { Err(Stumble::Lost) }
}

/// Locks the pages with a record of this id, and looks whether they are.
fn lock_card(card: &mut Talk<'_>, uid: Uid, id: CardId) -> Result<Record, Stumble> {
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    let record = match card.content()? {
        Content::Ours(record) if record.id == id => record,
        _ => return Err(Stumble::Swapped),
    };
    if !apdu::is_locked(card.ask(Command::Read(0), apdu::pages)?) {
        card.ask(Command::Write(LOCK_PAGE, LOCK), |answer| apdu::done(answer).map(|_| ()))?;
    }
    let locked = apdu::is_locked(card.ask(Command::Read(0), apdu::pages)?);
    if card.uid()? != uid {
        return Err(Stumble::Swapped);
    }
    // A tag that takes the command and does nothing cannot be locked so.
    if locked { Ok(record) } else { Err(Stumble::Refused) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIES: State = State::PRESENT;
    const EMPTY: State = State::EMPTY;

    fn laid(count: u32, fresh: bool) -> Change {
        Change::Laid { count, fresh, mute: false }
    }

    fn late(count: u32) -> Change {
        Change::Doubtful { count, late: true }
    }

    const START: Instant = Instant::ZERO;

    /// Looks at a moment long after the first look.
    fn look(seen: &mut Seen, state: State, count: u32) -> Vec<Change> {
        seen.look(state, count, START + Millis(60_000))
    }

    /// An empty reader, known for long.
    fn empty(count: u32) -> Seen {
        Seen { since: Some(START), count, ..Seen::default() }
    }

    #[test]
    fn what_lies_there_at_first_was_not_laid_down_now() {
        let mut seen = Seen::default();
        assert_eq!(seen.look(LIES, 7, START), [laid(7, false)]);
        assert_eq!(look(&mut seen, LIES | State::INUSE, 7), []);
        assert_eq!(look(&mut seen, EMPTY, 8), [Change::Lifted]);
        assert_eq!(look(&mut seen, LIES, 9), [laid(9, true)]);
        // A service that has just begun finds its cards a moment later.
        let mut seen = Seen::default();
        assert_eq!(seen.look(EMPTY, 0, START), []);
        assert_eq!(seen.look(LIES, 1, START + Millis(40)), [laid(1, false)]);
    }

    #[test]
    fn two_taps_between_two_looks_are_told_by_the_count() {
        let mut seen = empty(0);
        assert_eq!(look(&mut seen, LIES, 1), [laid(1, true)]);
        assert_eq!(look(&mut seen, LIES, 3), [Change::Lifted, laid(3, true)]);
        assert_eq!(look(&mut seen, EMPTY, 3), [Change::Lifted], "told early, with the old count");
        assert_eq!(look(&mut seen, EMPTY, 4), [], "and again with the new one");
        assert_eq!(look(&mut seen, EMPTY, 6), [], "a card that was gone before anyone looked");
        assert_eq!(look(&mut seen, LIES, 7), [laid(7, true)]);
    }

    #[test]
    fn a_count_that_comes_late_is_left_to_whoever_reads_and_one_more_is_another_card() {
        let mut seen = empty(4);
        assert_eq!(look(&mut seen, LIES, 4), [laid(4, true)], "not counted yet");
        assert_eq!(look(&mut seen, LIES, 5), [late(5)]);
        assert_eq!(look(&mut seen, LIES, 6), [Change::Lifted, laid(6, true)], "counted half");
        assert_eq!(look(&mut seen, LIES, 7), [late(7)], "and whole");
        assert_eq!(look(&mut seen, EMPTY, 7), [Change::Lifted]);
        assert_eq!(look(&mut seen, EMPTY, 8), []);
        // The going of one was not counted when the next was laid.
        assert_eq!(look(&mut seen, LIES, 9), [laid(9, true)]);
        assert_eq!(look(&mut seen, EMPTY, 9), [Change::Lifted]);
        assert_eq!(look(&mut seen, LIES, 10), [laid(10, true)]);
        assert_eq!(look(&mut seen, LIES, 11), [late(11)]);
    }

    #[test]
    fn a_card_laid_again_is_told_though_both_counts_are_seen_one_at_a_time() {
        let mut seen = empty(0);
        assert_eq!(look(&mut seen, LIES, 1), [laid(1, true)]);
        let changes = [look(&mut seen, LIES, 2), look(&mut seen, LIES, 3)].concat();
        assert_eq!(changes, [Change::Lifted, laid(2, true), late(3)], "once");
    }

    #[test]
    fn a_service_that_counts_its_first_card_never_is_believed_once_it_is_quiet() {
        let mut seen = empty(0);
        assert_eq!(look(&mut seen, LIES, 0), [laid(0, true)]);
        seen.settled();
        assert_eq!(look(&mut seen, LIES, 1), [Change::Lifted, laid(1, true)]);
    }

    #[test]
    fn a_count_that_wraps_is_another_count() {
        let mut seen = Seen { card: true, ..empty(65_535) };
        assert_eq!(look(&mut seen, LIES, 1), [Change::Lifted, laid(1, true)]);
    }

    #[test]
    fn after_a_new_start_of_the_service_a_card_that_has_gone_is_told_and_one_that_stayed_is_read_again() {
        let before = Seen { card: true, ..Seen::default() };
        assert_eq!(before.clone().look(EMPTY, 0, START), [Change::Lifted]);
        assert_eq!(before.clone().look(LIES, 1, START), [Change::Doubtful { count: 1, late: false }]);
    }

    #[test]
    fn the_slot_inside_a_reader_is_no_reader_for_cards() {
        assert!(is_inner_slot("ACS ACR1252 Dual Reader SAM 00 01"));
        assert!(is_inner_slot("ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] 01 00"));
        assert!(!is_inner_slot("ACS ACR1252 Dual Reader PICC 00 00"));
        assert!(!is_inner_slot("SAMSUNG Reader 00 00"));
    }

    /// A reader's voice, and what it has said; the time that it reads is the one given.
    fn voice(now: u64) -> (Arc<Voice>, Arc<Mutex<Vec<String>>>) {
        struct Fixed(Instant);
        impl Timeline for Fixed {
            fn now(&self) -> Instant {
                self.0
            }
        }
        let heard = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&heard);
        let sink: Sink = Box::new(move |_, event| {
            whole(&into).push(match event {
                CardEvent::Trouble(_) => "trouble".to_owned(),
                CardEvent::TroubleOver(_) => "over".to_owned(),
                other => format!("{other:?}"),
            });
        });
        let timeline = SharedTimeline(Arc::new(Fixed(Instant::ZERO + Millis(now))));
        (Arc::new(Voice::new("R".into(), &Arc::new(Mutex::new(sink)), &timeline)), heard)
    }

    #[test]
    fn a_reader_with_too_much_before_it_is_told_as_busy_and_not_as_gone() {
        let (voice, _) = voice(0);
        let (jobs, inbox) = sync_channel(1);
        let (alive, _ended) = sync_channel(1);
        let handle = Handle {
            workers: Workers::default(),
            _alive: alive,
            stop: Arc::default(),
            timeline: voice.timeline.clone(),
        };
        whole(&handle.workers).insert("R".into(), Worker { jobs, voice });
        let uid = Uid::parse("04010203").expect("four bytes");
        let write = || handle.write(&"R".into(), uid, Record::new(CardId([1; 16])));
        assert_eq!(write(), Ok(()));
        assert_eq!(write(), Err(WriteError::Busy));
        drop(inbox);
        assert_eq!(write(), Err(WriteError::NoReader));
    }

    #[test]
    fn a_reader_that_owes_an_answer_for_two_seconds_is_told_once() {
        let at = |millis| Instant::ZERO + Millis(millis);
        let (voice, heard) = voice(100);
        voice.asks();
        voice.look(at(2_000));
        assert!(whole(&heard).is_empty());
        voice.look(at(2_100));
        voice.look(at(9_000));
        assert_eq!(*whole(&heard), ["trouble"]);
        voice.answered();
        voice.answered();
        assert_eq!(*whole(&heard), ["trouble", "over"]);
    }

    #[test]
    fn the_newest_word_about_a_reader_that_answers_late_is_the_true_one() {
        let (voice, heard) = voice(0);
        voice.asks();
        // Whoever listens is busy: what the waiting thread says waits, and what the reader's says waits behind it.
        let busy = Arc::clone(&voice.sink);
        let busy = whole(&busy);
        let other = Arc::clone(&voice);
        let waiting = thread::spawn(move || other.look(Instant::ZERO + SILENT));
        let mut held = 0;
        while held < 10_000 {
            match voice.said.try_lock() {
                Ok(said) => assert!(!said.silent, "it is not told yet, and another word may come first"),
                Err(_) => held += 1,
            }
            thread::yield_now();
        }
        drop(busy);
        voice.answered();
        waiting.join().expect("it looked");
        assert_eq!(*whole(&heard), ["trouble", "over"]);
    }

    #[test]
    fn nothing_is_told_of_a_reader_that_has_gone() {
        let (voice, heard) = voice(0);
        voice.asks();
        voice.look(Instant::ZERO + SILENT);
        voice.gone(Instant::ZERO);
        voice.tell(Instant::ZERO, CardEvent::Lifted("R".into()));
        voice.answered();
        voice.asks();
        voice.look(Instant::ZERO + Millis(60_000));
        assert_eq!(*whole(&heard), ["trouble", r#"Gone(ReaderName("R"))"#]);
    }
}
