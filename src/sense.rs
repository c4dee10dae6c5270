//! Turns what a board's sensors report into actions: the tracker, and the watch, which combines the table
//! and the tracker in one pure value. Observations and time go in; lines for the record come out.
//!
//! The rules for understanding a board are in `docs/record.md`, "What was seen, and what was understood".
//! This room knows no device and no file.

mod cost;
mod explain;
mod explanation;
mod guide;
mod sight;
mod watch;
mod weigh;

pub use guide::{Question, Trouble};
pub use watch::{Unexplained, Watch, WrittenLine};
