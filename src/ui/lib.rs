//! The window: screens that draw a [`Snapshot`](tabiya_app::snapshot::Snapshot) and return wishes.
//!
//! This crate contains no rules, uses no devices and never blocks. Functions that take `&mut Ui` end in `_ui`.

mod aloud;
mod arbiter;
mod art;
mod bar;
mod board;
mod board_state;
mod card_form;
mod choosing;
mod chrome;
mod cx;
mod decks;
pub mod desktop;
mod devices;
mod face;
mod fault;
mod file_use;
mod fixes;
mod focus;
mod gallery;
mod hall;
pub mod keys;
mod kiosk;
mod kit;
mod landmarks;
mod learn;
mod levers;
mod listen;
mod motion;
mod notices;
mod page;
mod placing;
mod presses;
mod public;
mod readers;
mod record;
mod settings;
mod several;
pub mod shell;
mod sounds;
mod start;
mod table;
pub mod theme;
mod widgets;
mod window;

pub use gallery::Gallery;
pub use hall::{AskForFrame, BeginDesk, HallOpening, HallShell};
pub use page::Page;
pub use several::{SeveralOpening, SeveralShell, TableOpening, TileNow};
pub use shell::Shell;
pub use start::SeveralAsk;
pub use window::{MakeSeveral, Opening, WindowError, open, open_gallery, open_hall, open_several};
