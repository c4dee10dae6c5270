//! The program as people start it: the real binary in a real window on a display of its own, with keys,
//! mouse, signals, and boards behind real pseudo-terminals. What came of it is read from the record.

mod board;
mod cards;
mod display;
mod ends;
mod program;
mod table;
