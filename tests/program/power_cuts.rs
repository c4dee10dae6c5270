//! Power cuts: what was acknowledged is on the disk.
//!
//! A child appends lines to a journal while `strace` writes down its system calls. From them the test builds the files
//! that a power cut at a random moment can leave: what was synced is there; each write after the last sync is dropped,
//! kept, or torn at sectors of 512 bytes, in any order; in a folder that was not synced a new file may be missing, a removed
//! one may be back, and a name may still be that of an earlier file. The journal of such files must open, be whole, and have
//! every line that was acknowledged before the cut. `tabiya verify` finds nothing wrong with it, neither with the lines nor
//! with the signed heads beside them, and heads can be signed again. Dealt cards open with the key that was made meanwhile.
//!
//! The child keeps a second copy in another folder. The cut leaves a whole copy, with every line that the table said was
//! copied and with none that the record has not; a table that goes on completes that very copy.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabiya_store::copy::RecordCopy;
use tabiya_store::follow::Follower as _;
use tabiya_store::heads::Signer;
use tabiya_store::journal::vault::{self, KeyStore as _};
use tabiya_store::journal::{Journal, JournalError, Store as _};
use tabiya_store::keys::Keyring;
use tabiya_store::trust::{Doubt, resume_point};

use crate::child::{name, tabiya, text};
use crate::journal_crash::{COPIED, FILE, GROUPED, LINES, SEALED, SIGNS, check};
use crate::tries::{report, seed, tries};

const SEED: u64 = 0x09_0e7c;
/// The number of power cuts, unless `TABIYA_POWER_CUTS` says another one.
const CUTS: u64 = 60;
/// The number of lines that a child appends: enough for the log to be merged into the file several times.
const APPENDED: &str = "450";
const SECTOR: usize = 512;
/// The number of power cuts that show what happens without syncs.
const CUTS_WITHOUT_SYNCS: usize = 10;

/// What the child did, as far as it matters for the disk.
#[derive(Clone, Debug)]
enum Event {
    Write {
        file: String,
        at: usize,
        data: Vec<u8>,
    },
    Cut {
        file: String,
        length: usize,
    },
    Create(String),
    Remove(String),
    Rename {
        from: String,
        to: String,
    },
    Link {
        from: String,
        to: String,
    },
    Sync(String),
    SyncFolder(String),
    Acknowledged(u64),
    /// So many lines are in the copy, the table said.
    Copied(u64),
}

/// What the child appends.
#[derive(Clone, Copy)]
enum Appends {
    Lines,
    Groups,
    /// Deals, whose cards are sealed.
    Deals,
}

/// Where the record, its keys and its second copy lie. The keys lie beside the record, so that they are traced, too.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        desk.clear();
        Keyring::in_folder(&desk.keys()).table_key().unwrap();
        Journal::create(&desk.record()).unwrap().close().unwrap();
        desk
    }

    fn folders(&self) -> [PathBuf; 2] {
        let folder = self.folder.path().canonicalize().unwrap();
        ["here", "stick"].map(|name| folder.join(name))
    }

    fn keys(&self) -> PathBuf {
        let [here, _] = self.folders();
        here
    }

    fn stick(&self) -> PathBuf {
        let [_, stick] = self.folders();
        stick
    }

    fn record(&self) -> PathBuf {
        self.keys().join("e.tabiya")
    }

    fn copy(&self) -> PathBuf {
        self.stick().join("e.tabiya")
    }

    /// Empties both folders. A note knows the folder of its keys, so what a cut leaves lies where it was written.
    fn clear(&self) {
        for folder in self.folders() {
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir(&folder).unwrap();
        }
    }

    /// What was there before the child began, and what it did then.
    fn events(&self, appends: Appends) -> (BTreeMap<String, Vec<u8>>, Vec<Event>) {
        let kept = [self.record(), self.keys().join("table.json")];
        let before = kept.map(|path| (name(&path).to_owned(), fs::read(&path).unwrap()));
        (BTreeMap::from(before), events(&trace(self, appends), &self.folders()))
    }
}

