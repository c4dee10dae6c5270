//! The thread that keeps the copies of all tables: one journal for all, with one sync for everything that has come in the meantime.
//! A further copy of a match, and a match whose name another table has, lies in a file of its own.
//!
//! Source: `docs/hall.md`, §5.
#![expect(clippy::disallowed_methods, reason = "how long ago the last commit was is the computer's time")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError, TrySendError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya_app::seating::TABLE;
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::json;
use tabiya_store::heads;
use tabiya_store::journal::{Batch, Journal, JournalError, MatchId, MatchInfo, NewEntry, Store as _};

use super::hall::MatchFold;
use super::notice::FolderNotice;
use crate::copies::CopyNumber;

/// How many lines may wait to be written.
const QUEUE: usize = 16_384;
/// The most lines in one commit.
const GROUP: usize = 4_096;
/// The shortest time between two commits.
const GATHER: Duration = Duration::from_millis(4);
/// The pause before a disk that failed is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// A copy of a match: whose it is, and which of the match's copies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct CopyName {
    pub(super) table: u16,
    pub(super) uid: String,
    pub(super) number: CopyNumber,
}

/// What is to be kept.
#[derive(Debug)]
pub(super) enum Wanted {
    /// The next line of a copy; the header has the place 0.
    Line { copy: CopyName, seq: u64, line: Value },
    /// A further copy begins with so many lines of another one, and goes on with this line.
    Fork { of: CopyName, shared: u64, to: CopyName, line: Value },
    /// How far a match had come by its table's clock, for another computer that carries it on.
    Moment { copy: CopyName, t: u64 },
    /// Signed heads beside a copy, about the line at this place with this hash.
    Heads { copy: CopyName, seq: u64, head: Head, lines: Vec<String> },
}

/// What the keeper reports.
#[derive(Debug)]
pub(super) enum KeeperNews {
    /// The lines of a copy are durable up to this place.
    Kept(CopyName, u64),
    /// A signed head of this copy is durable, which is about this place.
    Signed(CopyName, u64),
    /// A further file of copies has begun, with this number, for this copy.
    Further(usize, CopyName),
    /// The journal refuses a line of this copy, so that it does not go on; the text says why.
    Refused(CopyName, String),
    /// The disk fails.
    Fails(String),
    /// It is well again.
    IsWell,
}

/// Takes the keeper's reports, on the keeper's thread.
pub(super) type KeeperReport = dyn Fn(KeeperNews) + Send;

/// The way to the keeper's thread. Dropping it writes what waits, and ends the thread.
#[derive(Debug)]
pub(super) struct CopyKeeper {
    wanted: Option<SyncSender<Wanted>>,
    thread: Option<JoinHandle<()>>,
}

impl CopyKeeper {
    /// Starts the thread over open files. `report` is told when the disk fails, and when it is well again.
    pub(super) fn start(files: CopyFiles, report: Box<KeeperReport>) -> std::io::Result<Self> {
        let (wanted, inbox) = mpsc::sync_channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("copies".to_owned())
            .spawn(move || serve(files, &inbox, &*report))?;
        Ok(Self { wanted: Some(wanted), thread: Some(thread) })
    }

    /// A keeper that takes nothing, as while too much waits.
    #[cfg(test)]
    pub(super) fn refusing() -> Self {
        Self { wanted: None, thread: None }
    }

    /// Asks to keep something. `false` if too much waits: then the table is not read on.
    pub(super) fn keep(&self, wanted: Wanted) -> bool {
        let Some(sender) = &self.wanted else { return false };
        !matches!(sender.try_send(wanted), Err(TrySendError::Full(_) | TrySendError::Disconnected(_)))
    }
}

impl Drop for CopyKeeper {
    fn drop(&mut self) {
        self.wanted = None;
        // The thread itself may be the last that has a hall, while it reports to it.
        let is_own = |thread: &JoinHandle<()>| thread.thread().id() == std::thread::current().id();
        if let Some(thread) = self.thread.take().filter(|thread| !is_own(thread)) {
            let _ = thread.join();
        }
    }
}

