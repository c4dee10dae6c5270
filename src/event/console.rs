//! The console's side of an event: it keeps copies of all tables' records, shows what has to be looked after, and gives orders.
//!
//! Source: `docs/hall.md`, §2 to §6, §9, §11.

mod acts;
pub mod alerts;
mod beginning;
mod desk;
mod folder;
mod hall;
mod handed;
mod handing;
mod keeper;
mod link;
mod look_after;
mod notice;
mod noting;
mod ordering;
pub mod page;
mod peers;
mod platform;
mod rounds;
mod seen;
mod serve;
mod server;
mod shared;
mod tokens;
mod told;

pub use acts::Act;
pub use beginning::{MatchToBegin, header_to_begin};
pub use desk::ConsoleDesk;
pub use folder::{EventDates, EventFolder, FolderFault, OpenEvent};
pub use hall::{AnsweredOrder, ConsoleNews, Hall, MatchSeen, TableSeen};
pub use handed::HandedAct;
pub use handing::{HandOverFault, HandedOver, hand_over};
pub use keeper::{fork_files, fork_heads};
pub use notice::FolderNotice;
pub use ordering::{BoundOrder, OrderFault, WantedOrder};
pub use peers::{ask_first, is_restored, join_event};
pub use rounds::engine::{PairedRound, PairingFault, differing, pair as pair_round};
pub use rounds::keeper::KnownRounds;
pub use rounds::sheets::{RoundSheet, round_sheet};
pub use rounds::{ActedBy, AuditedAct, RoundsFault};
pub use serve::{Console, ConsoleSettings, ServeFault, start};

#[cfg(test)]
mod tests;
