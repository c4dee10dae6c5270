//! What lasts: records and the keys to them, decks, settings, what is known of boards; where these files lie.

pub mod board_notes;
pub mod decks;
pub mod evening;
pub mod files;
pub mod folders;
pub mod journal;
pub mod keeper;
pub mod keys;
pub mod pgn_file;
pub mod settings;
