//! The build for a terminal alone, as the README's first command makes it: without a window and without card readers. It needs
//! no card library of the system, reports in one sentence that it has no readers, still accepts typed cards, and plays a match.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::child::{Table, build_of, name, text};
use crate::pcscd::alone;

/// That build: the program that `TABIYA_HEADLESS` names, or one that is built now.
fn program() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/target/headless");
        let arguments = ["build", "--quiet", "--locked", "--no-default-features", "--target-dir", folder];
        let done = Command::new(env!("CARGO")).args(arguments).status().expect("cargo is there");
        assert!(done.success(), "the program is built");
        PathBuf::from(folder).join("debug/tabiya")
    };
    BUILT.get_or_init(|| std::env::var_os("TABIYA_HEADLESS").map_or_else(build, PathBuf::from)).clone()
}

const NONE: &str = "this build of Tabiya has no card readers; build it with `cargo install --path . --features pcsc`, or type the cards";

/// A deck of 44 adopted cards, as `tabiya deck export` writes it.
fn deck() -> String {
    let faces = [('Q', 4), ('R', 8), ('B', 8), ('N', 8), ('P', 16)];
    let faces = faces.into_iter().flat_map(|(face, of)| (1..=of).map(move |copy| (face, copy)));
    let card = |(nth, (face, copy)): (usize, (char, u8))| {
        format!(r#"{{"id":null,"uid":"0400{nth:04}","face":"{face}","copy":{copy}}}"#)
    };
    let cards: Vec<String> = faces.enumerate().map(card).collect();
    let number = "0".repeat(32);
    format!(r#"{{"deck":"{number}","name":"Club","made":"2026-11-22","cards":[{}]}}"#, cards.join(","))
}

#[test]
fn a_build_without_readers_starts_without_the_library() {
    let program = fs::read(program()).unwrap();
    let needs = |library: &[u8]| program.windows(library.len()).any(|bytes| bytes == library);
    assert!(needs(b"libc.so"), "the program contains the names of its libraries");
    assert!(!needs(b"libpcsclite"));
}

#[test]
fn a_build_without_readers_says_so_and_goes_on_by_typing() {
    alone(|folder| {
        let program = program();
        let tabiya = |arguments: &[&str]| build_of(&program, arguments);
        for arguments in [&["cards"][..], &["cards", "watch"], &["deck", "enrol", "Club"]] {
            let done = tabiya(arguments);
            assert_eq!(done.status.code(), Some(2), "{arguments:?}");
            assert!(text(&done.stderr).starts_with(NONE), "{arguments:?}: {}", text(&done.stderr));
        }
        // Commands that need no reader work.
        let file = folder.join("club.json");
        fs::write(&file, deck()).unwrap();
        assert_eq!(tabiya(&["deck", "import", name(&file)]).status.code(), Some(0));
        assert!(text(&tabiya(&["deck", "list"]).stdout).starts_with("Club: 44 adopted cards"));
        let mut table = Table::of_build(&program, &["play", "--plain", "--deck", "Club"]);
        table.hear(&format!("card readers: {NONE}"));
        table.enter_and_hear("deal", "the cards are dealt");
        assert_eq!(table.quit().0.code(), Some(0));
    });
}

#[test]
fn it_plays_the_match_of_the_readme_and_verifies_it() {
    let folder = tempfile::tempdir().unwrap();
    let (program, record) = (program(), folder.path().join("evening.tabiya"));
    let play = [
        "play",
        "--headless",
        "--board",
        "sim",
        "--seed",
        "7",
        "--games",
        "1",
        "--time",
        "300+5",
        "--record",
    ];
    let played = build_of(&program, &[&play[..], &[name(&record)]].concat());
    assert!(text(&played.stdout).contains("the match is over"), "{}", text(&played.stderr));
    assert_eq!(build_of(&program, &["verify", name(&record)]).status.code(), Some(0));
}
