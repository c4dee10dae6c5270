//! Sends the events of one reader, from two threads, in the right order.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabiya_types::{Instant, Millis, Timeline};

use super::super::event::{CardError, CardEvent, CardSink, ReaderName};

/// After this time without an answer, a reader is reported as not answering.
const SILENT: Millis = Millis(2_000);

/// The timeline that all threads share.
#[derive(Clone)]
pub(super) struct SharedTimeline(pub(super) Arc<dyn Timeline>);

impl std::fmt::Debug for SharedTimeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Timeline")
    }
}

/// The function that receives the events. All threads share it, and only one thread at a time can call it.
pub(super) type SharedSink = Arc<Mutex<CardSink>>;

/// Locks a mutex, even if a thread has panicked while it held the lock: such a thread leaves no half-made change in the
/// data that these mutexes protect.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends the events of one reader. The reader's own thread and the thread that waits for the service share this value
/// and lock its state while they send. Therefore the last event always shows the current state, and no event follows
/// [`CardEvent::Disconnected`].
pub(super) struct ReaderReports {
    name: ReaderName,
    sink: SharedSink,
    pub(super) timeline: SharedTimeline,
    /// What was reported so far. The mutex is locked while an event is sent.
    said: Mutex<ReportState>,
}

#[derive(Debug, Default)]
struct ReportState {
    /// The time at which the unanswered command was sent; `None` if the reader has answered all commands.
    owes: Option<Instant>,
    /// Whether the reader has been reported as not answering, and has not answered since.
    silent: bool,
    /// Whether the reader has been reported as disconnected.
    gone: bool,
}

impl std::fmt::Debug for ReaderReports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReaderReports")
            .field("name", &self.name)
            .field("said", &self.said)
            .finish_non_exhaustive()
    }
}

impl ReaderReports {
    pub(super) fn new(name: ReaderName, sink: &SharedSink, timeline: &SharedTimeline) -> Self {
        Self { name, sink: Arc::clone(sink), timeline: timeline.clone(), said: Mutex::default() }
    }

    pub(super) fn send(&self, at: Instant, event: CardEvent) {
        let said = lock(&self.said);
        if !said.gone {
            lock(&self.sink)(at, event);
        }
    }

    /// Notes that a command is sent to the reader now.
    pub(super) fn command_sent(&self) {
        lock(&self.said).owes = Some(self.timeline.0.now());
    }

    /// Notes that the reader has answered. If the reader had been reported as not answering, reports that this problem
    /// is over.
    pub(super) fn answered(&self) {
        let mut said = lock(&self.said);
        said.owes = None;
        if std::mem::take(&mut said.silent) && !said.gone {
            lock(&self.sink)(self.timeline.0.now(), CardEvent::ProblemOver(Some(self.name.clone())));
        }
    }

    /// Reports once that the reader does not answer, if the last command has waited for [`SILENT`] or longer.
    pub(super) fn check_silence(&self, now: Instant) {
        let mut said = lock(&self.said);
        if !said.gone && !said.silent && said.owes.is_some_and(|since| now.since(since) >= SILENT) {
            said.silent = true;
            let error = CardError::NotAnswering { reader: self.name.clone() };
            lock(&self.sink)(now, CardEvent::Problem(error));
        }
    }

    /// Reports that the reader was disconnected. The same report also ends any problem of the reader that was reported
    /// before.
    pub(super) fn disconnected(&self, at: Instant) {
        let mut said = lock(&self.said);
        said.gone = true;
        lock(&self.sink)(at, CardEvent::Disconnected(self.name.clone()));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::thread;

    use super::*;

    /// Makes a `ReaderReports` whose timeline always shows `now` (in ms), and the list of events that it sends.
    pub(in crate::readers) fn voice(now: u64) -> (Arc<ReaderReports>, Arc<Mutex<Vec<String>>>) {
        struct Fixed(Instant);
        impl Timeline for Fixed {
            fn now(&self) -> Instant {
                self.0
            }
        }
        let heard = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&heard);
        let sink: CardSink = Box::new(move |_, event| {
            lock(&into).push(match event {
                CardEvent::Problem(_) => "trouble".to_owned(),
                CardEvent::ProblemOver(_) => "over".to_owned(),
                other => format!("{other:?}"),
            });
        });
        let timeline = SharedTimeline(Arc::new(Fixed(Instant::ZERO + Millis(now))));
        (Arc::new(ReaderReports::new("R".into(), &Arc::new(Mutex::new(sink)), &timeline)), heard)
    }

    #[test]
    fn a_reader_that_owes_an_answer_for_two_seconds_is_told_once() {
        let at = |millis| Instant::ZERO + Millis(millis);
        let (voice, heard) = voice(100);
        voice.command_sent();
        voice.check_silence(at(2_000));
        assert!(lock(&heard).is_empty());
        voice.check_silence(at(2_100));
        voice.check_silence(at(9_000));
        assert_eq!(*lock(&heard), ["trouble"]);
        voice.answered();
        voice.answered();
        assert_eq!(*lock(&heard), ["trouble", "over"]);
    }

    #[test]
    fn the_newest_word_about_a_reader_that_answers_late_is_the_true_one() {
        let (voice, heard) = voice(0);
        voice.command_sent();
        // This test locks the sink, so the other thread blocks while it sends its event. As long as that thread blocks,
        // it also keeps the state locked. So the reader's own thread, whose part this test plays, would have to wait as
        // well.
        let busy = Arc::clone(&voice.sink);
        let busy = lock(&busy);
        let other = Arc::clone(&voice);
        let waiting = thread::spawn(move || other.check_silence(Instant::ZERO + SILENT));
        let mut held = 0;
        while held < 10_000 {
            match voice.said.try_lock() {
                Ok(said) => assert!(!said.silent, "it is not reported yet, and another event may come first"),
                Err(_) => held += 1,
            }
            thread::yield_now();
        }
        drop(busy);
        voice.answered();
        waiting.join().expect("it looked");
        assert_eq!(*lock(&heard), ["trouble", "over"]);
    }

    #[test]
    fn nothing_is_told_of_a_reader_that_has_gone() {
        let (voice, heard) = voice(0);
        voice.command_sent();
        voice.check_silence(Instant::ZERO + SILENT);
        voice.disconnected(Instant::ZERO);
        voice.send(Instant::ZERO, CardEvent::Lifted("R".into()));
        voice.answered();
        voice.command_sent();
        voice.check_silence(Instant::ZERO + Millis(60_000));
        assert_eq!(*lock(&heard), ["trouble", r#"Disconnected(ReaderName("R"))"#]);
    }
}
