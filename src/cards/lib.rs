//! Cards with a chip in them: readers, tags, what is written on a card, decks.
//!
//! [`spawn`] starts the thread that keeps all readers; what happens at them comes as [`CardEvent`]s. What a card says
//! is its UID and, on a card of ours, an id: never a face. Only a [`deck::Deck`] knows faces, and nothing prints one by
//! accident. Whose reader is whose, and what a tap means at the table, is the app's matter.

pub mod apdu;
pub mod deck;
pub mod doctor;
pub mod draft;
pub mod enrol;
mod event;
pub mod laws;
pub mod ndef;
mod quirks;
// The system's service needs a library; a build without it says so wherever readers are asked for.
#[cfg_attr(not(feature = "pcsc"), path = "no_readers.rs")]
mod readers;
pub mod replace;
pub mod sim;
pub mod tag;

pub use event::{CardError, CardEvent, CardSink, CardTap, Options, ReaderName, Unread, WriteError};
pub use ndef::{CardId, Record, TagContent};
pub use readers::{CardReaders, spawn, spawn_with};
pub use tag::Uid;
