//! The program as people run it in a terminal: a child process, what it prints and what it writes.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "real programs and devices are waited for in real time")]

mod attacks;
#[path = "../support/card_pages.rs"]
mod card_pages;
mod chess_joker;
#[path = "../support/child.rs"]
mod child;
#[path = "../support/chip_ledger.rs"]
mod chip_ledger;
mod cli;
mod clock_alone;
mod clock_sides;
#[path = "../support/club_game.rs"]
mod club_game;
mod copies;
mod damaged_copies;
mod device_faults;
mod evening;
mod evening_accounts;
mod event;
mod exam;
mod faults;
mod flipped_files;
mod floods;
mod journal_crash;
mod kept_files;
#[path = "../support/live_board.rs"]
mod live_board;
mod live_match;
mod live_table;
mod main_job;
mod money;
mod newer_files;
mod no_readers;
mod options;
mod others_files;
#[cfg(target_os = "linux")]
#[path = "../support/pcscd.rs"]
mod pcscd;
mod play_kills;
mod poker_chess;
mod pokerdrez;
mod power_cuts;
mod random_evenings;
mod readme;
mod referee;
mod report;
mod resume;
mod rounds;
mod service;
mod several_tables;
mod table_cards;
mod totals;
#[path = "../support/tries.rs"]
mod tries;
#[path = "../support/wait.rs"]
mod wait;
