//! `tabiya clock` as a process: time controls as people write them, presses in a record, and a process that is
//! stopped for a while (SIGSTOP) and neither gains nor loses time by it.
#![cfg(unix)]

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::child::{Table, name, printed, signal, tabiya, text};
use crate::wait::let_pass;
use serde_json::{Value, json};

fn report(record: &Path) -> Value {
    serde_json::from_str(&printed(&["replay", name(record), "--json"], 0)).unwrap()
}

fn lines(record: &Path) -> Vec<Value> {
    let text = printed(&["export", name(record), "--format", "jsonl"], 0);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn controls_are_read_as_people_say_them_and_stand_in_the_record() {
    let folder = tempfile::tempdir().unwrap();
    for (nth, (arguments, time)) in [
        (vec!["5+3"], json!("300+3")),
        (vec!["90 plus 30"], json!("5400+30")),
        (vec!["blitz"], json!("180+2")),
        (vec!["600:5x30"], json!("600:5x30")),
        (vec!["5", "--black", "3+2"], json!({"white": "300", "black": "180+2"})),
        (vec!["--white", "10 min", "--black", "=30"], json!({"white": "600", "black": "=30"})),
    ]
    .into_iter()
    .enumerate()
    {
        let record = folder.path().join(format!("{nth}.tabiya"));
        let mut all = vec!["clock", "--plain", "--record", name(&record)];
        all.extend(arguments);
        let mut clock = Table::start(&all);
        clock.hear("a clock without a game");
        clock.enter_and_hear("press black", "> White's clock");
        assert!(clock.quit().0.success());
        assert_eq!(lines(&record)[0]["terms"]["time"], time);
        assert_eq!(report(&record)["moves"], json!({"white": 0, "black": 0}));
    }
}

#[test]
fn what_is_no_time_is_told_with_its_character_and_what_to_say() {
    for (arguments, wanted) in [
        (&["clock", "--headless", "5 apples"][..], "at character 3"),
        (&["clock", "--headless", "600:"][..], "at character 5"),
        (&["clock", "--headless", "--white", "*60", "--black", "5"][..], "an hourglass"),
    ] {
        let done = tabiya(arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        let said = text(&done.stderr);
        assert!(said.contains(wanted) && said.trim_end().lines().count() == 1, "{said}");
    }
    let list = printed(&["clock", "--list"], 0);
    assert!(list.contains("90+30") && list.contains("1:30:00 and 30 s for each move"), "{list}");
}

#[test]
fn a_process_that_is_held_up_makes_and_loses_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("stall.tabiya");
    let mut clock = Table::start(&["clock", "60 s", "--plain", "--record", name(&record)]);
    clock.hear("a clock without a game");
    let begun = Instant::now();
    clock.enter_and_hear("press black", "> White's clock");
    signal("STOP", clock.process());
    let_pass(Duration::from_secs(2));
    signal("CONT", clock.process());
    clock.enter_and_hear("press white", "> Black's clock");
    let ran = begun.elapsed();
    assert!(clock.quit().0.success());
    let left = report(&record)["clock_ms"]["white"].as_u64().unwrap();
    let used = 60_000 - left;
    let ran = u64::try_from(ran.as_millis()).unwrap();
    // Two rounded moments: a difference may be a millisecond too long.
    assert!((2_000..=ran + 1).contains(&used), "{used} ms used, but the clock ran for {ran} ms at most");
}

#[test]
fn a_flag_falls_at_its_own_moment_although_the_process_was_held_up() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("flag.tabiya");
    let mut clock = Table::start(&["clock", "1 s", "--plain", "--record", name(&record)]);
    clock.hear("a clock without a game");
    clock.enter_and_hear("press black", "> White's clock");
    signal("STOP", clock.process());
    let_pass(Duration::from_millis(1_500));
    signal("CONT", clock.process());
    clock.hear("flag");
    assert!(clock.quit().0.success());
    let report = report(&record);
    assert_eq!((&report["flag"], &report["phase"]), (&json!("white"), &json!("over")));
    assert_eq!(report["clock_ms"], json!({"white": 0, "black": 1_000}));
}