fn serve(mut files: CopyFiles, inbox: &Receiver<Wanted>, report: &KeeperReport) {
    let mut waiting: VecDeque<Wanted> = VecDeque::new();
    let mut fails = false;
    let mut last: Option<Instant> = None;
    loop {
        if waiting.is_empty() {
            let Ok(first) = inbox.recv() else { return };
            waiting.push_back(first);
        }
        // In a busy hall lines come faster than a disk syncs them one by one, and each sync costs as much as a hundred lines.
        if let Some(since) =
            last.replace(Instant::now()).map(|last| last.elapsed()).filter(|since| *since < GATHER)
        {
            std::thread::park_timeout(GATHER.saturating_sub(since));
        }
        // While the disk fails, what comes waits in the queue, which is bounded.
        waiting.extend(inbox.try_iter().take(GROUP.saturating_sub(waiting.len())));
        let written = files.write(&mut waiting, report);
        match (&written, fails) {
            (Err(error), false) => report(KeeperNews::Fails(error.to_string())),
            (Ok(()), true) => report(KeeperNews::IsWell),
            (Err(_), true) | (Ok(()), false) => {}
        }
        fails = written.is_err();
        if !fails {
            continue;
        }
        if let Err(TryRecvError::Disconnected) = inbox.try_recv().map(|next| waiting.push_back(next)) {
            // What cannot be kept is sent again by its table.
            return;
        }
        std::thread::park_timeout(AGAIN);
    }
}

/// A file of copies.
#[derive(Debug)]
struct CopyFile {
    /// Its number; 0 is the hall's journal.
    number: usize,
    journal: Journal,
    path: PathBuf,
}

/// The open files of an event's copies.
#[derive(Debug)]
pub(super) struct CopyFiles {
    folder: PathBuf,
    files: Vec<CopyFile>,
    /// The greatest number that a further file has, or had.
    last_fork: usize,
    /// For each copy: the number of its file, and of its match there.
    places: BTreeMap<CopyName, (usize, MatchId)>,
}

/// A copy as it was read from its file.
pub(super) struct ReadCopy {
    pub(super) name: CopyName,
    pub(super) info: MatchInfo,
    /// The number of its file.
    file: usize,
}

impl ReadCopy {
    /// Whether it lies in a file of its own beside the hall's journal.
    pub(super) fn is_beside(&self) -> bool {
        self.file > 0
    }
}

/// The name of the journal with the copies of all tables.
pub(super) const COPIES: &str = "hall.tabiya";

/// Makes the journal with the copies of all tables in the folder of a new event.
pub(super) fn make_copies(folder: &Path) -> Result<(), JournalError> {
    Journal::create(&folder.join(COPIES))?.close()
}

/// What was found when the copies of an event were opened.
pub(super) struct OpenedCopies {
    pub(super) files: CopyFiles,
    /// What is there, in the order in which it began.
    pub(super) read: Vec<ReadCopy>,
    /// What is not there any more.
    pub(super) missing: Vec<FolderNotice>,
    /// The further files that the event's journal does not name, each with a copy in it.
    pub(super) unnamed: Vec<(usize, CopyName)>,
}

impl CopyFiles {
    /// Opens the copies in this folder. `named` are the numbers of the further files that the event's journal names.
    pub(super) fn open(folder: &Path, named: &BTreeSet<usize>) -> Result<OpenedCopies, JournalError> {
        let last_fork = named.last().copied().unwrap_or(0);
        let mut found =
            Self { folder: folder.to_owned(), files: Vec::new(), last_fork, places: BTreeMap::new() };
        let hall = folder.join(COPIES);
        let mut missing = Vec::new();
        let journal = if hall.exists() {
            Journal::open(&hall)?
        } else {
            missing.push(FolderNotice::NoCopies);
            Journal::create(&hall)?
        };
        found.files.push(CopyFile { number: 0, journal, path: hall });
        for (number, path) in fork_files(folder) {
            found.last_fork = found.last_fork.max(number);
            found.files.push(CopyFile { number, journal: Journal::open(&path)?, path });
        }
        let is_gone = |number: &&usize| found.files.iter().all(|file| file.number != **number);
        missing.extend(named.iter().filter(is_gone).copied().map(FolderNotice::NoFork));
        let mut read = Vec::new();
        for file in 0..found.files.len() {
            let matches = found.files.get(file).map_or(Ok(Vec::new()), |file| file.journal.matches())?;
            for info in matches {
                let Some(table) = table_of(&info.header) else { continue };
                let of_match = |name: &&CopyName| name.table == table && name.uid == info.uid;
                let number = found.places.keys().filter(of_match).count();
                let name = CopyName { table, uid: info.uid.clone(), number };
                found.places.insert(name.clone(), (file, info.id));
                read.push(ReadCopy { name, info, file });
            }
        }
        let mut unnamed = BTreeMap::new();
        for copy in &read {
            let number = found.files.get(copy.file).map_or(0, |file| file.number);
            if number > 0 && !named.contains(&number) {
                unnamed.entry(number).or_insert_with(|| copy.name.clone());
            }
        }
        Ok(OpenedCopies { files: found, read, missing, unnamed: unnamed.into_iter().collect() })
    }

