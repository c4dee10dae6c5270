//! The second copy of a record, on another disk: a thread reads the lines that are durable in the record and adds them to
//! an ordinary journal in another folder. The match never waits for it. If the folder is gone, the thread tries again
//! every two seconds, and then adds everything that is missing.
//!
//! What the copy holds, and what it does not: `docs/record-chain.md`, "Two copies".
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use std::{fs, io};

use crate::disk::read_bounded;

use tabiya_engine::record::json;
use tabiya_engine::record::replica::{Arrival, Feed, Reached, Replica};

use super::disk::replace_private;
use super::follow::{CopyState, Follower, FollowerState};
use super::heads;
use crate::journal::{
    Journal, JournalEntry, JournalError, JournalReader, MatchId, MatchInfo, NewEntry, Store as _,
};

/// The pause before the thread tries again after a failure, and before it looks for new moments of the clock.
const AGAIN: Duration = Duration::from_secs(2);
/// The most lines in one commit.
const GROUP: u32 = 256;
/// The most names that are tried for the copy's file: `r.tabiya`, `r-2.tabiya` and so on.
const NAMES: u32 = 100;

/// The copy of a record that is being written. Dropping it leaves the copy as it is.
#[derive(Debug)]
pub struct RecordCopy {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    talk: Mutex<Talk>,
    changed: Condvar,
}

/// What the match and the thread tell each other.
#[derive(Debug)]
struct Talk {
    record: PathBuf,
    state: CopyState,
    /// Whether there is something new in the record.
    news: bool,
    /// Whether the thread shall end after one more attempt.
    stop: bool,
    /// Whether the thread has ended.
    ended: bool,
}

impl Shared {
    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, what: impl FnOnce(&mut Talk)) {
        what(&mut self.talk());
        self.changed.notify_all();
    }
}

impl RecordCopy {
    /// Starts to copy the journal `record`, which another thread writes, into this folder. The copy has the record's name.
    pub fn start(record: &Path, folder: &Path) -> Self {
        let state = CopyState { folder: folder.to_owned(), behind: 0, trouble: None };
        let talk = Talk { record: record.to_owned(), state, news: true, stop: false, ended: false };
        let shared = Arc::new(Shared { talk: Mutex::new(talk), changed: Condvar::new() });
        let (there, folder) = (Arc::clone(&shared), folder.to_owned());
        thread::spawn(move || serve(&there, Copier::new(folder)));
        Self { shared }
    }
}

impl Follower for RecordCopy {
    fn written(&self, lines: u64) {
        self.shared.tell(|talk| {
            talk.state.behind += lines;
            talk.news = true;
        });
    }

    /// The copy stays the same.
    fn moved(&self, record: &Path) {
        self.shared.tell(|talk| {
            record.clone_into(&mut talk.record);
            talk.news = true;
        });
    }

    fn state(&self) -> FollowerState {
        FollowerState::Copy(self.shared.talk().state.clone())
    }

    fn finish(self: Box<Self>, patience: Duration) -> FollowerState {
        self.shared.tell(|talk| talk.stop = true);
        let waiting =
            self.shared.changed.wait_timeout_while(self.shared.talk(), patience, |talk| !talk.ended);
        FollowerState::Copy(waiting.unwrap_or_else(PoisonError::into_inner).0.state.clone())
    }
}

impl Drop for RecordCopy {
    fn drop(&mut self) {
        self.shared.tell(|talk| talk.stop = true);
    }
}

fn serve(shared: &Shared, mut copier: Copier) {
    loop {
        let waiting =
            shared.changed.wait_timeout_while(shared.talk(), AGAIN, |talk| !talk.news && !talk.stop);
        let mut talk = waiting.unwrap_or_else(PoisonError::into_inner).0;
        let (record, stop) = (talk.record.clone(), talk.stop);
        talk.news = false;
        drop(talk);
        let done = copier.catch_up(&record);
        shared.tell(|talk| {
            // Lines that came in the meantime count again with the next attempt.
            if !talk.news {
                talk.state.behind = copier.behind;
            }
            talk.state.trouble = done.err();
        });
        if stop {
            break;
        }
    }
    copier.close();
    shared.tell(|talk| talk.ended = true);
}

