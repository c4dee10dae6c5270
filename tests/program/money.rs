//! Chips over an evening, as people type it: what was bought is owed, what is open is listed, and everything adds to zero.

use std::path::Path;
use std::process::Command;

use crate::child::{name, printed, text, typed_into};

/// Plays a match in this record by typed lines. Returns what was printed.
fn play(record: &Path, more: &[&str], typed: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(["play", "--plain", "--stacks", "20", "--record", name(record)]).args(more);
    if !more.contains(&"--players") {
        command.args(["--players", "Ann,Bo"]);
    }
    let lines: String = typed.split(';').map(|line| line.trim().to_owned() + "\n").collect();
    let done = typed_into(&mut command, &lines);
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout)
}

fn evening(record: &Path) -> String {
    printed(&["evening", name(record), "--chip", "1"], 0)
}

#[test]
fn chips_that_were_bought_in_mid_match_are_owed() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("evening.tabiya");
    let bought = "deal; raise 10; fold; rule stacks Bo 38 added Bo buys 20 more; yes; end closing time; yes";
    play(&record, &[], bought);
    let told = evening(&record);
    assert!(told.contains("chips +2") && told.contains("chips -2"), "{told}");
    assert!(told.contains("Bo") && told.contains("2.00"), "{told}");
}

#[test]
fn a_count_at_another_total_adds_to_zero() {
    for (counted, [ann, bo]) in [
        ("count Ann 22 Bo 38; 1", ["+2", "-2"]),
        ("count Ann 10 Bo 38; 1", ["-10", "+10"]),
        ("count Ann 22 Bo 8; 1", ["+2", "-2"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("evening.tabiya");
        play(&record, &[], &format!("deal; raise 10; fold; {counted}; end closing time; yes"));
        let told = evening(&record);
        let ann = format!("chips {ann}\n");
        let wanted = told.contains(&ann) && told.contains(&format!("chips {bo}"));
        assert!(wanted, "{counted}\n{told}");
    }
}

#[test]
fn a_match_with_an_open_pot_is_not_shut_away_by_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("evening.tabiya");
    play(&record, &[], "deal; raise 10; quit; yes");
    let begun = play(&record, &["--new"], "deal; fold; end closing time; yes");
    assert!(begun.contains("game 1 of Ann and Bo is open: the pot of 12 is not won yet"), "{begun}");
    let told = evening(&record);
    assert!(told.contains("the pot of 12 is not won yet"), "{told}");
    let table = printed(&["evening", name(&record), "--csv"], 0);
    assert!(table.contains("the pot of 12 is not won yet"), "{table}");
    // The match that is over does not hide the open one.
    let mut carried = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    carried.args(["play", "--plain", "--record", name(&record), "--carry-on"]);
    let said = text(&typed_into(&mut carried, "resume\nfold\nend closing time\nyes\n").stdout);
    assert!(said.contains("Ann takes the pot of 4"), "{said}");
    assert!(!evening(&record).contains("open"));
}

#[test]
fn two_spellings_of_a_name_are_one_player() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("evening.tabiya");
    let won = "deal; raise 10; fold; end closing time; yes";
    play(&record, &[], won);
    let second = play(&record, &["--new", "--players", "ann,Bo"], won);
    assert!(second.contains("ann has 22 chips"), "{second}");
    let told = evening(&record);
    assert!(told.contains("Ann: games won 2") && !told.contains("ann: "), "{told}");
    let twice = ["play", "--plain", "--players", "Ann,ann"];
    printed(&twice, 2);
}