#[test]
fn a_clean_leaving_gives_no_time_back() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("left.tabiya");
    let mut clock = Table::start(&["clock", "60 s", "--plain", "--record", name(&record)]);
    clock.hear("a clock without a game");
    clock.enter_and_hear("press black", "> White's clock");
    let_pass(Duration::from_millis(700));
    assert!(clock.quit().0.success());
    let mut used = 60_000 - report(&record)["clock_ms"]["white"].as_u64().unwrap();
    assert!(used >= 700, "{used} ms used in the first run");
    // The program saves the current time every second. People who end the program shortly before the next save gain no
    // time, however often they do this.
    for _ in 0..2 {
        let arguments = ["clock", "--plain", "--record", name(&record), "--carry-on"];
        let mut clock = Table::start(&arguments);
        clock.hear("the clocks are paused");
        clock.enter_and_hear("resume", "> White's clock");
        let_pass(Duration::from_millis(700));
        // A signal ends the program as cleanly as `quit`.
        signal("INT", clock.process());
        assert!(clock.end().0.success());
        let now = 60_000 - report(&record)["clock_ms"]["white"].as_u64().unwrap();
        assert!(now >= used + 700, "{used} ms were used before, {now} ms now");
        used = now;
    }
}

#[test]
fn the_last_setting_is_kept_by_the_terminal_as_by_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings.json");
    let record = folder.path().join("kept.tabiya");
    let run = |more: &[&str]| {
        let all = [&["clock", "--plain", "--record", name(&record), "--new"][..], more].concat();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tabiya"));
        let command = command.args(&all).env("TABIYA_CONFIG", folder.path()).env("LANG", "de_AT.UTF-8");
        let done = command.env_remove("LC_ALL").env_remove("LC_MESSAGES").stdin(Stdio::null()).output();
        assert!(done.unwrap().status.success());
        lines(&record)[0]["terms"].clone()
    };
    let first = run(&["25 min + 10 s", "--run-on"]);
    assert_eq!((&first["time"], &first["freeze"]), (&json!("1500+10"), &json!(false)));
    assert_eq!(run(&[]), first, "without an argument it uses the last control");
    let kept: Value = serde_json::from_slice(&std::fs::read(&settings).unwrap()).unwrap();
    assert_eq!(kept["last_of"]["clock"], first);
    assert_eq!(
        kept["language"], "german",
        "a window that is started for the first time must still use the system's language"
    );
}

#[test]
fn a_pgn_that_stands_in_a_file_is_not_emptied_by_a_clock_alone() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("old.pgn");
    let old = "[TabiyaGame \"chess\"]\n\n1. e4 *\n";
    std::fs::write(&pgn, old).unwrap();
    let mut clock =
        Table::start(&["play", "--plain", "--game", "clock", "--time", "60 s", "--pgn", name(&pgn)]);
    clock.hear("no PGN is written, because a clock without a game has no moves");
    clock.enter_and_hear("press black", "> White's clock");
    assert!(clock.quit().0.success());
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), old);
}

#[test]
fn a_clock_alone_is_not_played_by_the_simulator() {
    let done = tabiya(&["play", "--headless", "--game", "clock", "--board", "sim", "--time", "5 s"]);
    assert_eq!(done.status.code(), Some(2));
    let said = text(&done.stderr);
    assert!(said.contains("a clock alone has nothing that could be played"), "{said}");
}

#[test]
fn a_clock_without_a_game_has_no_pgn_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("plain.tabiya");
    let mut clock = Table::start(&["clock", "5", "--plain", "--record", name(&record)]);
    clock.hear("a clock without a game");
    assert!(clock.quit().0.success());
    let done = tabiya(&["export", name(&record), "--format", "pgn"]);
    assert_eq!(done.status.code(), Some(2));
    let said = text(&done.stderr);
    assert!(said.contains("a clock alone has no moves") && said.trim_end().lines().count() == 1, "{said}");
    assert!(said.contains("--format sheet"), "{said}");
    let help = printed(&["clock", "--help"], 0).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("A bare number up to 180 means minutes"), "{help}");
}