/// The record and its copy, as far as they are open.
#[derive(Debug)]
struct Copier {
    folder: PathBuf,
    record: Option<JournalReader>,
    copy: Option<Journal>,
    /// For each match of the record: its number in the copy, and how far the copy has come.
    there: BTreeMap<MatchId, (MatchId, Replica)>,
    /// For each match, the moment that was saved last.
    moments: BTreeMap<MatchId, u64>,
    /// The length of the record's signed heads when they were added to the copy last.
    heads: Option<u64>,
    /// How many lines the copy lacks, as far as the record could be read.
    behind: u64,
}

impl Copier {
    fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            record: None,
            copy: None,
            there: BTreeMap::new(),
            moments: BTreeMap::new(),
            heads: None,
            behind: 0,
        }
    }

    /// Adds everything that the copy lacks. The error says why that is not possible now.
    fn catch_up(&mut self, record: &Path) -> Result<(), String> {
        let done = self.add_all(record);
        if done.as_ref().is_err_and(|error| !matches!(error, JournalError::DoesNotFollow { .. })) {
            // What is open may belong to a disk that is no longer there.
            *self = Self { behind: self.behind, ..Self::new(std::mem::take(&mut self.folder)) };
        }
        done.map_err(|error| error.to_string())
    }

    fn add_all(&mut self, path: &Path) -> Result<(), JournalError> {
        let reader = match self.record.take() {
            Some(reader) if reader.path() == path => reader,
            _ => {
                self.heads = None;
                Journal::open_read(path)?
            }
        };
        if self.copy.as_ref().is_some_and(|copy| !copy.path().exists()) {
            (self.copy, self.heads) = (None, None);
        }
        // Read before the lines, so that the copy has every line whose head it has.
        let length = fs::metadata(heads::file_of(path)).map_or(0, |found| found.len());
        let heads = if self.heads == Some(length) { None } else { Some(read_heads(path)?) };
        let matches = reader.matches()?;
        let lines = |id| self.there.get(id).map_or(0, |(_, copy)| copy.end().map_or(0, |end| end.seq));
        self.behind = matches.iter().map(|info| info.entries.saturating_sub(lines(&info.id))).sum();
        let mut copy = if let Some(copy) = self.copy.take() {
            copy
        } else {
            self.moments.clear();
            self.open_copy(&reader, &matches)?
        };
        // A match whose lines do not follow is not copied on; the others are.
        let mut broken = None;
        for info in &matches {
            let (id, replica) = match self.there.get(&info.id) {
                Some(known) => *known,
                None => (
                    copy.begin_again(&info.header, &info.uid)?,
                    Replica::new(Some(Reached { seq: 0, head: info.begins })),
                ),
            };
            let mut replica = replica;
            match self.add_lines(&reader, info, (&mut copy, id), &mut replica) {
                Err(error @ JournalError::DoesNotFollow { .. }) => broken = Some(error),
                added => added?,
            }
            self.there.insert(info.id, (id, replica));
            if let Some(moment) = info.moment.filter(|moment| self.moments.get(&info.id) != Some(moment)) {
                copy.moment(id, moment)?;
                self.moments.insert(info.id, moment);
            }
        }
        if let Some(heads) = heads {
            add_heads(copy.path(), &heads)?;
            self.heads = Some(length);
        }
        (self.record, self.copy) = (Some(reader), Some(copy));
        if broken.is_none() {
            self.behind = 0;
        }
        broken.map_or(Ok(()), Err)
    }

    /// Adds the lines of one match that its copy lacks. `replica` is how far the copy has come, also after an `Err`.
    fn add_lines(
        &mut self,
        reader: &JournalReader,
        info: &MatchInfo,
        (copy, id): (&mut Journal, MatchId),
        replica: &mut Replica,
    ) -> Result<(), JournalError> {
        loop {
            let entries = reader.entries_after(info.id, replica.next().saturating_sub(1), GROUP)?;
            if entries.is_empty() {
                return Ok(());
            }
            let (mut lines, mut next) = (Vec::with_capacity(entries.len()), *replica);
            let mut broken = None;
            for JournalEntry { seq, t, line, head } in entries {
                let follows = json::parse(&line)
                    .is_ok_and(|line| next.receive(seq, &line, head, |_| None) == Arrival::Next);
                if !follows {
                    broken = Some(JournalError::DoesNotFollow { path: reader.path().to_owned(), seq });
                    break;
                }
                next.kept(head);
                lines.push(NewEntry { t, line });
            }
            copy.append(id, &lines)?;
            *replica = next;
            self.behind = self.behind.saturating_sub(lines.len() as u64);
            if let Some(broken) = broken {
                return Err(broken);
            }
        }
    }

    /// Opens the copy, or creates it. A file with the record's name that is not its copy, or that has lines which the
    /// record has not, stays as it is; the copy gets the next free name then.
    fn open_copy(&mut self, reader: &JournalReader, matches: &[MatchInfo]) -> Result<Journal, JournalError> {
        if !self.folder.is_dir() {
            let path = self.folder.clone();
            return Err(if path.exists() {
                JournalError::NotAFolder { path }
            } else {
                JournalError::Missing { path }
            });
        }
        if is_folder_of(&self.folder, reader.path()) {
            return Err(JournalError::CopyBeside { folder: self.folder.clone() });
        }
        let name = reader.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut newest = None;
        for number in 1..=NAMES {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let path = self.folder.join(format!("{name}{suffix}.tabiya"));
            newest = Some(path.clone());
            if path.symlink_metadata().is_err() {
                self.there.clear();
                match Journal::create(&path) {
                    Err(JournalError::LogLeft { .. }) => continue,
                    made => return made,
                }
            }
            let copy = match Journal::open(&path) {
                Ok(copy) => copy,
                Err(error @ (JournalError::Busy { .. } | JournalError::LockTaken { .. })) => {
                    // Another table may write its own copy here, which stays where it is.
                    if is_of_others(&path, matches) {
                        continue;
                    }
                    return Err(error);
                }
                Err(error @ JournalError::Io { .. }) => return Err(error),
                Err(_) => continue,
            };
            if self.continues(reader, matches, &copy)? {
                return Ok(copy);
            }
        }
        Err(JournalError::Exists { path: newest.unwrap_or_default() })
    }

    /// Whether the record has all lines of this copy. Notes how far the copy has come.
    fn continues(
        &mut self,
        reader: &JournalReader,
        matches: &[MatchInfo],
        copy: &Journal,
    ) -> Result<bool, JournalError> {
        self.there.clear();
        for there in copy.matches()? {
            let Some(here) = matches.iter().find(|here| here.uid == there.uid) else { return Ok(false) };
            let reached = Reached { seq: there.entries, head: there.head };
            let feed = Feed::begin(Some(reached), here.entries, |seq| reader.head_after(here.id, seq))?;
            if there.entries > here.entries || feed.next() == 0 {
                return Ok(false);
            }
            self.there.insert(here.id, (there.id, Replica::new(Some(reached))));
        }
        Ok(true)
    }

    fn close(self) {
        // A log that cannot be merged now stays beside the copy, and loses nothing.
        let _ = self.copy.map(Journal::close);
    }
}

