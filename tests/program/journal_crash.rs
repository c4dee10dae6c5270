//! Lines that the journal has acknowledged survive a kill of the process that wrote them.
//!
//! This test starts itself again as a child that appends lines and reports each line that the journal has acknowledged.
//! Then it kills the child with SIGKILL, two hundred times. A kill is not a power cut, because data that the operating
//! system has accepted are not lost. The safety against power cuts comes from SQLite's sync at every commit.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;
use tabiya_store::copy::RecordCopy;
use tabiya_store::follow::Follower as _;
use tabiya_store::heads::Signer;
use tabiya_store::journal::vault::{self, KeyStore as _};
use tabiya_store::journal::{Batch, Journal, JournalWriter, MatchId, NewEntry, Store};
use tabiya_store::keys::Keyring;

use crate::tries::{self, seed, tries};
use crate::wait::let_pass;

/// The environment variable with the path of the journal. A process that has this variable is the child.
pub(crate) const FILE: &str = "TABIYA_CRASH_FILE";
/// The environment variable that makes the child write batches through the writer's thread, instead of single lines.
pub(crate) const GROUPED: &str = "TABIYA_CRASH_GROUPED";

/// Any SQLite program: opens the record, reads, merges the log and closes, again and again until it is killed. It is Python
/// with the system's SQLite, because the newest SQLite notices by itself that a table has lost its locks, and keeps the log.
const VISITOR: &str = r#"
import itertools, sqlite3, sys
does = ["BEGIN IMMEDIATE", "PRAGMA wal_checkpoint(TRUNCATE)", "SELECT 1"]
for what in itertools.cycle(does):
    visitor = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
    try:
        visitor.execute("SELECT count(*) FROM entry").fetchall()
        visitor.execute(what).fetchall()
        print("visited", flush=True)
    except sqlite3.Error:
        pass
    visitor.close()
"#;

/// The environment variable with the folder of keys. It makes the child write deals with known cards, which are sealed.
pub(crate) const SEALED: &str = "TABIYA_CRASH_KEYS";

/// The environment variable with the folder of the key with which the child signs the record's heads.
pub(crate) const SIGNS: &str = "TABIYA_CRASH_SIGNS";

/// The environment variable with the folder of a second copy, which the child keeps.
pub(crate) const COPIED: &str = "TABIYA_CRASH_COPY";

/// The environment variable that makes the child end by itself, as if it was killed, after this number of lines.
pub(crate) const LINES: &str = "TABIYA_CRASH_LINES";

/// The number of kills, unless `TABIYA_KILLS` says another one.
const KILLS: u64 = 200;
/// The same while cards are sealed, unless `TABIYA_SEALED_KILLS` says another one.
const SEALED_KILLS: u64 = 30;
/// The same while another program reads the file, unless `TABIYA_VISITED_KILLS` says another one.
const VISITED_KILLS: u64 = 30;
/// After this number of kills the test begins a new journal file. Short files keep the checks quick.
const KILLS_A_FILE: u64 = 20;
/// The test waits for some reports of a child, then for a random time, and then kills the child. The random time is
/// shorter than this number of µs.
const GRACE_MICROS: u64 = 3_000;
const SEED: u64 = 0x07ab_17a0;