    /// The lines of a copy that was read, each with its hash: the header's comes first.
    pub(super) fn lines(
        &self,
        of: &ReadCopy,
    ) -> Result<Vec<tabiya_store::journal::JournalEntry>, JournalError> {
        self.files.get(of.file).map_or(Ok(Vec::new()), |file| file.journal.reader().entries(of.info.id))
    }

    /// Keeps everything that waits. What is kept is taken out; on `Err` the disk fails, and the rest waits on.
    fn write(&mut self, waiting: &mut VecDeque<Wanted>, report: &KeeperReport) -> Result<(), JournalError> {
        while let Some(first) = waiting.front() {
            let done = match first {
                Wanted::Line { seq, .. } if *seq > 0 => {
                    self.append(waiting, report)?;
                    continue;
                }
                Wanted::Line { copy, line, .. } => {
                    self.begin(copy, line, report).map(|()| report(KeeperNews::Kept(copy.clone(), 0)))
                }
                Wanted::Fork { of, shared, to, line } => self
                    .fork(of, (*shared, line), to, report)
                    .map(|()| report(KeeperNews::Kept(to.clone(), *shared))),
                Wanted::Moment { copy, t } => self.keep_moment(copy, *t),
                Wanted::Heads { copy, seq, head, lines } => {
                    // A head that cannot be kept comes again with the next one; it stops no line.
                    if self.keep_heads(copy, (*seq, *head), lines) {
                        report(KeeperNews::Signed(copy.clone(), *seq));
                    }
                    Ok(())
                }
            };
            match done {
                Err(error) if !is_final(&error) => return Err(error),
                Err(error) => report(KeeperNews::Refused(first_copy(waiting), error.to_string())),
                Ok(()) => {}
            }
            waiting.pop_front();
        }
        Ok(())
    }

    fn keep_moment(&mut self, copy: &CopyName, t: u64) -> Result<(), JournalError> {
        let Some((file, id)) = self.places.get(copy).copied() else { return Ok(()) };
        self.files.get_mut(file).map_or(Ok(()), |file| file.journal.moment(id, t))
    }

    /// Keeps signed heads beside a copy that has this line: a head must not be ahead of what is durable. Returns whether they are
    /// kept.
    fn keep_heads(&self, copy: &CopyName, (seq, head): (u64, Head), lines: &[String]) -> bool {
        let Some((file, id)) = self.places.get(copy) else { return false };
        let Some(file) = self.files.get(*file) else { return false };
        let has = file.journal.reader().head_after(*id, seq).is_ok_and(|there| there == Some(head));
        has && heads::keep(&file.path, lines).is_ok()
    }

