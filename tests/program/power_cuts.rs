//! Power cuts: what was acknowledged is on the disk.
//!
//! A child appends lines to a journal while `strace` writes down its system calls. From them the test builds the files
//! that a power cut at a random moment can leave: what was synced is there; each write after the last sync is dropped,
//! kept, or torn at sectors of 512 bytes, in any order; a new file whose folder was not synced may be missing. The
//! journal of such files must open, be whole, and have every line that was acknowledged before the cut. `tabiya verify`
//! finds nothing wrong with it, neither with the lines nor with the signed heads beside them, and heads can be signed again.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabiya_app::store::heads::Signer;
use tabiya_app::store::journal::{Journal, Store as _};
use tabiya_app::store::keys::Keyring;
use tabiya_app::store::trust::{Doubt, resume_point};

use crate::child::{name, tabiya, text};
use crate::journal_crash::{FILE, GROUPED, LINES, SIGNS, check};
use crate::tries::{report, seed, tries};

const SEED: u64 = 0x09_0e7c;
/// The number of power cuts, unless `TABIYA_POWER_CUTS` says another one.
const CUTS: u64 = 100;
/// The number of lines that a child appends: enough for the log to be merged into the file several times.
const APPENDED: &str = "450";
const SECTOR: usize = 512;

/// What the child did, as far as it matters for the disk.
#[derive(Debug)]
enum Event {
    Write { file: String, at: usize, data: Vec<u8> },
    Cut { file: String, length: usize },
    Create(String),
    Remove(String),
    Rename { from: String, to: String },
    Sync(String),
    SyncFolder,
    Acknowledged(u64),
}

