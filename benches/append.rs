//! Measures how long it takes to append one durable line through the journal's writer, compared with a plain write and
//! sync in the same folder.
//!
//! The two ways alternate, so that other load on the disk affects both alike. In a second measurement many tables write
//! at once: lines that arrive during one commit share the next commit.
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the real time")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

mod support;

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use support::{Sample, folder_in_memory, folder_on_disk, head, rounds, row};
use tabiya_store::journal::{Batch, Journal, JournalWriter, MatchId, NewEntry};

const TURNS: usize = 20;
const PER_TURN: usize = 200;
/// How many tables write at once, one entry per measurement.
const TABLES: [u32; 4] = [1, 4, 16, 64];
const PER_TABLE: usize = 500;

fn main() {
    let disk = folder_on_disk();
    alone("one line at a time, on the disk", disk.path());
    if let Some(memory) = folder_in_memory() {
        alone("one line at a time, in memory, where a sync costs nothing", memory.path());
    }
    together("many tables at once, on the disk", disk.path());
}

/// The lines of a real session, repeated without end. Each line gets a later time than the line before it.
fn lines() -> impl Iterator<Item = NewEntry> {
    let text = fs::read_to_string("fixtures/sessions/chess-casual.jsonl").expect("a session");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect("a line"))
        .map(|mut line: serde_json::Value| {
            line.as_object_mut().expect("an object").shift_remove("x-hash");
            line
        })
        .collect();
    (0_u64..).zip(lines.into_iter().cycle()).map(|(t, mut line)| {
        line["t"] = t.into();
        NewEntry { t, line: line.to_string() }
    })
}

fn timed(what: impl FnOnce()) -> Duration {
    let began = Instant::now();
    what();
    began.elapsed()
}

/// Makes a new journal with one match for each table.
fn journal(folder: &Path, name: &str, tables: u32) -> (JournalWriter<Journal>, Vec<MatchId>) {
    let path = folder.join(format!("{name}-{tables}.tabiya"));
    let writer = JournalWriter::start(Journal::create(&path).expect("a new journal"));
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{}}"#;
    let matches = (0..tables).map(|_| writer.begin_match(header).expect("a match")).collect();
    (writer, matches)
}

/// Makes a file that already has `space` bytes, which later writes replace. If `space` is 0, the file is empty at first
/// and grows with every write.
fn plain(folder: &Path, name: &str, space: usize) -> File {
    let mut file = File::create(folder.join(name)).expect("a file");
    file.write_all(&vec![0; space]).and_then(|()| file.sync_all()).expect("space");
    file.seek(SeekFrom::Start(0)).expect("its start");
    file
}

fn alone(title: &str, folder: &Path) {
    let mut lines = lines();
    let mut next = || lines.next().expect("no end");
    let (writer, matches) = journal(folder, "alone", 1);
    let mut grows = plain(folder, "grows", 0);
    let mut fixed = plain(folder, "fixed", TURNS * PER_TURN * 1024);
    let mut samples: [Sample; 3] = Default::default();
    for _ in 0..rounds(TURNS) {
        let [of_growing, of_fixed, of_journal] = &mut samples;
        for (file, sample) in [(&mut grows, of_growing), (&mut fixed, of_fixed)] {
            for _ in 0..rounds(PER_TURN) {
                let text = next().line;
                sample.add(timed(|| {
                    file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).expect("written");
                }));
            }
        }
        for _ in 0..rounds(PER_TURN) {
            let batch = Batch { id: *matches.first().expect("a match"), after: None, entries: vec![next()] };
            of_journal.add(append(&writer, batch));
        }
    }
    head(title);
    let [of_growing, of_fixed, of_journal] = &samples;
    row("write and sync, a file that grows", of_growing, "");
    row("write and sync, space written before", of_fixed, "");
    row("the journal, one line", of_journal, "");
    writer.stop().expect("the journal").close().expect("closed");
}

fn together(title: &str, folder: &Path) {
    head(title);
    for tables in TABLES {
        let (writer, matches) = journal(folder, "together", tables);
        let began = Instant::now();
        let sample: Sample = thread::scope(|scope| {
            let writing: Vec<_> = matches.iter().map(|id| scope.spawn(|| write(&writer, *id))).collect();
            writing.into_iter().flat_map(|table| table.join().expect("a table")).collect()
        });
        let count = u32::try_from(sample.len()).expect("not so many");
        let each_second = f64::from(count) / began.elapsed().as_secs_f64();
        row(&format!("the journal, {tables} table(s)"), &sample, format_args!("{each_second:.0} per second"));
        writer.stop().expect("the journal").close().expect("closed");
    }
    println!();
}

/// Writes the lines of one table. Each line is durable before the next one is sent.
fn write(writer: &JournalWriter<Journal>, id: MatchId) -> Vec<Duration> {
    let batches: Vec<Batch> = lines()
        .take(rounds(PER_TABLE))
        .map(|entry| Batch { id, after: None, entries: vec![entry] })
        .collect();
    batches.into_iter().map(|batch| append(writer, batch)).collect()
}

fn append(writer: &JournalWriter<Journal>, batch: Batch) -> Duration {
    timed(|| {
        writer.append_wait(batch).expect("durable");
    })
}
