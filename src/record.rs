//! The record of a match: its text form, its chain of hashes, its replay and its exports. The crate
//! `tabiya-store` keeps it in a journal.

pub mod actions;
pub mod card_file;
pub mod chain;
pub mod checkpoints;
mod chronicle;
pub mod header;
pub mod infer;
pub mod infringements;
pub mod json;
pub mod laws;
mod log;
pub mod nameless;
mod narrated;
pub mod observer;
pub mod pgn;
pub mod proof;
pub mod replay;
pub mod replica;
pub mod report;
pub mod secrets;
pub mod sheet;
pub mod story;
pub mod text;

pub use checkpoints::Checkpoints;
pub use header::Header;
pub use infer::Infer;
pub use log::MatchLog;
pub use narrated::{NarratedLine, NarratedLines, Past, SheetMove};
pub use observer::Observer;
pub use replay::{Replay, Stop};
pub use story::Story;
pub use text::{Body, Line};
