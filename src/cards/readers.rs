//! Keeps all card readers: notices cards, reads and writes them, tells a sink.
//!
//! One thread waits for the system's service (PC/SC) to tell of readers and cards; each reader has a thread of its own
//! that talks to its cards, so that a reader that hangs holds no other up. No card is held between two taps.
//! Facts about the service: `docs/cards.md`, "Readers"; each is tried with the real one in `tests/cards.rs`.
//! Not seen on hardware: anything.

mod seen;
mod talk;
mod talker;
mod voice;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pcsc::{Context, PNP_NOTIFICATION, ReaderState, Scope, State};
use tabiya_types::{Instant, Millis, Timeline};

use self::seen::{KnownState, SETTLE};
use self::talker::{Job, RETRY_PAUSE, Worker};
use self::voice::{SharedSink, SharedTimeline, whole};
use super::event::{CardError, CardEvent, CardSink, Options, ReaderName, WriteError};
use super::ndef::{CardId, Record};
use super::quirks::{is_held_by_the_system, is_inner_slot};
use super::tag::Uid;

/// How long the service is asked to wait for news: readers are counted anew after it, as it does not tell of all.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// Before the service is looked for again.
const SERVICE_PAUSE: Duration = Duration::from_millis(250);
/// How often it is looked whether the system's own driver holds a reader.
const LOOK_FOR_HELD: Millis = Millis(1_000);

/// The readers, until this is dropped. Dropping waits for nothing.
#[derive(Debug)]
pub struct CardReaders {
    workers: Workers,
    /// Its end tells the waiting thread to stop.
    _alive: SyncSender<()>,
    stop: Arc<AtomicBool>,
    timeline: SharedTimeline,
}

impl CardReaders {
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

impl Drop for CardReaders {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// Starts looking for readers and cards.
pub fn spawn(timeline: Arc<dyn Timeline>, sink: CardSink) -> CardReaders {
    spawn_with(timeline, sink, Options::default())
}

/// The same, with more than is usual.
pub fn spawn_with(timeline: Arc<dyn Timeline>, sink: CardSink, options: Options) -> CardReaders {
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
    CardReaders { workers, _alive: alive, stop, timeline }
}

type Workers = Arc<Mutex<BTreeMap<ReaderName, Worker>>>;

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
    seen: BTreeMap<ReaderName, KnownState>,
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
        self.seen.values_mut().for_each(KnownState::begins_anew);
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
                Err(pcsc::Error::Timeout) => self.seen.values_mut().for_each(KnownState::settled),
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
            .filter(|(name, _)| !is_inner_slot(name))
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
                self.seen.insert(name.clone(), KnownState::default());
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
        let held = is_held_by_the_system(self.seen.keys(), &self.options.plugged);
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

#[cfg(test)]
mod tests {
    use super::voice::tests::voice;
    use super::*;

    #[test]
    fn a_reader_with_too_much_before_it_is_told_as_busy_and_not_as_gone() {
        let (voice, _) = voice(0);
        let (jobs, inbox) = sync_channel(1);
        let (alive, _ended) = sync_channel(1);
        let handle = CardReaders {
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
}
