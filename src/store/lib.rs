//! Everything on disk: records and their keys, copies, decks, settings; and the folders of these files.
//!
//! The only crate that knows the journal's database and the ciphers of sealed cards. It knows no devices and no running
//! table: a program that only keeps or checks records needs nothing above it.

pub mod authority;
pub mod card_files;
pub mod codes;
pub mod copy;
pub mod decks;
pub mod disk;
pub mod evening;
pub mod files;
pub mod folders;
pub mod follow;
pub mod heads;
pub mod journal;
pub mod keeper;
pub mod keys;
pub mod match_key_file;
pub mod notes;
pub mod openings;
pub mod pgn_file;
mod platform;
pub mod settings;
pub mod signing;
mod sums;
pub mod trust;
pub mod verbs;
