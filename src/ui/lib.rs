//! The window: screens that draw a [`Snapshot`](tabiya_app::snapshot::Snapshot) and return wishes.
//!
//! This crate contains no rules, uses no devices and never blocks. Functions that take `&mut Ui` end in `_ui`.

mod aloud;
mod arbiter;
pub mod art;
mod board;
mod cx;
mod decks;
mod devices;
mod face;
pub mod keys;
mod learn;
mod listen;
mod presses;
mod public;
mod readers;
mod record;
mod settings;
pub mod shell;
mod start;
mod table;
pub mod theme;
mod widgets;
mod window;

pub use shell::{Page, Shell};
pub use window::{Opening, WindowError, open};
