//! The record: its text, its chain of hashes, replay, exports, and the journal that keeps it.

pub mod header;
pub mod json;
pub mod replay;
pub mod report;
pub mod text;

pub use header::Header;
pub use replay::{Replay, Stop};
pub use text::{Body, Line};
