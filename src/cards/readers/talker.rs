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
use super::seen::{StateChange, steps};
use super::talk::{CardConnection, Stumble, connect, lock_card, read_card, stumble, write_card};
use super::voice::{ReaderReports, SharedSink, SharedTimeline};

/// Before a card is tried again.
pub(super) const RETRY_PAUSE: Duration = Duration::from_millis(50);
/// Before a card is tried again that another program has for itself.
const IN_USE_PAUSE: Duration = Duration::from_millis(500);
/// How often a card is tried.
const ATTEMPTS: u32 = 3;
/// What may wait for a reader's thread; more only comes while it hangs.
const LONGEST_QUEUE: usize = 64;

/// The waiting thread's end of a reader's thread.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) jobs: SyncSender<Job>,
    pub(super) voice: Arc<ReaderReports>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Job {
    Change {
        at: Instant,
        change: StateChange,
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

impl Worker {
    pub(super) fn start(
        name: &ReaderName,
        as_written: CString,
        quiet: bool,
        sink: &SharedSink,
        timeline: &SharedTimeline,
    ) -> Self {
        let (jobs, inbox) = sync_channel(LONGEST_QUEUE);
        let voice = Arc::new(ReaderReports::new(name.clone(), sink, timeline));
        let mut talker = Talker {
            name: name.clone(),
            as_written,
            context: None,
            voice: Arc::clone(&voice),
            lies: None,
            unread: None,
            hush: quiet && beeps(name),
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
    voice: Arc<ReaderReports>,
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
    fn lies(&mut self, at: Instant, uid: Uid, content: TagContent, fresh: bool) {
        if self.lies == Some(uid) {
            return;
        }
        if self.lies.is_some() {
            self.lifted(at);
        }
        (self.lies, self.unread) = (Some(uid), None);
        let tap = CardTap { reader: self.name.clone(), uid, content };
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
        told_as: fn(CardTap) -> CardEvent,
        work: impl Fn(&mut CardConnection<'_>) -> Result<Record, Stumble>,
    ) {
        let mut last = Stumble::Lost;
        for attempt in 1..=ATTEMPTS {
            match self.with_card(&work) {
                Ok(record) => {
                    let content = TagContent::Ours(record);
                    return self.tell(at, told_as(CardTap { reader: self.name.clone(), uid, content }));
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
    fn with_card<T>(
        &mut self,
        work: impl FnOnce(&mut CardConnection<'_>) -> Result<T, Stumble>,
    ) -> Result<T, Stumble> {
        let context = self.context().ok_or(Stumble::Lost)?;
        let (voice, hush) = (&self.voice, &mut self.hush);
        voice.asks();
        let connected = connect(&context, &self.as_written).and_then(|mut card| {
            let done = {
                let held = card.transaction().map_err(stumble)?;
                let mut talk = CardConnection { card: &held, voice };
                let done = work(&mut talk)?;
                if std::mem::take(hush) {
                    // A comfort: a reader that does not know it beeps on, and the card was read.
                    let _ = talk.ask(ReaderCommand::Beep(false), |_| Some(()));
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
