//! All that is told of one reader.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabiya_types::{Instant, Millis, Timeline};

use super::super::event::{CardError, CardEvent, CardSink, ReaderName};

/// A reader that is silent for so long is said not to answer.
const SILENT: Millis = Millis(2_000);

/// The time that all threads read.
#[derive(Clone)]
pub(super) struct SharedTimeline(pub(super) Arc<dyn Timeline>);

impl std::fmt::Debug for SharedTimeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Timeline")
    }
}

/// Where all threads tell, one at a time.
pub(super) type SharedSink = Arc<Mutex<CardSink>>;

/// What a thread that panicked has left is as good as before: nothing here is half-changed.
pub(super) fn whole<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All that is told of one reader. Its own thread and the waiting one speak here, one at a time: so the newest word is
/// the true one, and none comes after the reader has gone.
pub(super) struct ReaderReports {
    name: ReaderName,
    sink: SharedSink,
    pub(super) timeline: SharedTimeline,
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

impl std::fmt::Debug for ReaderReports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Voice").field("name", &self.name).field("said", &self.said).finish_non_exhaustive()
    }
}

impl ReaderReports {
    pub(super) fn new(name: ReaderName, sink: &SharedSink, timeline: &SharedTimeline) -> Self {
        Self { name, sink: Arc::clone(sink), timeline: timeline.clone(), said: Mutex::default() }
    }

    pub(super) fn tell(&self, at: Instant, event: CardEvent) {
        let said = whole(&self.said);
        if !said.gone {
            whole(&self.sink)(at, event);
        }
    }

    /// The reader is asked something.
    pub(super) fn asks(&self) {
        whole(&self.said).owes = Some(self.timeline.0.now());
    }

    /// The reader owes nothing any more.
    pub(super) fn answered(&self) {
        let mut said = whole(&self.said);
        said.owes = None;
        if std::mem::take(&mut said.silent) && !said.gone {
            whole(&self.sink)(self.timeline.0.now(), CardEvent::TroubleOver(Some(self.name.clone())));
        }
    }

    /// Tells once if the reader has owed an answer for too long.
    pub(super) fn look(&self, now: Instant) {
        let mut said = whole(&self.said);
        if !said.gone && !said.silent && said.owes.is_some_and(|since| now.since(since) >= SILENT) {
            said.silent = true;
            let error = CardError::NotAnswering { reader: self.name.clone() };
            whole(&self.sink)(now, CardEvent::Trouble(error));
        }
    }

    /// The reader has gone, and with it whatever was wrong with it.
    pub(super) fn gone(&self, at: Instant) {
        let mut said = whole(&self.said);
        said.gone = true;
        whole(&self.sink)(at, CardEvent::Gone(self.name.clone()));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::thread;

    use super::*;

    /// A reader's voice, and what it has said; the time that it reads is the one given.
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
            whole(&into).push(match event {
                CardEvent::Trouble(_) => "trouble".to_owned(),
                CardEvent::TroubleOver(_) => "over".to_owned(),
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
