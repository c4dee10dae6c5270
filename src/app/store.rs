//! Everything on disk: records and their keys, decks, settings, notes on boards; and the folders of these files.

pub mod board_notes;
pub mod card_files;
pub mod copy;
pub mod decks;
pub mod evening;
pub mod files;
pub mod folders;
pub mod heads;
pub mod journal;
pub mod keeper;
pub mod keys;
pub mod match_key_file;
pub mod notes;
pub mod openings;
pub mod pgn_file;
pub mod settings;
pub mod signing;
mod sums;
pub mod trust;
