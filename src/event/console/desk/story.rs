//! The story of the chosen match, read from its copy and folded on a thread of its own: a long match must not keep the desk from giving
//! orders.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tabiya_engine::record::{MatchLog, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Instant, Sentence};

use crate::console::keeper::{CopyName, read_copy};

/// What has happened in a match: its own account.
pub(super) type StoryLines = Arc<Vec<(Instant, Sentence)>>;

/// The story of a copy, as far as it was read.
#[derive(Debug)]
struct ReadStory {
    of: CopyName,
    /// The place of the last line that was read.
    seq: u64,
    lines: StoryLines,
}

/// Reads stories.
#[derive(Debug)]
pub(super) struct StoryReader {
    /// `None` if the system provides no thread: then there is no story.
    ask: Option<Sender<CopyName>>,
    read: Receiver<ReadStory>,
    /// Which copy is being read.
    asked: Option<CopyName>,
    known: Option<ReadStory>,
}

impl StoryReader {
    /// Reads from the copies in this folder.
    pub(super) fn start(folder: PathBuf) -> Self {
        let (ask, wanted) = channel::<CopyName>();
        let (tell, read) = channel();
        let reads = move || {
            while let Ok(of) = wanted.recv() {
                let (seq, lines) = read_copy(&folder, &of).map_or((0, Arc::default()), |(info, lines)| {
                    (info.entries, Arc::new(told_of(&info.header, &lines)))
                });
                if tell.send(ReadStory { of, seq, lines }).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("story".to_owned()).spawn(reads);
        Self { ask: thread.is_ok().then_some(ask), read, asked: None, known: None }
    }

    /// Takes what was read in the meantime. Returns whether there is another story.
    pub(super) fn hear(&mut self) -> bool {
        let before = self.known.as_ref().map(|known| (known.of.clone(), known.seq));
        while let Ok(read) = self.read.try_recv() {
            self.asked = None;
            self.known = Some(read);
        }
        before != self.known.as_ref().map(|known| (known.of.clone(), known.seq))
    }

    /// The story of a copy whose last line has this place, as far as it was read; the rest is read now.
    pub(super) fn story(&mut self, of: CopyName, seq: u64) -> StoryLines {
        self.hear();
        let known = self.known.as_ref().filter(|known| known.of == of);
        let lines = known.map(|known| Arc::clone(&known.lines)).unwrap_or_default();
        // What is not in its file yet is read when it is looked at the next time.
        if known.is_none_or(|known| known.seq != seq)
            && self.asked.is_none()
            && let Some(ask) = &self.ask
            && ask.send(of.clone()).is_ok()
        {
            self.asked = Some(of);
        }
        lines
    }
}

/// What a record tells, as far as it can be folded.
fn told_of(header: &str, lines: &[String]) -> Vec<(Instant, Sentence)> {
    let Ok(mut replay) = Replay::begin(header, GAMES) else { return Vec::new() };
    let mut log = MatchLog::new(replay.table());
    for (line, place) in lines.iter().zip(2..) {
        if replay.feed_before(place, line, &mut log).is_err() {
            break;
        }
    }
    log.into_entries().into_iter().map(|entry| (entry.at, entry.beside.harmless())).collect()
}
