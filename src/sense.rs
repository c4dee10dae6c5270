//! Turns the reports of a board's sensors into actions of the game. The tracker does this work, and
//! [`Watch`] combines the tracker with the table in one value. Observations and times go in, and lines for
//! the record come out.
//!
//! The rules for understanding a board are in `docs/record.md`, "What was seen, and what was understood".
//! This code uses no devices and no files.

/// Declares an enum whose kinds can be listed.
macro_rules! listed {
    ($(#[$about:meta])* enum $name:ident { $($(#[$what:meta])* $kind:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum $name { $($(#[$what])* $kind,)* }
        impl $name {
            /// All of them, in their order.
            pub(super) const ALL: [Self; [$($name::$kind),*].len()] = [$($name::$kind),*];
        }
    };
}

mod by_hand;
pub mod counting;
mod counts;
mod history;
mod kept;
mod kind;
mod position;
mod reading;
mod search;
mod shape;
mod stops;
mod table;
mod tracker;
mod turn;
mod watch;

pub use watch::{Explanation, Unexplained, Watch, WatchRemark, WrittenLine};
