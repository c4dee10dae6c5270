//! The program as people start it: the real binary in a real window on a private display, with keys, mouse, signals,
//! and boards behind real pseudo-terminals. The tests read the results from the record.

mod board;
#[cfg(feature = "pcsc")]
mod cards;
mod desktop;
mod display;
mod ends;
mod hall;
mod places;
mod program;
mod screen_reader;
mod table;
mod wayland;
