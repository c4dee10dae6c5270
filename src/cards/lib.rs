//! NFC cards: their readers, their tags, the record written on a card, and decks.
//!
//! [`spawn`] starts the thread that watches all readers and sends [`CardEvent`]s. A card contains a UID and, if Tabiya
//! has written on it, an id. It never contains its face. Only a [`deck::Deck`] knows which card has which face, and no
//! `Debug` output contains a face. The app decides which player a reader belongs to and what a tap means in the game.

pub mod apdu;
pub mod deck;
pub mod doctor;
pub mod draft;
pub mod enrol;
mod event;
pub mod laws;
pub mod ndef;
#[cfg(feature = "pcsc")]
mod platform;
mod quirks;
// Without the feature `pcsc`, a stub that only reports `CardError::NotBuilt` replaces this module.
pub mod print;
#[cfg_attr(not(feature = "pcsc"), path = "no_readers.rs")]
mod readers;
pub mod replace;
pub mod sim;
pub mod tag;

pub use event::{CardError, CardEvent, CardSink, CardTap, Options, ReaderName, Unread, WriteError};
pub use ndef::{CardId, Record, TagContent};
pub use readers::{CardReaders, spawn, spawn_with};
pub use tag::Uid;