/// Runs the child under `strace`, and returns the lines of the trace; calls that were interrupted are joined.
fn trace(record: &Path, keys: &Path, grouped: bool) -> Vec<String> {
    let out = record.with_extension("trace");
    let calls = "trace=openat,close,write,pwrite64,ftruncate,fsync,fdatasync,unlink,rename";
    let mut command = Command::new("strace");
    command.args(["-f", "-xx", "-s", "1000000", "-e", calls, "-e", "signal=none", "-o"]).arg(&out);
    command.arg(env::current_exe().unwrap());
    command.args([
        "--exact",
        "journal_crash::child_appends_until_it_is_killed",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(FILE, record).env(LINES, APPENDED).env(SIGNS, keys);
    if grouped {
        command.env(GROUPED, "1");
    }
    let done = command.output().expect("strace is installed: `apt-get install strace`");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut open: BTreeMap<String, String> = BTreeMap::new();
    let mut lines = Vec::new();
    for line in fs::read_to_string(&out).unwrap().lines() {
        let (process, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            open.insert(process.to_owned(), begun.to_owned());
        } else if let Some((_, rest)) = call.split_once(" resumed>") {
            lines.push(open.remove(process).unwrap_or_default() + rest);
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

/// What these calls did to the files in the record's folder, and what was acknowledged.
fn events(lines: &[String], folder: &Path) -> Vec<Event> {
    let (mut files, mut events): (BTreeMap<String, String>, _) = (BTreeMap::new(), Vec::new());
    // The lengths of the files of heads, at whose ends lines are added.
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let in_folder = |path: &str| Path::new(path).parent() == Some(folder);
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
                if in_folder(&path) || Path::new(&path) == folder {
                    files.insert(result.to_owned(), path.clone());
                    if arguments[2].contains("O_CREAT") {
                        events.push(Event::Create(path));
                    }
                }
            }
            "close" => drop(files.remove(arguments[0])),
            "write" if arguments[0] == "1" => {
                let text = String::from_utf8_lossy(&bytes(arguments[1])).into_owned();
                let number = text.rsplit_once("durable ").and_then(|(_, number)| number.trim().parse().ok());
                events.extend(number.map(Event::Acknowledged));
            }
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
                events.extend(file().map(|file| {
                    if Path::new(&file) == folder { Event::SyncFolder } else { Event::Sync(file) }
                }));
            }
            "rename" if in_folder(&path(0)) => {
                events.push(Event::Rename { from: path(0), to: path(1) });
                ends.remove(&path(0));
            }
            "unlink" => events.extend(Some(path(0)).filter(|path| in_folder(path)).map(Event::Remove)),
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

/// Writes the files that a power cut after these events can leave into `to`. Returns the last acknowledged line.
fn cut(events: &[Event], before: &BTreeMap<String, Vec<u8>>, chance: &mut ChaCha8Rng, to: &Path) -> u64 {
    let mut files: BTreeMap<&str, OnDisk<'_>> = BTreeMap::new();
    for (name, content) in before {
        files.insert(name, OnDisk { synced: content.clone(), waiting: Vec::new() });
    }
    let (mut unsure, mut removed) = (BTreeSet::new(), BTreeMap::new());
    let mut replaced: BTreeMap<&str, OnDisk<'_>> = BTreeMap::new();
    let mut acknowledged = 0;
    for event in events {
        match event {
            Event::Write { file, .. } | Event::Cut { file, .. } => {
                files.entry(file).or_default().waiting.push(event);
            }
            Event::Create(file) => {
                if !files.contains_key(file.as_str()) {
                    files.insert(file, OnDisk::default());
                    unsure.insert(file.as_str());
                }
            }
            Event::Remove(file) => {
                if let Some(gone) = files.remove(file.as_str()) {
                    removed.insert(file.as_str(), gone);
                }
            }
            // What had the name before may be back until the folder is synced.
            Event::Rename { from, to } => {
                if let Some(old) = files.remove(to.as_str()) {
                    replaced.entry(to.as_str()).or_insert(old);
                }
                if let Some(moved) = files.remove(from.as_str()) {
                    files.insert(to, moved);
                }
            }
            Event::Sync(file) => {
                let file = files.entry(file).or_default();
                for event in std::mem::take(&mut file.waiting) {
                    apply(&mut file.synced, event, || true);
                }
            }
            Event::SyncFolder => {
                unsure.clear();
                removed.clear();
                replaced.clear();
            }
            Event::Acknowledged(number) => acknowledged = acknowledged.max(*number),
        }
    }
    for (name, old) in replaced {
        if chance.next_u64().is_multiple_of(2) {
            files.insert(name, old);
        }
    }
    // A removed file whose folder was not synced can come back.
    for (name, file) in removed.iter().chain(&files) {
        let may_be_lost = unsure.contains(name) && chance.next_u64().is_multiple_of(2);
        if may_be_lost || name.ends_with("-shm") || has_ending(name, "lock") || has_ending(name, "trace") {
            continue;
        }
        let (mut content, mut waiting) = (file.synced.clone(), file.waiting.clone());
        for nth in (1..waiting.len()).rev() {
            waiting.swap(nth, usize::try_from(chance.next_u64() % (nth as u64 + 1)).unwrap());
        }
        for event in waiting {
            match chance.next_u64() % 5 {
                0 | 1 => {}
                2 | 3 => apply(&mut content, event, || true),
                _ => apply(&mut content, event, || chance.next_u64().is_multiple_of(2)),
            }
        }
        fs::write(to.join(Path::new(name).file_name().unwrap()), content).unwrap();
    }
    acknowledged
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

/// What a power cut has left is told to be whole, and the match can be signed again.
fn verifies(left: &Path, keys: &Path, acknowledged: u64, what: &str) {
    raises_no_doubt(left, keys, what);
    let verified = tabiya(&["verify", name(left)]);
    let (said, trouble) = (text(&verified.stdout), text(&verified.stderr));
    // The cut may have come before the match was begun.
    let is_empty = acknowledged == 0 && trouble.contains("has no match");
    assert!(verified.status.success() || is_empty, "{what}: {said}{trouble}");
    let mut journal = Journal::open(left).unwrap_or_else(|error| panic!("{what}: {error}"));
    check(left, acknowledged);
    if let Some(info) = journal.matches().unwrap().pop() {
        journal = journal.with_signer(Signer::new(Keyring::in_folder(keys).table_key().unwrap()));
        journal.sign(info.id).unwrap_or_else(|error| panic!("{what}: {error}"));
        journal.close().unwrap();
        let verified = tabiya(&["verify", name(left)]);
        let (said, trouble) = (text(&verified.stdout), text(&verified.stderr));
        assert!(verified.status.success() && said.contains("to the last line"), "{what}: {said}{trouble}");
    }
}

#[test]
fn no_power_cut_loses_what_was_acknowledged() {
    let (cuts, seed) = (tries("TABIYA_POWER_CUTS", CUTS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut lines, mut dropped) = (0, 0);
    for grouped in [false, true] {
        // The keys lie beside the record, so that their notes are traced, too.
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap().join("here");
        fs::create_dir(&folder).unwrap();
        let record = folder.join("e.tabiya");
        Keyring::in_folder(&folder).table_key().unwrap();
        Journal::create(&record).unwrap().close().unwrap();
        let kept = [record.clone(), folder.join("table.json")];
        let before =
            BTreeMap::from(kept.map(|path| (path.to_str().unwrap().to_owned(), fs::read(&path).unwrap())));
        let events = events(&trace(&record, &folder, grouped), &folder);
        assert!(
            events.iter().any(|event| matches!(event, Event::Write { file, .. } if has_ending(file, "seen")))
        );
        let syncs = events.iter().filter(|event| matches!(event, Event::Sync(_))).count();
        assert!(syncs > 10, "the trace shows {syncs} syncs: {} events", events.len());
        for _ in 0..cuts / 2 {
            // A note knows the folder of its keys, so what is left lies where it was written.
            fs::remove_dir_all(&folder).unwrap();
            fs::create_dir(&folder).unwrap();
            let until = usize::try_from(chance.next_u64() % (events.len() as u64 + 1)).unwrap();
            let acknowledged = cut(&events[..until], &before, &mut chance, &folder);
            let what = format!("cut after {until} of {} events (seed {seed:#x})", events.len());
            verifies(&record, &folder, acknowledged, &what);
            lines += acknowledged;
            dropped += u64::from(until < events.len());
        }
    }
    report(&format!(
        "power cuts, rebuilt from system calls (seed {seed:#x}) | {cuts} | {lines} acknowledged lines, 0 lost"
    ));
    assert!(dropped > 0 && lines > 0, "no cut tested anything");
}
