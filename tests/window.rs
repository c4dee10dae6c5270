//! The program as people start it: the real binary in a real window on a display of its own, with keys,
//! mouse, signals, and boards behind real pseudo-terminals. What came of it is read from the record.
#![cfg(all(target_os = "linux", feature = "window"))]
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "a program that runs is waited for in real time")]

#[path = "window/board.rs"]
mod board;
#[path = "window/cards.rs"]
mod cards;
#[path = "support/child.rs"]
mod child;
#[path = "support/club_game.rs"]
mod club_game;
#[path = "window/display.rs"]
mod display;
#[path = "window/ends.rs"]
mod ends;
#[path = "support/pcscd.rs"]
mod pcscd;
#[path = "window/program.rs"]
mod program;
#[path = "window/table.rs"]
mod table;
#[path = "support/virtual_reader.rs"]
mod virtual_reader;
