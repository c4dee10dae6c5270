//! Card readers: detects readers and cards, reads and writes cards, and sends events to a sink.
//!
//! One thread waits until the system's card service (PC/SC) reports a change; each reader has its own thread that talks
//! to its cards, so that a hanging reader does not delay the others. Between taps no connection to a card is kept.
//! Facts about the service: `docs/cards.md`, "Readers"; `tests/cards/service.rs` tries each of them with the real
//! service. Nothing here was tested on hardware.

mod connection;
mod reports;
mod seen;
mod worker;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pcsc::{Context, PNP_NOTIFICATION, ReaderState, Scope, State};
use tabiya_types::{Instant, Millis, Timeline};

use self::reports::{SharedSink, SharedTimeline, lock};
use self::seen::{KnownState, SETTLE};
use self::worker::{Job, RETRY_PAUSE, Worker};
use super::event::{CardError, CardEvent, CardSink, Options, ReaderName, WriteError};
use super::ndef::{CardId, Record};
use super::platform::REPORTS_NEW_READERS;
use super::quirks::{is_held_by_the_system, is_inner_slot};
use super::tag::Uid;

/// How long one call to the card service waits for a change. After each call the readers are listed again, since the
/// service does not report every new reader.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// How long to wait before connecting to the card service again.
const SERVICE_PAUSE: Duration = Duration::from_millis(250);
/// How often to check whether the kernel's NFC driver holds a reader.
const LOOK_FOR_HELD: Millis = Millis(1_000);

/// A handle to all readers. Dropping it stops their threads, without waiting for them.
#[derive(Debug)]
pub struct CardReaders {
    workers: Workers,
    /// Nothing is ever sent over this channel. Dropping this end of it wakes the waiting thread, so that the thread
    /// stops.
    _alive: SyncSender<()>,
    stop: Arc<AtomicBool>,
    timeline: SharedTimeline,
}

impl CardReaders {
    /// Starts writing a record on the card with this UID. No other card is written. The result follows as
    /// [`CardEvent::Written`] or [`CardEvent::NotWritten`]. `Err` if the reader is not connected or its queue is full.
    pub fn write(&self, reader: &ReaderName, uid: Uid, record: Record) -> Result<(), WriteError> {
        self.ask(reader, Job::Write { at: self.timeline.0.now(), uid, record })
    }

    /// Starts locking the card with this UID permanently. The card is locked only if the card id `id` is written on it.
    /// The result follows as [`CardEvent::Locked`] or [`CardEvent::NotWritten`]. `Err` if the reader is not connected
    /// or its queue is full.
    pub fn lock(&self, reader: &ReaderName, uid: Uid, id: CardId) -> Result<(), WriteError> {
        self.ask(reader, Job::Lock { at: self.timeline.0.now(), uid, id })
    }

    fn ask(&self, reader: &ReaderName, job: Job) -> Result<(), WriteError> {
        let workers = lock(&self.workers);
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

/// Starts watching for readers and cards, with the usual options.
pub fn spawn(timeline: Arc<dyn Timeline>, sink: CardSink) -> CardReaders {
    spawn_with(timeline, sink, Options::default())
}

/// Starts watching for readers and cards, with these options.
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
        reported: None,
        held: Held::default(),
    };
    thread::spawn(move || waiter.run());
    CardReaders { workers, _alive: alive, stop, timeline }
}

type Workers = Arc<Mutex<BTreeMap<ReaderName, Worker>>>;

/// Whether the kernel's NFC driver holds a reader, so that the service cannot use it.
#[derive(Debug, Default)]
struct Held {
    /// The time of the last check; `None` before the first check.
    checked: Option<Instant>,
    /// Whether the last check found a reader that the driver holds. A second check must confirm this, since the card
    /// service may only be slow.
    suspected: bool,
    /// Whether it was reported that the driver holds a reader, and this problem is not over.
    reported: bool,
}