    /// Adds the lines that wait one after the other, as far as they belong to the file of the first one, in one commit. A line that
    /// the journal refuses for its form is left out, with all that follow it in its match.
    fn append(&mut self, waiting: &mut VecDeque<Wanted>, report: &KeeperReport) -> Result<(), JournalError> {
        let place = |places: &BTreeMap<CopyName, (usize, MatchId)>, wanted: &Wanted| match wanted {
            Wanted::Line { copy, seq, .. } if *seq > 0 => places.get(copy).copied(),
            _ => None,
        };
        let Some((number, _)) = waiting.front().and_then(|wanted| place(&self.places, wanted)) else {
            // The copy has not begun, because its header was refused.
            waiting.pop_front();
            return Ok(());
        };
        let of_file = |wanted: &&Wanted| place(&self.places, wanted).is_some_and(|(file, _)| file == number);
        let count = waiting.iter().take(GROUP).take_while(of_file).count();
        let mut batches: BTreeMap<MatchId, Batch> = BTreeMap::new();
        let mut kept: BTreeMap<MatchId, (CopyName, u64)> = BTreeMap::new();
        for wanted in waiting.iter().take(count) {
            let (Some((_, id)), Wanted::Line { copy, seq, line }) = (place(&self.places, wanted), wanted)
            else {
                continue;
            };
            let t = moment_of(line);
            // A line whose place is not the next one is refused.
            let batch =
                batches.entry(id).or_insert_with(|| Batch { id, after: Some(seq - 1), entries: Vec::new() });
            batch.entries.push(NewEntry { t, line: line.to_string() });
            kept.insert(id, (copy.clone(), *seq));
        }
        let Some(file) = self.files.get_mut(number) else { return Ok(()) };
        let batches: Vec<Batch> = batches.into_values().collect();
        let answers = file.journal.append_all(&batches);
        if let Some(Err(error)) =
            answers.iter().find(|answer| matches!(answer, Err(error) if !is_final(error)))
        {
            return Err(error.clone());
        }
        for (batch, answer) in batches.iter().zip(answers) {
            let Some((copy, seq)) = kept.remove(&batch.id) else { continue };
            match answer {
                Ok(_) => report(KeeperNews::Kept(copy, seq)),
                Err(error) => {
                    let taken = one_by_one(&mut file.journal, batch);
                    let before = batch.after.unwrap_or(0);
                    if taken > 0 {
                        report(KeeperNews::Kept(copy.clone(), before + taken));
                    }
                    report(KeeperNews::Refused(copy, error.to_string()));
                }
            }
        }
        waiting.drain(..count);
        Ok(())
    }

    /// Begins a copy: in the hall's journal, or in a file of its own if its match has a copy already, or another table has one of
    /// this name.
    fn begin(&mut self, copy: &CopyName, header: &Value, report: &KeeperReport) -> Result<(), JournalError> {
        let text = header.to_string();
        let taken = self.places.iter().any(|(name, (file, _))| *file == 0 && name.uid == copy.uid);
        let file = if taken || copy.number > 0 { self.further_file()? } else { 0 };
        if let Some(at) = self.files.get_mut(file) {
            let id = at.journal.begin_again(&text, &copy.uid)?;
            self.places.insert(copy.clone(), (file, id));
            if at.number > 0 {
                report(KeeperNews::Further(at.number, copy.clone()));
            }
        }
        Ok(())
    }

    fn further_file(&mut self) -> Result<usize, JournalError> {
        // A number is used once its file is there, so that a file that is missing later is noticed.
        let number = self.last_fork + 1;
        let path = self.folder.join(format!("fork-{number}.tabiya"));
        let journal = Journal::create(&path)?;
        self.last_fork = number;
        self.files.push(CopyFile { number, journal, path });
        Ok(self.files.len() - 1)
    }

    /// Begins a further copy with the header and the lines before the place `shared`, and this line there.
    fn fork(
        &mut self,
        of: &CopyName,
        (shared, line): (u64, &Value),
        to: &CopyName,
        report: &KeeperReport,
    ) -> Result<(), JournalError> {
        if shared == 0 {
            return self.begin(to, line, report);
        }
        let Some((file, id)) = self.places.get(of).copied() else { return Ok(()) };
        let Some(at) = self.files.get(file) else { return Ok(()) };
        let info = at.journal.matches()?.into_iter().find(|info| info.id == id);
        let Some(info) = info else { return Ok(()) };
        let before = at.journal.reader().entries(id)?.into_iter().take_while(|entry| entry.seq < shared);
        let mut lines: Vec<NewEntry> =
            before.map(|entry| NewEntry { t: entry.t, line: entry.line }).collect();
        lines.push(NewEntry { t: moment_of(line), line: line.to_string() });
        // A disk that failed after the header is tried again.
        if !self.places.contains_key(to) {
            self.begin(to, &json::parse(&info.header).unwrap_or_default(), report)?;
        }
        let Some((file, id)) = self.places.get(to).copied() else { return Ok(()) };
        self.files.get_mut(file).map_or(Ok(()), |at| at.journal.append(id, &lines).map(drop))
    }
}

