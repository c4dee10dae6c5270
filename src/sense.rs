//! From sensor snapshots to actions: the tracker, and the watch that is table and tracker as one
//! pure value. Observations and time go in, lines for the record come out.
//!
//! The rules of understanding are the record's ("What was seen, and what was understood"); they are
//! told in `docs/record.md`. Knows no device and no file.

mod cost;
mod explain;
mod explanation;
mod guide;
mod sight;
mod watch;
mod weigh;

pub use guide::{Question, Trouble};
pub use watch::{Unexplained, Watch, WrittenLine};
