//! The worked examples of the contract, each a record with its result (`fixtures/chess-joker/`).
//!
//! The order of the legal lines and the words of messages are ours; everything else is compared to the letter.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tabiya_engine::record::{Replay, Stop};
use tabiya_engine::rules::GAMES;

fn all() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chess-joker");
    let files =
        fs::read_dir(folder).expect("a folder of fixtures").map(|entry| entry.expect("an entry").path());
    let mut records: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    records.sort();
    assert!(records.len() > 20, "only {} examples were found", records.len());
    records
}

/// Replays a record; returns the refused lines and the report, without what is not compared.
fn replayed(text: &str) -> (Vec<u64>, Value) {
    let mut lines = text.lines();
    let mut replay = Replay::begin(lines.next().expect("a header"), GAMES).expect("a header");
    let mut refused = Vec::new();
    for (number, line) in (2..).zip(lines) {
        match replay.feed(number, line) {
            Ok(()) => {}
            Err(Stop::Refused(_)) => refused.push(u64::from(number)),
            Err(Stop::Unusable(error)) => panic!("line {number}: {error}"),
        }
    }
    (refused, comparable(replay.report()))
}

fn comparable(mut report: Value) -> Value {
    let fields = report.as_object_mut().expect("an object");
    fields.remove("notes");
    for violation in fields["violations"].as_array_mut().expect("a list") {
        violation.as_object_mut().expect("an object").remove("message");
    }
    fields["legal"].as_array_mut().expect("a list").sort_by_key(ToString::to_string);
    report
}

#[test]
fn every_worked_example_gives_its_result() {
    for path in all() {
        let (refused, report) = replayed(&fs::read_to_string(&path).expect("a record"));
        let stored = fs::read_to_string(path.with_extension("json")).expect("a result");
        let stored: Value = serde_json::from_str(&stored).expect("JSON");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert_eq!(Value::from(refused), stored["refused"], "{name}");
        assert_eq!(report, comparable(stored["result"].clone()), "{name}");
    }
}