/// The thread that waits for changes from the service.
struct Waiter {
    workers: Workers,
    sink: SharedSink,
    timeline: SharedTimeline,
    ended: Receiver<()>,
    stop: Arc<AtomicBool>,
    options: Options,
    seen: BTreeMap<ReaderName, KnownState>,
    /// The reported problem with the card service; `None` if all reported problems are over.
    reported: Option<CardError>,
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
        lock(&self.workers).clear();
    }

    /// Waits for this duration, or until the handle is dropped.
    fn pause(&self, length: Duration) {
        if self.ended.recv_timeout(length) == Err(RecvTimeoutError::Disconnected) {
            self.stop.store(true, Ordering::Release);
        }
    }

    fn send(&self, at: Instant, event: CardEvent) {
        lock(&self.sink)(at, event);
    }

    fn trouble(&mut self, error: CardError) {
        // After the report that the service has stopped, the report that no service is running would add nothing.
        let news = match (&self.reported, &error) {
            (None, _) => true,
            (Some(CardError::ServiceStopped), CardError::NoService) => false,
            (Some(last), error) => last.to_string() != error.to_string(),
        };
        if news {
            self.reported = Some(error.clone());
            self.send(self.timeline.0.now(), CardEvent::Problem(error));
        }
    }

    /// Watches the readers until the connection to the service ends, and returns why; `None` if the handle was dropped.
    fn watch(&mut self, context: &Context) -> Option<CardError> {
        // A new connection ends earlier problems. A problem that persists is reported again.
        self.held = Held::default();
        // A restarted service counts events from 0, and a card may have been lifted while the service was stopped.
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
            self.update_readers(names, &mut states);
            if self.reported.take().is_some() {
                self.send(self.timeline.0.now(), CardEvent::ProblemOver(None));
            }
            self.look_for_silent();
            for state in &mut states {
                state.sync_current_state();
            }
            let settled = self.timeline.0.now().since(began) > SETTLE + Millis(100);
            if settled && !std::mem::replace(&mut ready, true) {
                self.send(self.timeline.0.now(), CardEvent::Ready);
            }
            // Whether another driver holds a reader is checked only after `ready`: before that a reader may be missing
            // just because the service is slow.
            if ready {
                self.look_for_held();
            }
            if states.is_empty() {
                self.pause(LONGEST_WAIT);
                continue;
            }
            match context.get_status_change(LONGEST_WAIT, &mut states) {
                Ok(()) => self.dispatch(&states),
                Err(pcsc::Error::Timeout) => self.seen.values_mut().for_each(KnownState::settled),
                Err(pcsc::Error::Cancelled) => {}
                // A reader was disconnected after it had been listed.
                Err(pcsc::Error::UnknownReader) => self.pause(RETRY_PAUSE),
                Err(_) => return Some(CardError::ServiceStopped),
            }
        }
        None
    }

    /// Compares the list of readers with the known ones. Reports new and removed readers, and starts or ends their
    /// threads.
    fn update_readers(&mut self, names: Vec<CString>, states: &mut Vec<ReaderState>) {
        let names: BTreeMap<ReaderName, CString> = names
            .into_iter()
            .map(|name| (ReaderName::from(&*name.to_string_lossy()), name))
            .filter(|(name, _)| !is_inner_slot(name))
            .collect();
        // This special entry in the list makes the service report newly plugged-in readers.
        let any = PNP_NOTIFICATION();
        if REPORTS_NEW_READERS && !states.iter().any(|state| state.name() == any) {
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
            let worker = lock(&self.workers).remove(&name);
            if let Some(worker) = worker {
                worker.reports.disconnected(now);
            }
        }
        for (name, as_written) in names {
            if !states.iter().any(|state| state.name() == as_written.as_c_str()) {
                states.push(ReaderState::new(as_written.clone(), State::UNAWARE));
            }
            if !self.seen.contains_key(&name) {
                self.seen.insert(name.clone(), KnownState::default());
                let worker = Worker::start(&name, as_written, self.options.quiet, &self.sink, &self.timeline);
                lock(&self.workers).insert(name.clone(), worker);
                self.send(now, CardEvent::Connected(name));
            }
        }
    }

    /// Passes each reader's changes to its thread.
    fn dispatch(&mut self, states: &[ReaderState]) {
        let at = self.timeline.0.now();
        for state in states {
            let current = state.event_state();
            let name = ReaderName::from(&*state.name().to_string_lossy());
            let Some(seen) = self.seen.get_mut(&name) else { continue };
            if !current.contains(State::CHANGED) {
                continue;
            }
            let changes = seen.look(current, state.event_count(), at);
            if let Some(worker) = lock(&self.workers).get(&name) {
                for change in changes {
                    // The queue is full only if the reader hangs, and then the hanging reader is reported already.
                    let _ = worker.jobs.try_send(Job::Change { at, change });
                }
            }
        }
    }

    fn look_for_held(&mut self) {
        let now = self.timeline.0.now();
        if self.held.checked.is_some_and(|checked| now.since(checked) < LOOK_FOR_HELD) {
            return;
        }
        self.held.checked = Some(now);
        let held = is_held_by_the_system(self.seen.keys(), &self.options.usb_devices);
        if held && self.held.suspected && !self.held.reported {
            self.held.reported = true;
            self.send(now, CardEvent::Problem(CardError::HeldBySystem));
        }
        if !held && self.held.reported {
            self.held.reported = false;
            self.send(now, CardEvent::ProblemOver(None));
        }
        self.held.suspected = held;
    }

    fn look_for_silent(&self) {
        let now = self.timeline.0.now();
        // While an event is sent, the sink may call `write`, which locks the workers. To avoid a deadlock, the lock on
        // the workers is released before an event is sent.
        let voices: Vec<_> = lock(&self.workers).values().map(|worker| Arc::clone(&worker.reports)).collect();
        for voice in voices {
            voice.check_silence(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::reports::tests::voice;
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
        lock(&handle.workers).insert("R".into(), Worker { jobs, reports: voice });
        let uid = Uid::parse("04010203").expect("four bytes");
        let write = || handle.write(&"R".into(), uid, Record::new(CardId([1; 16])));
        assert_eq!(write(), Ok(()));
        assert_eq!(write(), Err(WriteError::Busy));
        drop(inbox);
        assert_eq!(write(), Err(WriteError::NoReader));
    }
}
