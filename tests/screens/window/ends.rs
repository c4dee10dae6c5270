//! How the program ends, and how it starts again.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::program::{Place, Window, signal};
use crate::child::text;
use crate::wait::{let_pass, wait_for};

const CHESS: [&str; 7] = ["play", "--game", "chess", "--time", "300", "--players", "Ann,Bo"];

/// Opens the program, plays White's first move with the mouse, and presses.
fn open_with_a_move(place: &Place) -> Window<'_> {
    let window = place.open(&CHESS);
    window.carry("e2", "e4");
    window.done(1);
    window.key("space");
    window.done(2);
    window
}

fn one_move() -> Vec<serde_json::Value> {
    vec![json!({"do": "move", "by": "white", "uci": "e2e4"}), json!({"do": "press", "by": "white"})]
}

#[test]
fn without_a_screen_one_sentence_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&[][..], &CHESS[..], &["play", "--board", "dgt:/nowhere"]] {
        let done = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(arguments)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env("TABIYA_DATA", folder.path())
            .env("TABIYA_CONFIG", folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        let said = text(&done.stderr);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.starts_with("no screen can be used") && said.contains("tabiya play --headless"),
            "{said}"
        );
        assert!(!said.contains(".rs"), "{said}");
        assert_eq!(text(&done.stdout), "");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no record is begun");
}

#[test]
fn a_pgn_and_a_date_are_for_the_window_too() {
    let place = Place::new();
    let pgn = place.file_beside("evening.pgn");
    let start = ["--start", "2025-12-24T18:00:00+01:00", "--pgn", crate::child::name(&pgn)];
    let mut window = place.open(&[&CHESS[..], &start[..]].concat());
    window.carry("e2", "e4");
    window.done(1);
    let kept = crate::wait::wait_for("a PGN", || std::fs::read_to_string(&pgn).ok());
    assert!(kept.contains("2025.12.24") && kept.contains("1. e4"), "{kept}");
    signal("TERM", window.process());
    assert_eq!(window.end().code(), Some(0));
    let text = crate::child::printed(&["export", crate::child::name(&place.file()), "--format", "jsonl"], 0);
    assert!(text.contains("2025-12-24T18:00:00+01:00"), "{text}");
}

#[test]
fn what_is_no_box_is_told_before_a_window_opens() {
    for (arguments, told) in
        [(["play", "--box", "auto"], "diy:"), (["play", "--box", "dgt:/dev/nowhere"], "cannot be a box")]
    {
        let done = crate::child::tabiya(&arguments);
        assert_eq!(done.status.code(), Some(2));
        let said = text(&done.stderr);
        assert!(said.contains("--box") && said.contains(told), "{said}");
    }
}

#[test]
fn a_polite_signal_closes_the_window_and_the_record_is_whole() {
    for name in ["TERM", "INT"] {
        let place = Place::new();
        let mut window = open_with_a_move(&place);
        signal(name, window.process());
        assert_eq!(window.end().code(), Some(0));
        // The program paused the running clock when the signal came.
        let paused = [one_move(), vec![json!({"do": "pause", "by": "arbiter"})]].concat();
        assert_eq!(place.done(), paused);
        place.verify();
    }
}

#[test]
fn after_a_kill_the_first_screen_offers_the_match_with_clocks_as_they_stood() {
    let place = Place::new();
    let begun = Instant::now();
    let window = open_with_a_move(&place);
    let_pass(Duration::from_millis(2_500));
    window.kill();
    let ran = begun.elapsed();
    assert_eq!(place.done(), one_move());

    let window = place.open(&[]);
    window.look("the button that begins", |picture| picture.accents().last().copied());
    window.keep("start-carry-on");
    // The newest match that can be carried on stands above the games, with its button at the right end of the row.
    window.click((745, 92));
    let stopped = window.done(3);
    window.keep("table-carried-on");
    assert_eq!(stopped["do"], "pause", "{stopped}");
    let report = place.report();
    assert_eq!(report["games"][0]["moves"], json!(["e2e4"]));
    let used = 300_000 - report["clock_ms"]["black"].as_u64().unwrap();
    let ran = u64::try_from(ran.as_millis()).unwrap();
    // The running clock is saved each second.
    assert!((1_000..=ran).contains(&used), "{used} ms used, but the clock ran for {ran} ms at most");

    // The game continues.
    window.key("ctrl+p");
    window.done(4);
    window.carry("e7", "e5");
    window.done(5);
    assert_eq!(window.close().code(), Some(0));
    assert_eq!(place.report()["games"][0]["moves"], json!(["e2e4", "e7e5"]));
    place.verify();
}

#[test]
fn closing_the_window_in_a_running_game_asks_once() {
    let place = Place::new();
    let mut window = open_with_a_move(&place);
    window.key("alt+F4");
    // The question has a panel of its own, so the picture changes; the answer closes the window.
    let_pass(Duration::from_millis(600));
    assert!(window.runs(), "the window must ask");
    // A busy machine may show the question late; until then the key means nothing.
    let end = wait_for("the program's end", || {
        window.key("y");
        (!window.runs()).then(|| window.end())
    });
    assert_eq!(end.code(), Some(0));
    place.verify();
}

#[test]
fn a_deck_that_is_not_there_is_told_before_a_window_is() {
    let folder = tempfile::tempdir().unwrap();
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["play", "--deck", "Pub"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("TABIYA_DATA", folder.path())
        .env("TABIYA_CONFIG", folder.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(text(&done.stderr).trim_end(), "no deck is called `Pub`; `tabiya deck list` shows all decks");
}