/// Runs the child under `strace`, and returns the lines of the trace; calls that were interrupted are joined.
fn trace(desk: &Desk, appends: Appends) -> Vec<String> {
    let out = desk.folder.path().join("trace");
    let calls = "trace=openat,close,write,pwrite64,ftruncate,fsync,fdatasync,unlink,rename,linkat";
    let mut command = Command::new("strace");
    command.args(["-f", "-xx", "-s", "1000000", "-e", calls, "-e", "signal=none", "-o"]).arg(&out);
    command.arg(env::current_exe().unwrap());
    command.args([
        "--exact",
        "journal_crash::child_appends_until_it_is_killed",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(FILE, desk.record()).env(LINES, APPENDED).env(SIGNS, desk.keys()).env(COPIED, desk.stick());
    match appends {
        Appends::Lines => {}
        Appends::Groups => drop(command.env(GROUPED, "1")),
        Appends::Deals => drop(command.env(SEALED, desk.keys())),
    }
    let done = command.output().expect("strace is installed: `apt-get install strace`");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut open: BTreeMap<String, String> = BTreeMap::new();
    let mut lines = Vec::new();
    for line in fs::read_to_string(&out).unwrap().lines() {
        let (process, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            // Another thread may get the number of a closed file before this call returns.
            if begun.starts_with("close(") {
                lines.push(format!("{begun}) = 0"));
            }
            open.insert(process.to_owned(), begun.to_owned());
        } else if let Some((_, rest)) = call.split_once(" resumed>") {
            let begun = open.remove(process).unwrap_or_default();
            if !begun.starts_with("close(") {
                lines.push(begun + rest);
            }
        } else {
            lines.push(call.to_owned());
        }
    }
    lines
}

fn has_ending(file: &str, ending: &str) -> bool {
    Path::new(file).extension().is_some_and(|found| found == ending)
}

/// The bytes of a string that `strace -xx` printed.
fn bytes(text: &str) -> Vec<u8> {
    let digits = text.trim_matches('"');
    digits.split("\\x").skip(1).map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// What the child says that it has done.
fn reported(printed: &[u8]) -> Option<Event> {
    let text = String::from_utf8_lossy(printed);
    let number = |word: &str| text.rsplit_once(word).and_then(|(_, number)| number.trim().parse().ok());
    number("durable ").map(Event::Acknowledged).or_else(|| number("copied ").map(Event::Copied))
}

/// What these calls did to the files in these folders, and what was acknowledged.
fn events(lines: &[String], folders: &[PathBuf]) -> Vec<Event> {
    let (mut files, mut events): (BTreeMap<String, String>, _) = (BTreeMap::new(), Vec::new());
    // The lengths of the files of heads, at whose ends lines are added.
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let is_folder = |path: &str| folders.iter().any(|folder| Path::new(path) == folder);
    let inside = |path: &str| Path::new(path).parent().and_then(Path::to_str).is_some_and(is_folder);
    for line in lines {
        let Some((name, rest)) = line.split_once('(') else { continue };
        let Some((arguments, result)) = rest.rsplit_once(") ").or_else(|| rest.rsplit_once(')')) else {
            continue;
        };
        let result = result.trim_start_matches([' ', '=']).split(' ').next().unwrap_or_default();
        if result.starts_with('-') {
            continue;
        }
        let arguments: Vec<&str> = arguments.split(", ").collect();
        let path = |nth: usize| String::from_utf8(bytes(arguments[nth])).unwrap();
        let file = || files.get(arguments[0]).cloned();
        match name {
            "openat" => {
                let path = path(1);
                files.remove(result);
                if inside(&path) || is_folder(&path) {
                    files.insert(result.to_owned(), path.clone());
                    if arguments[2].contains("O_CREAT") {
                        events.push(Event::Create(path));
                    }
                }
            }
            "close" => drop(files.remove(arguments[0])),
            "write" if arguments[0] == "1" => events.extend(reported(&bytes(arguments[1]))),
            "write" => {
                let Some(file) = file().filter(|file| !has_ending(file, "lock")) else { continue };
                let in_order = has_ending(&file, "heads") || has_ending(&file, "new");
                assert!(in_order, "only locks, heads and drafts are written in order: {line}");
                let (data, end) = (bytes(arguments[1]), ends.entry(file.clone()).or_default());
                let at = *end;
                *end += data.len();
                events.push(Event::Write { file, at, data });
            }
            "pwrite64" => events.extend(file().map(|file| Event::Write {
                file,
                at: arguments[3].parse().unwrap(),
                data: bytes(arguments[1]),
            })),
            "ftruncate" => {
                let Some(file) = file() else { continue };
                let length = arguments[1].parse().unwrap();
                ends.insert(file.clone(), length);
                events.push(Event::Cut { file, length });
            }
            "fsync" | "fdatasync" => {
                events.extend(
                    file().map(
                        |file| {
                            if is_folder(&file) { Event::SyncFolder(file) } else { Event::Sync(file) }
                        },
                    ),
                );
            }
            "rename" if inside(&path(0)) => {
                events.push(Event::Rename { from: path(0), to: path(1) });
                ends.remove(&path(0));
            }
            "linkat" if inside(&path(1)) => events.push(Event::Link { from: path(1), to: path(3) }),
            "unlink" => events.extend(Some(path(0)).filter(|path| inside(path)).map(Event::Remove)),
            _ => {}
        }
    }
    events
}

/// A file on the disk: what was synced, and what was not yet.
#[derive(Clone, Default)]
struct OnDisk<'a> {
    synced: Vec<u8>,
    waiting: Vec<&'a Event>,
}

/// Does to these bytes what the event did; of a write perhaps only some sectors.
fn apply(content: &mut Vec<u8>, event: &Event, mut keeps: impl FnMut() -> bool) {
    match event {
        Event::Write { at, data, .. } => {
            for (nth, sector) in data.chunks(SECTOR).enumerate() {
                let from = at + nth * SECTOR;
                if keeps() {
                    content.resize(content.len().max(from + sector.len()), 0);
                    content[from..from + sector.len()].copy_from_slice(sector);
                }
            }
        }
        Event::Cut { length, .. } => content.resize(*length, 0),
        _ => {}
    }
}

/// What is on the disks, and what may still be otherwise there.
#[derive(Default)]
struct Disks<'a> {
    files: BTreeMap<&'a str, OnDisk<'a>>,
    /// New files that may be missing.
    unsure: BTreeSet<&'a str>,
    /// Removed files that can be back.
    removed: BTreeMap<&'a str, OnDisk<'a>>,
    /// What had a name before, the oldest first; `None` if nothing had it.
    earlier: BTreeMap<&'a str, Vec<Option<OnDisk<'a>>>>,
    /// The last line that was acknowledged, and how many lines the copy has.
    acknowledged: u64,
    copied: u64,
}

impl<'a> Disks<'a> {
    fn after(events: &'a [Event], before: &'a BTreeMap<String, Vec<u8>>) -> Self {
        let mut disks = Self::default();
        for (name, content) in before {
            disks.files.insert(name, OnDisk { synced: content.clone(), waiting: Vec::new() });
        }
        for event in events {
            disks.does(event);
        }
        disks
    }

    fn does(&mut self, event: &'a Event) {
        match event {
            Event::Write { file, .. } | Event::Cut { file, .. } => {
                self.files.entry(file).or_default().waiting.push(event);
            }
            Event::Create(file) => {
                if !self.files.contains_key(file.as_str()) {
                    self.files.insert(file, OnDisk::default());
                    self.unsure.insert(file);
                }
            }
            Event::Remove(file) => {
                if let Some(gone) = self.files.remove(file.as_str()) {
                    self.removed.insert(file, gone);
                }
            }
            Event::Rename { from, to } => {
                if let Some(moved) = self.files.remove(from.as_str()) {
                    self.unsure.remove(from.as_str());
                    let old = self.files.insert(to, moved);
                    self.earlier.entry(to).or_default().push(old);
                }
            }
            Event::Link { from, to } => {
                if let Some(file) = self.files.get(from.as_str()).cloned() {
                    self.files.insert(to, file);
                    self.unsure.insert(to);
                }
            }
            Event::Sync(file) => {
                let file = self.files.entry(file).or_default();
                for event in std::mem::take(&mut file.waiting) {
                    apply(&mut file.synced, event, || true);
                }
            }
            Event::SyncFolder(folder) => {
                let elsewhere = |name: &str| Path::new(name).parent() != Some(Path::new(folder));
                self.unsure.retain(|name| elsewhere(name));
                self.removed.retain(|name, _| elsewhere(name));
                self.earlier.retain(|name, _| elsewhere(name));
            }
            Event::Acknowledged(number) => self.acknowledged = self.acknowledged.max(*number),
            Event::Copied(number) => self.copied = self.copied.max(*number),
        }
    }

    /// Writes the files that a power cut can leave to their places.
    fn cut(&mut self, chance: &mut ChaCha8Rng) {
        let mut below = |limit: usize| usize::try_from(chance.next_u64() % limit as u64).unwrap();
        for (name, mut all) in std::mem::take(&mut self.earlier) {
            let chosen = below(all.len() + 1);
            if chosen < all.len() {
                match all.swap_remove(chosen) {
                    Some(old) => drop(self.files.insert(name, old)),
                    None => drop(self.files.remove(name)),
                }
            }
        }
        // A removed file whose folder was not synced can come back.
        for (name, file) in self.removed.iter().chain(&self.files) {
            let may_be_lost = self.unsure.contains(name) && below(2) == 0;
            if may_be_lost || name.ends_with("-shm") || has_ending(name, "lock") {
                continue;
            }
            let (mut content, mut waiting) = (file.synced.clone(), file.waiting.clone());
            for nth in (1..waiting.len()).rev() {
                waiting.swap(nth, below(nth + 1));
            }
            for event in waiting {
                match below(5) {
                    0 | 1 => {}
                    2 | 3 => apply(&mut content, event, || true),
                    _ => apply(&mut content, event, || below(2) == 0),
                }
            }
            fs::write(name, content).unwrap();
        }
    }
}

/// The lines of the one match of a journal; none if there is no match yet.
fn lines_of(journal: &Path) -> Result<Vec<String>, String> {
    let read = || -> Result<_, JournalError> {
        let reader = Journal::open_read(journal)?;
        let Some(info) = reader.matches()?.pop() else { return Ok(Vec::new()) };
        reader.lines(info.id)
    };
    let lines = read().map_err(|error| error.to_string())?;
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

/// `Err` says what is wrong with a journal that a cut has left, in which so many lines must be.
fn verified(left: &Path, at_least: u64) -> Result<Vec<String>, String> {
    // The cut may have come before the match was begun, or before the copy was.
    if at_least == 0 && !left.exists() {
        return Ok(Vec::new());
    }
    let told = tabiya(&["verify", name(left)]);
    let (said, trouble) = (text(&told.stdout), text(&told.stderr));
    if !(told.status.success() || at_least == 0 && trouble.contains("has no match")) {
        return Err(format!("{}: {said}{trouble}", left.display()));
    }
    let lines = lines_of(left)?;
    if (lines.len() as u64) < at_least {
        return Err(format!("{}: {} of {at_least} lines", left.display(), lines.len()));
    }
    Ok(lines)
}

/// `Err` says what is wrong with the record or its copy after a cut.
fn both_are_whole(desk: &Desk, disks: &Disks<'_>) -> Result<(), String> {
    let lines = verified(&desk.record(), disks.acknowledged)?;
    let copied = verified(&desk.copy(), disks.copied)?;
    if lines.starts_with(&copied) {
        Ok(())
    } else {
        Err("the copy has other lines than the record".to_owned())
    }
}

/// The note on the match and its signed heads, as a power cut has left them, say nothing against the record: a note lags behind
/// or is lost, and never runs ahead.
fn raises_no_doubt(left: &Path, keys: &Path, what: &str) {
    let reader = Journal::open_read(left).unwrap();
    let Some(info) = reader.matches().unwrap().pop() else { return };
    let resumed = resume_point(&reader, &info, &Keyring::in_folder(keys)).unwrap();
    let heads = fs::read(left.with_extension("heads")).unwrap_or_default();
    let unsigned = !heads.contains(&b'\n');
    match resumed.doubt {
        None => {}
        Some(Doubt::NoHeads) if unsigned => {}
        Some(doubt) => panic!("{what}: the record {doubt}"),
    }
}

/// What a power cut has left can be signed again, and the copy of it goes on in its file.
fn goes_on(desk: &Desk, what: &str) {
    let record = desk.record();
    let mut journal = Journal::open(&record).unwrap_or_else(|error| panic!("{what}: {error}"));
    let Some(info) = journal.matches().unwrap().pop() else { return };
    journal = journal.with_signer(Signer::new(Keyring::in_folder(&desk.keys()).table_key().unwrap()));
    journal.sign(info.id).unwrap_or_else(|error| panic!("{what}: {error}"));
    journal.close().unwrap();
    let state =
        Box::new(RecordCopy::start(&record, &desk.stick())).finish(Duration::from_mins(1)).copy().unwrap();
    assert_eq!((state.behind, state.trouble), (0, None), "{what}: the copy");
    for left in [record, desk.copy()] {
        let told = tabiya(&["verify", name(&left)]);
        let (said, trouble) = (text(&told.stdout), text(&told.stderr));
        assert!(told.status.success() && said.contains("to the last line"), "{what}: {said}{trouble}");
    }
    assert_eq!(lines_of(&desk.copy()), lines_of(&desk.record()), "{what}");
    assert!(!desk.stick().join("e-2.tabiya").exists(), "{what}: the copy began again");
}

/// The dealt cards open with the key that the cut has left. Returns how many deals there are.
fn deals_open(desk: &Desk, what: &str) -> u64 {
    let Some(info) = Journal::open_read(&desk.record()).unwrap().matches().unwrap().pop() else { return 0 };
    let key = Keyring::in_folder(&desk.keys()).find(info.begins).unwrap();
    let lines = lines_of(&desk.record()).unwrap();
    for line in &lines {
        let key = key.as_ref().unwrap_or_else(|| panic!("{what}: deals have a key"));
        let opened = vault::open(&serde_json::from_str(line).unwrap(), key);
        let opened = opened.unwrap_or_else(|why| panic!("{what}: {why}"));
        assert_eq!(opened["cards"]["white"], serde_json::json!(["Q", "R"]), "{what}: {opened}");
    }
    lines.len() as u64
}

#[test]
fn no_power_cut_loses_what_was_acknowledged() {
    let (cuts, seed) = (tries("TABIYA_POWER_CUTS", CUTS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut lines, mut copied, mut deals, mut dropped) = (0, 0, 0, 0);
    for (nth, appends) in (0..).zip([Appends::Lines, Appends::Groups, Appends::Deals]) {
        let desk = Desk::new();
        let (before, events) = desk.events(appends);
        let writes = |ending: &str| {
            events.iter().any(|event| matches!(event, Event::Write { file, .. } if has_ending(file, ending)))
        };
        assert!(writes("seen") && writes("heads"));
        let syncs = events.iter().filter(|event| matches!(event, Event::Sync(_))).count();
        assert!(syncs > 10, "the trace shows {syncs} syncs: {} events", events.len());
        for _ in 0..(cuts + nth) / 3 {
            desk.clear();
            let until = usize::try_from(chance.next_u64() % (events.len() as u64 + 1)).unwrap();
            let mut disks = Disks::after(&events[..until], &before);
            disks.cut(&mut chance);
            let what = format!("cut after {until} of {} events (seed {seed:#x})", events.len());
            both_are_whole(&desk, &disks).unwrap_or_else(|why| panic!("{what}: {why}"));
            raises_no_doubt(&desk.record(), &desk.keys(), &what);
            match appends {
                Appends::Lines | Appends::Groups => check(&desk.record(), disks.acknowledged),
                Appends::Deals => deals += deals_open(&desk, &what),
            }
            goes_on(&desk, &what);
            lines += disks.acknowledged;
            copied += disks.copied;
            dropped += u64::from(until < events.len());
        }
    }
    report(&format!(
        "power cuts of record, heads, notes, keys and second copy, rebuilt from system calls (seed {seed:#x}) | {cuts} | {lines} acknowledged lines, 0 lost; {copied} lines that the table called copied, 0 lost, no copy torn; {deals} deals open with their key"
    ));
    assert!(dropped > 0 && lines > 0 && copied > 0 && deals > 0, "no cut tested anything");
}

/// The test would notice a journal, or a copy, that syncs nothing.
#[test]
fn without_syncs_the_same_cuts_lose_lines_and_tear_copies() {
    let mut chance = ChaCha8Rng::seed_from_u64(seed(SEED));
    let desk = Desk::new();
    let (before, events) = desk.events(Appends::Lines);
    for folder in desk.folders() {
        // The files in this folder are never synced, those in the other one as they were.
        let is_kept =
            |event: &Event| !matches!(event, Event::Sync(file) if Path::new(file).starts_with(&folder));
        let (ignored, events): (Vec<Event>, Vec<Event>) =
            events.iter().cloned().partition(|event| !is_kept(event));
        assert!(ignored.len() > 10, "{}: {} syncs", folder.display(), ignored.len());
        let faults = (0..CUTS_WITHOUT_SYNCS).filter(|_| {
            desk.clear();
            let mut disks = Disks::after(&events, &before);
            disks.cut(&mut chance);
            both_are_whole(&desk, &disks).is_err()
        });
        let faults = faults.count();
        assert!(faults > CUTS_WITHOUT_SYNCS / 2, "{}: {faults} faults", folder.display());
    }
}
