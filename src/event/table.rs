//! The table's side of an event: it follows its own record, tells up to four consoles of it, and takes their orders. The match never
//! waits for any of this.
//!
//! Source: `docs/hall.md`, §3 to §6.

mod hub;
mod link;
mod order;
mod seat;
mod serve;
mod source;
mod telling;

pub(crate) use hub::has_signed;
pub use hub::{SendOrder, TableHub};
pub use seat::{ConsoleSeat, SeatFault, SeatFile, TableSeat};
pub(crate) use seat::{certificate_of, text_of};
pub use serve::{TableInEvent, is_revoked, serve, sit_down};
pub(crate) use source::shows_hidden;

#[cfg(test)]
mod tests;
