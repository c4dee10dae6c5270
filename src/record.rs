//! The record: its text, its chain of hashes, replay, exports, and the journal that keeps it.

pub mod header;
pub mod json;
pub mod pgn;
pub mod replay;
pub mod report;
pub mod sheet;
pub mod story;
pub mod text;

pub use header::Header;
pub use replay::{Replay, Stop};
pub use story::Story;
pub use text::{Body, Line};
