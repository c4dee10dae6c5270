//! Turns the reports of a board's sensors into actions of the game. The tracker does this work, and
//! [`Watch`] combines the tracker with the table in one value. Observations and times go in, and lines for
//! the record come out.
//!
//! The rules for understanding a board are in `docs/record.md`, "What was seen, and what was understood".
//! This code uses no devices and no files.

pub mod counting;
mod counts;
mod explain;
mod guide;
mod history;
mod position;
mod reading;
mod search;
mod shape;
mod stops;
mod table;
mod turn;
mod watch;

pub use explain::Explanation;
pub use guide::{Question, Trouble};
pub use watch::{Unexplained, Watch, WrittenLine};
