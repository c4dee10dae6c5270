//! The record: its text, its chain of hashes, replay, exports, and the journal that keeps it.

pub mod chain;
pub mod header;
pub mod infer;
pub mod json;
pub mod laws;
pub mod pgn;
pub mod replay;
pub mod report;
pub mod secrets;
pub mod sheet;
pub mod story;
pub mod text;

#[cfg(feature = "headless")]
pub mod journal;

pub use header::Header;
pub use infer::Infer;
pub use replay::{Replay, Stop};
pub use story::Story;
pub use text::{Body, Line};
