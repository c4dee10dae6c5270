//! A build without card readers: it needs no card library of the system, reports in one sentence that it has no
//! readers, and still accepts typed cards.
#![cfg(all(target_os = "linux", not(feature = "pcsc")))]

use std::fs;

use crate::child::{Table, name, tabiya, text};
use crate::pcscd::alone;

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
    let program = fs::read(env!("CARGO_BIN_EXE_tabiya")).unwrap();
    let needs = |library: &[u8]| program.windows(library.len()).any(|bytes| bytes == library);
    assert!(needs(b"libc.so"), "the program contains the names of its libraries");
    assert!(!needs(b"libpcsclite"));
}

#[test]
fn a_build_without_readers_says_so_and_goes_on_by_typing() {
    alone(|folder| {
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
        let mut table = Table::start(&["play", "--plain", "--deck", "Club"]);
        table.hear(&format!("card readers: {NONE}"));
        table.enter_and_hear("deal", "the cards are dealt");
        assert_eq!(table.quit().0.code(), Some(0));
    });
}