fn line(number: u64) -> NewEntry {
    NewEntry { t: number, line: format!(r#"{{"t":{number},"do":"tick","x-number":{number}}}"#) }
}

/// A deal whose cards are known.
fn deal(number: u64) -> NewEntry {
    let cards = r#""cards":{"white":["Q","R"],"black":["B","N"]}"#;
    NewEntry { t: number, line: format!(r#"{{"t":{number},"do":"deal",{cards},"x-number":{number}}}"#) }
}

/// The child's part. Without the variable [`FILE`] it does nothing.
#[test]
fn child_appends_until_it_is_killed() {
    let Some(path) = env::var_os(FILE) else { return };
    let mut journal = Journal::open(Path::new(&path)).unwrap();
    if let Some(keys) = env::var_os(SIGNS) {
        let key = Keyring::in_folder(Path::new(&keys)).table_key().unwrap();
        journal = journal.with_signer(Signer::new(key)).with_keys(Keyring::in_folder(Path::new(&keys)));
    }
    let id = match journal.matches().unwrap().first() {
        Some(info) => info.id,
        None => journal.begin_match(r#"{"tabiya":1,"id":"crash"}"#).unwrap(),
    };
    let next = journal.lines(id).unwrap().len() as u64 + 1;
    let copy = env::var_os(COPIED).map(|folder| RecordCopy::start(Path::new(&path), Path::new(&folder)));
    if let Some(keys) = env::var_os(SEALED) {
        let journal = journal.with_keys(Keyring::in_folder(Path::new(&keys)));
        append_alone(journal, id, next, deal, copy.as_ref());
    } else if env::var_os(GROUPED).is_some() {
        append_grouped(journal, id, next, copy.as_ref());
    } else {
        append_alone(journal, id, next, line, copy.as_ref());
    }
}

/// Reports that the lines up to this one, `new` more than before, are durable; and how many lines the copy has, as the table
/// would show it.
fn report(number: u64, new: u64, copy: Option<&RecordCopy>) {
    let last = env::var(LINES).ok().and_then(|text| text.parse().ok());
    // If the parent has closed its end of the pipe, this process is about to be killed.
    let _ = writeln!(std::io::stdout().lock(), "durable {number}");
    if let Some(copy) = copy {
        copy.written(new);
        let state = copy.state().copy().expect("it is a copy");
        if state.trouble.is_none() {
            let _ = writeln!(std::io::stdout().lock(), "copied {}", number.saturating_sub(state.behind));
        }
    }
    if last.is_some_and(|last: u64| number >= last) {
        std::process::exit(0);
    }
}

fn append_alone(
    mut journal: Journal,
    id: MatchId,
    first: u64,
    line: fn(u64) -> NewEntry,
    copy: Option<&RecordCopy>,
) {
    for number in first.. {
        if number % 7 == 0 {
            journal.moment(id, number).unwrap();
        }
        if number % 10 == 0 {
            journal.sign(id).unwrap();
        }
        journal.append(id, &[line(number)]).unwrap();
        report(number, 1, copy);
    }
}

fn append_grouped(journal: Journal, id: MatchId, first: u64, copy: Option<&RecordCopy>) {
    let writer = JournalWriter::start(journal);
    for start in (first..).step_by(30) {
        let tickets: Vec<_> = (0..10)
            .map(|nth| {
                let number = start + 3 * nth;
                let entries = (number..number + 3).map(line).collect();
                (number + 2, writer.submit(Batch { id, after: Some(number - 1), entries }))
            })
            .collect();
        for (last, ticket) in tickets {
            ticket.wait().unwrap();
            report(last, 3, copy);
        }
        writer.sign_wait(id).unwrap();
    }
}

/// What the child writes.
#[derive(Clone, Copy)]
enum Writes<'a> {
    Alone,
    Grouped,
    /// Deals, sealed with keys in this folder.
    Sealed(&'a Path),
}

fn start(path: &Path, writes: Writes) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([
        "--exact",
        "journal_crash::child_appends_until_it_is_killed",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(FILE, path).stdout(Stdio::piped()).stderr(Stdio::null());
    match writes {
        Writes::Alone => {}
        Writes::Grouped => drop(command.env(GROUPED, "1")),
        Writes::Sealed(keys) => drop(command.env(SEALED, keys)),
    }
    command.spawn().unwrap()
}

fn reported(line: &str) -> Option<u64> {
    line.rsplit_once("durable ").and_then(|(_, number)| number.trim().parse().ok())
}

/// Lets a child write for a while, kills it, and returns the number of the last line that was acknowledged.
fn kill_one(path: &Path, writes: Writes, reports: u64, grace: Duration) -> u64 {
    let mut child = start(path, writes);
    let mut pipe = BufReader::new(child.stdout.take().unwrap());
    let (mut last, mut seen, mut text) = (0, 0, String::new());
    while seen < reports {
        text.clear();
        assert_ne!(pipe.read_line(&mut text).unwrap(), 0, "the child ended by itself");
        if let Some(number) = reported(&text) {
            last = number;
            seen += 1;
        }
    }
    // This waits for a random time and not for a condition, because the kill must come at a random moment.
    let_pass(grace);
    child.kill().unwrap();
    child.wait().unwrap();
    let mut rest = String::new();
    pipe.read_to_string(&mut rest).unwrap();
    // Ignore a report that the kill has cut off: its number could be too small.
    rest.split_inclusive('\n').filter(|line| line.ends_with('\n')).filter_map(reported).fold(last, u64::max)
}

pub(crate) fn check(path: &Path, acknowledged: u64) {
    let reader = Journal::open_read(path).unwrap();
    let Some(info) = reader.matches().unwrap().pop() else {
        return assert_eq!(acknowledged, 0, "the match itself is gone");
    };
    let lines = reader.lines(info.id).unwrap();
    assert!(
        lines.len() as u64 >= acknowledged,
        "{acknowledged} lines were acknowledged, {} are there",
        lines.len()
    );
    for (number, (_, text)) in (1..).zip(&lines) {
        assert_eq!(*text, line(number).line);
    }
    let verified = reader.verify(info.id, Some(&info.head.to_string())).unwrap().unwrap();
    assert_eq!(verified.entries, lines.len());
}

#[test]
fn two_hundred_kills_lose_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let (kills, seed) = (tries("TABIYA_KILLS", KILLS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut acknowledged, mut total) = (0, 0);
    for kill in 0..kills {
        let path = folder.path().join(format!("{}.tabiya", kill / KILLS_A_FILE));
        if kill % KILLS_A_FILE == 0 {
            Journal::create(&path).unwrap().close().unwrap();
            total += acknowledged;
            acknowledged = 0;
        }
        let grace = Duration::from_micros(chance.next_u64() % GRACE_MICROS);
        // If this number is 0, the child may be killed before its first report, perhaps while it opens the file.
        let reports = chance.next_u64() % 12;
        let writes = if kill % 2 == 1 { Writes::Grouped } else { Writes::Alone };
        let last = kill_one(&path, writes, reports, grace);
        acknowledged = last.max(acknowledged);
        check(&path, acknowledged);
    }
    tries::report(&format!(
        "kills of the program at random moments (seed {seed:#x}) | {kills} | {total} acknowledged lines, 0 lost"
    ));
    assert!(total > 1_000, "only {total} lines were acknowledged: too few to test anything");
}

/// A program that opens a record to read it, closes it and merges its log may be there at any moment: it must neither move
/// the record to another file nor take a line with it.
#[test]
fn a_kill_while_another_program_reads_the_record_loses_nothing_and_forks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (kills, seed) = (tries("TABIYA_VISITED_KILLS", VISITED_KILLS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut total, mut visits) = (0, 0);
    for kill in 0..kills {
        let path = folder.path().join(format!("{kill}.tabiya"));
        Journal::create(&path).unwrap().close().unwrap();
        let mut visitor = Command::new("python3");
        let mut visitor = visitor.args(["-c", VISITOR]).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
        let mut visited = BufReader::new(visitor.stdout.take().unwrap());
        visited.read_line(&mut String::new()).unwrap();
        let grace = Duration::from_micros(chance.next_u64() % GRACE_MICROS);
        let acknowledged = kill_one(&path, Writes::Alone, 30 + chance.next_u64() % 100, grace);
        visitor.kill().unwrap();
        visitor.wait().unwrap();
        visits += visited.lines().count();
        check(&path, acknowledged);
        let here: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(!here.iter().any(|path| path.to_string_lossy().contains("-2")), "a fork: {here:?}");
        total += acknowledged;
    }
    tries::report(&format!(
        "kills while another SQLite program opens, reads, merges and closes the record (seed {seed:#x}) | {kills} | {total} acknowledged lines, 0 lost; {visits} visits, 0 forks"
    ));
    assert!(
        total > 20 * kills && visits as u64 > kills,
        "{total} lines, {visits} visits: too few to test anything"
    );
}

#[test]
fn a_kill_while_cards_are_sealed_loses_no_deal_and_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let (kills, seed) = (tries("TABIYA_SEALED_KILLS", SEALED_KILLS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut total = 0;
    for kill in 0..kills {
        // A new match has no key yet, so that a kill can come while the key is made.
        let path = folder.path().join(format!("{kill}.tabiya"));
        let keys = folder.path().join(format!("{kill}.keys"));
        Journal::create(&path).unwrap().close().unwrap();
        let grace = Duration::from_micros(chance.next_u64() % GRACE_MICROS);
        let acknowledged = kill_one(&path, Writes::Sealed(&keys), chance.next_u64() % 4, grace);
        total += acknowledged;
        let reader = Journal::open_read(&path).unwrap();
        let Some(info) = reader.matches().unwrap().pop() else {
            assert_eq!(acknowledged, 0, "the match itself is gone");
            continue;
        };
        reader.verify(info.id, Some(&info.head.to_string())).unwrap().unwrap();
        // The key itself is asked: nothing is signed here, so no program would show these cards.
        let key = Keyring::in_folder(&keys).find(info.begins).unwrap();
        let opened = |(_, line): (u64, String)| {
            let closed = serde_json::from_str(&line).unwrap();
            let opened = vault::open(&closed, key.as_ref().expect("deals have a key"));
            opened.unwrap_or_else(|why| panic!("{why} (seed {seed:#x}, kill {kill})")).to_string()
        };
        let lines: Vec<String> = reader.lines(info.id).unwrap().into_iter().map(opened).collect();
        assert!(
            lines.len() as u64 >= acknowledged,
            "{acknowledged} of {} deals (seed {seed:#x})",
            lines.len()
        );
        for line in &lines {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["cards"]["white"], serde_json::json!(["Q", "R"]), "{line}");
        }
    }
    tries::report(&format!(
        "kills while dealt cards are sealed (seed {seed:#x}) | {kills} | {total} acknowledged deals, 0 lost, all open with their key"
    ));
    assert!(total > 20, "only {total} deals were acknowledged: too few to test anything");
}
