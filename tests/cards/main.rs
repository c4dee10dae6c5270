//! Cards with chips: the real card service with virtual readers, decks, and hidden cards that must stay hidden.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "real programs and devices are waited for in real time")]

#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/child.rs"]
mod child;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/club_game.rs"]
mod club_game;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
mod decks;
mod hidden_cards;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/live_board.rs"]
mod live_board;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/pcscd.rs"]
mod pcscd;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
mod service;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
mod tapped;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/virtual_reader.rs"]
mod virtual_reader;
#[cfg(all(target_os = "linux", feature = "pcsc"))]
#[path = "../support/wait.rs"]
mod wait;
