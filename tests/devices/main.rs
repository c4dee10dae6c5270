//! Boards over real channels: pseudo-terminals, TCP, WebSocket, D-Bus, and a firmware in an emulator.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "real programs and devices are waited for in real time")]

mod ble;
#[path = "../support/bluez.rs"]
mod bluez;
mod boards;
#[path = "../support/bus.rs"]
mod bus;
#[path = "../support/child.rs"]
mod child;
#[path = "../support/club_game.rs"]
mod club_game;
mod dgt_bus;
mod dgt_link;
mod firmware;
#[path = "../support/headless.rs"]
mod headless;
#[path = "../support/kept.rs"]
mod kept;
#[path = "../support/live_board.rs"]
mod live_board;
mod livechess;
#[path = "../support/pn532.rs"]
mod pn532;
mod simulated_boards;
#[path = "../support/wait.rs"]
mod wait;
