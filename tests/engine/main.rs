//! Tests of the pure modules (rules, clock, table, tracker and record) through the text of records.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]

mod bullet;
mod chess_joker;
mod chips;
mod clock_tables;
mod contract;
mod corpus;
mod fixtures;
mod inference;
#[allow(dead_code, reason = "the counting program uses the rest")]
#[path = "../support/labelled.rs"]
mod labelled;
#[path = "../support/matches.rs"]
mod matches;
mod pgn;
mod pgn_python;
mod poker_chess;
mod pokerdrez;
#[path = "../support/mod.rs"]
mod support;
mod tiny_game;
mod tracker_laws;
#[allow(dead_code, reason = "the tests of faults use the rest")]
#[path = "../support/tries.rs"]
mod tries;
mod understanding;
mod watch_laws;

use support::deal;
