//! The screens as people use them: tests find and press controls by their accessible names, with a real table and a
//! real record behind the screens, in simulated time.
#![cfg(feature = "window")]
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "a program that runs is waited for in real time")]

#[cfg(feature = "snapshots")]
mod albums;
#[cfg(target_os = "linux")]
#[path = "../support/bus.rs"]
mod bus;
#[path = "../support/card_pages.rs"]
mod card_pages;
mod cards;
mod chess_joker;
#[cfg(target_os = "linux")]
#[path = "../support/child.rs"]
mod child;
mod clock;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/club_game.rs"]
mod club_game;
#[cfg(target_os = "linux")]
#[path = "../support/desktop_services.rs"]
mod desktop_services;
mod files;
mod findings;
mod fits;
mod hall;
mod harness;
mod keypads;
mod motion;
mod newcomers;
mod notices;
mod on_board;
mod pages;
mod pairings;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/pcscd.rs"]
mod pcscd;
#[cfg(feature = "snapshots")]
mod pictures;
mod poker_chess;
mod pokerdrez;
mod referee;
#[cfg(target_os = "linux")]
mod round;
#[cfg(target_os = "linux")]
#[path = "../support/screen_reader.rs"]
mod screen_reader;
mod several;
mod sheet;
mod stories;
mod table_cards;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/virtual_reader.rs"]
mod virtual_reader;
#[cfg(target_os = "linux")]
#[path = "../support/wait.rs"]
mod wait;
#[cfg(target_os = "linux")]
mod window;