/// Whether this journal, which cannot be opened now, is surely not the copy of a record with these matches. A journal without a
/// match has only just been made: what it is going to be is not known yet.
fn is_of_others(path: &Path, matches: &[MatchInfo]) -> bool {
    let there = Journal::open_read(path).and_then(|other| other.matches()).unwrap_or_default();
    there.iter().any(|there| !matches.iter().any(|here| here.uid == there.uid))
}

/// Whether a record is in this folder itself, so that a copy there would be lost with it.
pub fn is_folder_of(folder: &Path, record: &Path) -> bool {
    let above = |path: &Path| match path.parent() {
        Some(above) if !above.as_os_str().is_empty() => above.to_owned(),
        Some(_) | None => PathBuf::from("."),
    };
    // A record that is not there yet is where its folder is.
    let file = record.canonicalize().map(|file| above(&file));
    let of_record = file.or_else(|_| above(record).canonicalize());
    of_record.is_ok_and(|of_record| folder.canonicalize().is_ok_and(|folder| folder == of_record))
}

/// The signed heads beside a record; empty without any.
fn read_heads(record: &Path) -> Result<String, JournalError> {
    let file = heads::file_of(record);
    match read_bounded(&file, heads::LONGEST) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(JournalError::io(&file, "read", error)),
    }
}

/// Adds the heads that the copy lacks. What it has stays, whatever happens to the heads of the record.
fn add_heads(copy: &Path, text: &str) -> Result<(), JournalError> {
    let there = read_heads(copy)?;
    let merged = heads::merged(there.clone(), text);
    if merged == there {
        return Ok(());
    }
    let file = heads::file_of(copy);
    heads::may_be_written(&file)
        .and_then(|()| replace_private(&file, &merged))
        .map_err(|error| JournalError::io(&file, "written", error))
}