/// The moment of a line, in ms since its match began.
fn moment_of(line: &Value) -> u64 {
    line.get("t").and_then(Value::as_u64).unwrap_or(0)
}

/// Adds the lines of a batch that was refused as far as the journal takes them. Returns how many it took.
fn one_by_one(journal: &mut Journal, batch: &Batch) -> u64 {
    let first = batch.after.unwrap_or(0);
    let taken = (first..).zip(&batch.entries).take_while(|(after, entry)| {
        let one = Batch { id: batch.id, after: Some(*after), entries: vec![(*entry).clone()] };
        journal.append_all(&[one]).pop().is_some_and(|answer| answer.is_ok())
    });
    taken.count() as u64
}

/// Whether another try would end in the same way: the line itself is refused, and not the disk fails.
fn is_final(error: &JournalError) -> bool {
    error.is_refused() || error.is_about_keys()
}

/// The copy that the first thing that waits belongs to.
fn first_copy(waiting: &VecDeque<Wanted>) -> CopyName {
    match waiting.front() {
        Some(
            Wanted::Line { copy, .. }
            | Wanted::Moment { copy, .. }
            | Wanted::Heads { copy, .. }
            | Wanted::Fork { to: copy, .. },
        ) => copy.clone(),
        None => CopyName { table: 0, uid: String::new(), number: 0 },
    }
}

fn table_of(header: &str) -> Option<u16> {
    json::parse(header).ok()?.get(TABLE)?.as_u64()?.try_into().ok()
}

/// The further files of copies in an event's folder, with their numbers, in their order.
pub fn fork_files(folder: &Path) -> Vec<(usize, PathBuf)> {
    numbered_forks(folder, ".tabiya")
}

/// The numbers of the further files of copies whose signed heads are in an event's folder.
pub fn fork_heads(folder: &Path) -> impl Iterator<Item = usize> {
    numbered_forks(folder, ".heads").into_iter().map(|(number, _)| number)
}

fn numbered_forks(folder: &Path, ending: &str) -> Vec<(usize, PathBuf)> {
    let entries =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let numbered = entries.filter_map(|path| {
        let number = path.file_name()?.to_str()?.strip_prefix("fork-")?.strip_suffix(ending)?.parse().ok()?;
        Some((number, path))
    });
    let mut found: Vec<(usize, PathBuf)> = numbered.collect();
    found.sort();
    found
}

/// What a copy folds to, read from its file.
pub(super) enum FoldedCopy {
    /// Its lines are not all there yet.
    NotYet,
    /// A line cannot be folded.
    Newer,
    /// All lines are folded.
    Whole(Box<MatchFold>),
}

/// Folds the first `last` lines of a copy from its file.
pub(super) fn fold_copy(folder: &Path, of: &CopyName, last: u64) -> FoldedCopy {
    let Some((info, lines)) = read_copy(folder, of).filter(|(info, _)| info.entries == last) else {
        return FoldedCopy::NotYet;
    };
    let replay = super::serve::fold(&info.header, lines.iter().map(String::as_str));
    replay.map_or(FoldedCopy::Newer, FoldedCopy::Whole)
}

/// A copy as it stands in its file: what it is, and its lines.
pub(super) fn read_copy(folder: &Path, of: &CopyName) -> Option<(MatchInfo, Vec<String>)> {
    let forks = fork_files(folder).into_iter().map(|(_, path)| path);
    let mut number = 0;
    for path in std::iter::once(folder.join(COPIES)).chain(forks) {
        let reader = Journal::open_read(&path).ok()?;
        for info in reader.matches().ok()? {
            if info.uid != of.uid || table_of(&info.header) != Some(of.table) {
                continue;
            }
            if number != of.number {
                number += 1;
                continue;
            }
            let lines = reader.entries(info.id).ok()?.into_iter().map(|line| line.line).collect();
            return Some((info, lines));
        }
    }
    None
}
