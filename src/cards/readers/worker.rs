//! The thread that talks to one reader's cards.

use std::ffi::CString;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use pcsc::{Context, Disposition, ReaderState, Scope, State};
use tabiya_types::Instant;

use super::super::apdu::ReaderCommand;
use super::super::event::{CardEvent, CardTap, ReaderName, Unread, WriteError};
use super::super::ndef::{CardId, Record, TagContent};
use super::super::quirks::beeps;
use super::super::tag::Uid;
use super::connection::{
    CardConnection, CardFailure, card_failure, connect, lock_card, read_card, write_card,
};
use super::reports::{ReaderReports, SharedSink, SharedTimeline};
use super::seen::{StateChange, steps};

/// The pause before another attempt to read or write a card.
pub(super) const RETRY_PAUSE: Duration = Duration::from_millis(50);
/// The pause before another attempt at a card that another program has exclusive access to.
const IN_USE_PAUSE: Duration = Duration::from_millis(500);
/// How many attempts to read or write a card are made before a failure is reported.
const ATTEMPTS: u32 = 3;
/// The size of the queue of a reader's thread. It fills up only while the reader hangs.
const LONGEST_QUEUE: usize = 64;

/// The handle to a reader's thread. It is for the thread that waits for changes of all readers.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) jobs: SyncSender<Job>,
    pub(super) reports: Arc<ReaderReports>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Job {
    Change {
        at: Instant,
        change: StateChange,
    },
    /// Reads a card again, because another program had exclusive access to the card at the last attempt.
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

impl Worker {
    pub(super) fn start(
        name: &ReaderName,
        system_name: CString,
        quiet: bool,
        sink: &SharedSink,
        timeline: &SharedTimeline,
    ) -> Self {
        let (jobs, inbox) = sync_channel(LONGEST_QUEUE);
        let reports = Arc::new(ReaderReports::new(name.clone(), sink, timeline));
        let mut talker = Talker {
            name: name.clone(),
            as_written: system_name,
            context: None,
            voice: Arc::clone(&reports),
            present: None,
            unread: None,
            hush: quiet && beeps(name),
            again: None,
        };
        thread::spawn(move || talker.run(&inbox));
        Self { jobs, reports }
    }
}

/// The state of one reader's thread. The thread ends when the reader is disconnected; nothing waits for a thread that
/// hangs.
struct Talker {
    name: ReaderName,
    as_written: CString,
    /// This thread's own connection to the service. Threads cannot share a connection, because each command blocks the
    /// connection until the answer arrives.
    context: Option<Context>,
    voice: Arc<ReaderReports>,
    /// The card that was reported last; `None` after it was reported as lifted.
    present: Option<Uid>,
    /// The reported reason why the card on the reader could not be read; `None` if no reason was reported.
    unread: Option<Unread>,
    /// Whether the reader's beep must still be turned off. A reader accepts the command for that only while a card lies
    /// on it.
    hush: bool,
    /// The job to repeat if no other job arrives during [`IN_USE_PAUSE`]; `None` if there is nothing to repeat.
    again: Option<Job>,
}

impl Talker {
    fn run(&mut self, inbox: &Receiver<Job>) {
        while let Some(job) = self.next(inbox) {
            match job {
                Job::Change { at, change: StateChange::Lifted } => self.lifted(at),
                Job::Change { at, change: StateChange::Doubtful { count, late } } => {
                    self.read(at, count, late);
                }
                Job::Change { at, change: StateChange::Laid { count, fresh, mute } } => {
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

    /// Waits for the next job; `None` if the reader was disconnected.
    fn next(&self, inbox: &Receiver<Job>) -> Option<Job> {
        let Some(again) = self.again else { return inbox.recv().ok() };
        match inbox.recv_timeout(IN_USE_PAUSE) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Timeout) => Some(again),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn send(&self, at: Instant, event: CardEvent) {
        self.voice.send(at, event);
    }

    fn lifted(&mut self, at: Instant) {
        (self.present, self.unread, self.again) = (None, None, None);
        self.send(at, CardEvent::Lifted(self.name.clone()));
    }

    /// Reports a card that was read, unless it is the card that was reported last.
    fn report_card(&mut self, at: Instant, uid: Uid, content: TagContent, fresh: bool) {
        if self.present == Some(uid) {
            return;
        }
        if self.present.is_some() {
            self.lifted(at);
        }
        (self.present, self.unread) = (Some(uid), None);
        let tap = CardTap { reader: self.name.clone(), uid, content };
        self.send(at, if fresh { CardEvent::Tapped(tap) } else { CardEvent::Present(tap) });
    }

    /// Reports why a card was not read, unless this reason was the last one reported for the card.
    ///
    /// [`Unread::Lifted`] is reported only if no other reason was reported before. After another reason it means that
    /// the card was lifted during a further attempt to read it. The event for the lifted card follows anyway.
    fn unreadable(&mut self, at: Instant, why: Unread) {
        let news = self.unread.is_none_or(|reported| reported != why && why != Unread::Lifted);
        if news {
            self.unread = Some(why);
            self.send(at, CardEvent::Unreadable { reader: self.name.clone(), why });
        }
    }

    /// Reads the card that was laid down, and reports it if it still lies on the reader.
    fn read(&mut self, at: Instant, count: u32, fresh: bool) {
        self.again = None;
        let mut last = CardFailure::Lost;
        for attempt in 1..=ATTEMPTS {
            match self.with_card(|card| read_card(card, attempt == ATTEMPTS)) {
                Ok((uid, content)) => {
                    // If another card has replaced this card, the next change in the queue reports the new card.
                    if self.state().is_none_or(|(_, now)| steps(count, now) <= 1) {
                        return self.report_card(at, uid, content, fresh);
                    }
                    last = CardFailure::NoCard;
                }
                Err(stumble) => last = stumble,
            }
            match self.state() {
                Some((state, now)) if state.contains(State::PRESENT) && steps(count, now) <= 1 => {}
                // Another card lies on the reader now. The queue already contains the change that will report that
                // card.
                Some((state, _)) if state.contains(State::PRESENT) => return,
                // The reported card was lifted. The queue already contains the change that will report this.
                Some(_) if self.present.is_some() => return,
                Some(_) => return self.unreadable(at, Unread::Lifted),
                // The service has stopped. The waiting thread reports this.
                None => return,
            }
            if attempt < ATTEMPTS {
                rest();
            }
        }
        // All attempts to read the card have failed. If the service was restarted (`fresh` is `false`), another card
        // may lie on the reader by now, so the reported card counts as lifted. If only the service's count was late
        // (`fresh` is `true`), the reported card still lies on the reader.
        if self.present.is_some() && !fresh {
            self.lifted(at);
        }
        if self.present.is_none() {
            self.unreadable(
                at,
                match last {
                    CardFailure::InUse => Unread::InUse,
                    // The reader has noticed that the card was lifted. The service has not noticed it yet.
                    CardFailure::NoCard => Unread::Lifted,
                    _ => Unread::Failed,
                },
            );
        }
        if last == CardFailure::InUse {
            self.again = Some(Job::Again { at, count, fresh });
        }
    }

    /// Writes or locks a card with `work`, in up to [`ATTEMPTS`] attempts, and reports the result. `event` makes the
    /// event for success.
    fn change(
        &mut self,
        at: Instant,
        uid: Uid,
        event: fn(CardTap) -> CardEvent,
        work: impl Fn(&mut CardConnection<'_>) -> Result<Record, CardFailure>,
    ) {
        let mut last = CardFailure::Lost;
        for attempt in 1..=ATTEMPTS {
            match self.with_card(&work) {
                Ok(record) => {
                    let content = TagContent::Ours(record);
                    return self.send(at, event(CardTap { reader: self.name.clone(), uid, content }));
                }
                Err(stumble) => last = stumble,
            }
            if attempt < ATTEMPTS && !matches!(last, CardFailure::Unfit(_) | CardFailure::NoCard) {
                rest();
            }
        }
        let why = match last {
            CardFailure::Unfit(why) => why,
            CardFailure::NoCard => WriteError::Lifted,
            CardFailure::Swapped => WriteError::OtherCard,
            CardFailure::InUse => WriteError::InUse,
            CardFailure::Refused => WriteError::Locked,
            CardFailure::Lost => match self.state() {
                Some((state, _)) if !state.contains(State::PRESENT) => WriteError::Lifted,
                _ => WriteError::Failed,
            },
        };
        self.send(at, CardEvent::NotWritten { reader: self.name.clone(), why });
    }

    /// Returns the reader's current state and event count from the service; `None` if the service does not answer.
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

    /// Runs `work` on the card in a transaction, so that no other program can use the card meanwhile. If `work` fails,
    /// the card is reset, because a tag that has stopped answering may then answer again.
    fn with_card<T>(
        &mut self,
        work: impl FnOnce(&mut CardConnection<'_>) -> Result<T, CardFailure>,
    ) -> Result<T, CardFailure> {
        let context = self.context().ok_or(CardFailure::Lost)?;
        let (voice, hush) = (&self.voice, &mut self.hush);
        voice.command_sent();
        let connected = connect(&context, &self.as_written).and_then(|mut card| {
            let done = {
                let held = card.transaction().map_err(card_failure)?;
                let mut talk = CardConnection { card: &held, reports: voice };
                let done = work(&mut talk)?;
                if std::mem::take(hush) {
                    // An error is ignored, because the card was read. The error only means that the reader goes on
                    // beeping.
                    let _ = talk.ask(ReaderCommand::Beep(false), |_| Some(()));
                }
                held.end(Disposition::LeaveCard).map_err(|(_, error)| card_failure(error))?;
                done
            };
            card.disconnect(Disposition::LeaveCard).map_err(|(_, error)| card_failure(error))?;
            Ok(done)
        });
        if connected.as_ref().is_err_and(|stumble| *stumble == CardFailure::Lost) {
            self.context = None;
        }
        connected
    }
}

#[expect(clippy::disallowed_methods, reason = "a card that could not be read gets a moment to settle")]
fn rest() {
    thread::sleep(RETRY_PAUSE);
}
