//! Boards and clocks: protocols, links, and simulators of all of them.

pub mod human;
