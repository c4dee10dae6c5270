//! What a fault injector and an attacker did to the running program, and what the program does about it.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use crate::child::{Table, name, printed};

/// A table of chess with a record, and two moves played.
fn playing(record: &Path) -> Table {
    let arguments = ["play", "--headless", "--plain", "--game", "chess", "--time", "300"];
    let mut table = Table::start(&[&arguments[..], &["--record", name(record)]].concat());
    for (typed, told) in [("e4", "White plays e2e4"), ("", ""), ("e5", "Black plays e7e5")] {
        table.enter_and_hear(typed, told);
    }
    table
}

/// The moves that the record has.
fn moves(record: &Path) -> usize {
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["replay", name(record), "--json"], 0)).unwrap();
    report["games"][0]["moves"].as_array().unwrap().len()
}

fn beside(record: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", record.display()))
}

#[test]
fn a_record_that_is_removed_while_it_is_played_goes_on_in_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let mut table = playing(&record);
    for ending in ["", "-wal", "-shm"] {
        std::fs::remove_file(beside(&record, ending)).unwrap();
    }
    // Nobody types anything: the loss is noticed by itself, and the clocks are stopped.
    table.hear("was removed or replaced while it was open; all lines are saved in");
    table.hear("the record can be written again; the clocks stopped at");
    table.enter_and_hear("resume", "resumed");
    table.enter("");
    table.enter_and_hear("Nf3", "White plays g1f3");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let new = folder.path().join("e-2.tabiya");
    assert!(heard.iter().any(|line| line.contains("e-2.tabiya, ")), "the end names the file: {heard:?}");
    assert_eq!(moves(&new), 3);
    assert!(!record.exists());
    printed(&["verify", name(&new)], 0);
}

#[test]
fn a_record_that_is_replaced_and_killed_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (record, other) = (folder.path().join("e.tabiya"), folder.path().join("other.tabiya"));
    let (status, ..) = playing(&other).quit();
    assert!(status.success());
    let mut table = playing(&record);
    std::fs::rename(&other, &record).unwrap();
    table.enter("");
    table.hear("all lines are saved in");
    table.hear("the record can be written again");
    table.enter_and_hear("resume", "resumed");
    table.enter("");
    table.enter_and_hear("Nf3", "White plays g1f3");
    table.kill();
    assert_eq!(moves(&folder.path().join("e-2.tabiya")), 3);
    assert_eq!(moves(&record), 2, "the other record is as it was");
}
