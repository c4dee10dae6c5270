//! A record that a newer version of the program wrote is refused with a sentence, and stays as it is: as text (the header's
//! number) and as a file (the journal's schema). `docs/record.md`, "Versions", promises it.

use std::path::Path;

use rusqlite::Connection;

use crate::child::{name, simulated, tabiya, text};

/// Runs the program, which refuses the file with status 2, prints no result, and changes nothing. Returns what it says.
fn refused(arguments: &[&str], file: &Path) -> String {
    let before = std::fs::read(file).expect("a file");
    let done = tabiya(arguments);
    assert_eq!(done.status.code(), Some(2), "{arguments:?}: {done:?}");
    assert_eq!(std::fs::read(file).expect("a file"), before, "{arguments:?} changes the file");
    assert!(done.stdout.is_empty(), "{arguments:?}: {}", text(&done.stdout));
    text(&done.stderr)
}

#[test]
fn a_record_in_a_newer_form_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("evening.jsonl");
    let header = r#"{"tabiya":2,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
    std::fs::write(&file, format!("{header}\n")).expect("a disk");
    let file_name = name(&file);
    for command in [
        vec!["replay", file_name],
        vec!["replay", file_name, "--json"],
        vec!["infer", file_name],
        vec!["export", file_name, "--format", "pgn"],
    ] {
        let said = refused(&command, &file);
        assert!(
            said.contains("the record has version 2, but this program reads only version 1"),
            "{command:?}: {said}"
        );
    }
}

#[test]
fn a_journal_with_a_newer_schema_is_refused_with_a_sentence_and_not_played_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("evening.tabiya");
    simulated(&file, 1, &["--plies", "2"]);
    let journal = Connection::open(&file).expect("a journal");
    journal.pragma_update(None, "user_version", 2).expect("a disk");
    journal.close().expect("a disk");
    let file_name = name(&file);
    for command in [
        vec!["replay", file_name],
        vec!["verify", file_name],
        vec!["export", file_name, "--format", "jsonl"],
        vec!["play", "--headless", "--record", file_name, "--carry-on"],
    ] {
        let said = refused(&command, &file);
        let sentence = "was written by a newer version of Tabiya (the file has format 2, this version reads format 1); update the program to open it";
        assert!(said.contains(sentence), "{command:?}: {said}");
    }
}
