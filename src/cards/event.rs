//! The events and errors that card readers send to the app.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use tabiya_types::Instant;

use super::ndef::TagContent;
use super::tag::Uid;

/// The callback for events, called with each event and the time at which the system reported it. While the callback
/// blocks, the readers wait.
pub type CardSink = Box<dyn FnMut(Instant, CardEvent) + Send>;

/// Options for the readers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to turn off the beep of readers that support this (ACR122U). Unplugging the reader restores the beep.
    pub quiet: bool,
    /// The folder in which Linux lists the connected USB devices; tests use another folder.
    pub usb_devices: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Self { quiet: false, usb_devices: PathBuf::from("/sys/bus/usb/devices") }
    }
}

/// The system's name of a reader. The name depends on the order in which readers are plugged in, and it does not tell
/// two readers of the same model apart. So only a tap shows to which player a reader belongs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ReaderName(Arc<str>);

impl From<&str> for ReaderName {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for ReaderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A card that was read from a reader. Its UID was read before and after its content, and was the same both times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardTap {
    /// The reader on which the card lies.
    pub reader: ReaderName,
    /// The card's UID.
    pub uid: Uid,
    /// What is written on the card.
    pub content: TagContent,
}

/// An event from the readers. The time passed with an event is the moment at which the system reported it, before any
/// card was read.
#[derive(Clone, Debug)]
pub enum CardEvent {
    /// A reader was connected, or was already connected at the start.
    Connected(ReaderName),
    /// A reader was disconnected.
    Disconnected(ReaderName),
    /// All connected readers have been reported and checked for cards. Sent once after each start of the card service.
    Ready,
    /// A card was laid on a reader.
    Tapped(CardTap),
    /// A card was already on the reader when the reader, the program or the card service started. It does not count as
    /// laid down now by a player.
    Present(CardTap),
    /// The card was lifted; the reader is empty.
    Lifted(ReaderName),
    /// Something was laid on a reader and could not be read.
    Unreadable {
        /// The reader.
        reader: ReaderName,
        /// The reason, and what to do about it.
        why: Unread,
    },
    /// The requested record was written on the card, and verified by reading it.
    Written(CardTap),
    /// The card is locked, as requested, and cannot be written any more. The card may have been locked before the
    /// request.
    Locked(CardTap),
    /// The card could not be written or locked. Its content is as before, or empty.
    NotWritten {
        /// The reader.
        reader: ReaderName,
        /// The reason, and what to do about it.
        why: WriteError,
    },
    /// A problem because of which cards cannot be read. Sent once, when the problem begins. When the problem ends,
    /// [`CardEvent::ProblemOver`] follows, unless the problem ends because the reader is disconnected.
    Problem(CardError),
    /// The last reported problem of this reader is over. With `None`: the problem that concerned all readers is over.
    ProblemOver(Option<ReaderName>),
}

/// Why a card could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unread {
    /// The card was lifted before it was read completely.
    #[error("the card was lifted before it was read; lay it down again for a moment")]
    Lifted,
    /// All attempts to read the card failed, or two cards on the reader answered alternately.
    #[error("the card was not read; lay it down again, one card at a time and flat on the reader")]
    Failed,
    /// The reader detects something, but gets no answer to the reset command, which a card would answer.
    #[error("what lies on the reader does not answer like a card; lay one card flat on the reader")]
    Mute,
    /// Another program is using the card.
    #[error("another program is using the card; close that program, then lay the card down again")]
    InUse,
}

/// Why a card could not be written or locked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// A different card is on the reader, or the card does not have the expected id.
    #[error(
        "another card lies on the reader now; lay the right card down again and leave it until it is written"
    )]
    OtherCard,
    /// The card was lifted before it was written completely.
    #[error("the card was lifted before it was written; lay it down again and leave it a little longer")]
    Lifted,
    /// The card refuses to be written, or is not locked after the lock command.
    #[error(
        "the card cannot be written: it is locked or protected; take another card, or make a deck without writing on its cards (--adopt)"
    )]
    Locked,
    /// The tag is not formatted for NDEF.
    #[error(
        "the card is not formatted for data (NTAG213 and NTAG215 cards are); take another card, or make a deck without writing on its cards (--adopt)"
    )]
    NotPrepared,
    /// The tag's memory is too small for the record.
    #[error(
        "the card has too little memory (NTAG213 and NTAG215 have enough); take another card, or make a deck without writing on its cards (--adopt)"
    )]
    TooSmall,
    /// All attempts failed, or the record that was read back differs from the written one.
    #[error("the card was not written; lay it flat on the reader, one card at a time, and try again")]
    Failed,
    /// Another program is using the card.
    #[error("another program is using the card; close that program, then lay the card down again")]
    InUse,
    /// The reader's queue is full: the reader hangs, or gets commands faster than it answers.
    #[error(
        "this reader is still busy with earlier commands; lay the card down again in a moment, or unplug the reader and plug it in again"
    )]
    Busy,
    /// No reader of this name is connected.
    #[error("this reader is not connected; plug it in again, or use another one")]
    NoReader,
}

/// A problem because of which cards cannot be read, at one reader or at all readers. Each message ends with what to do
/// about the problem.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CardError {
    /// The system's card service (PC/SC), which talks to all readers, is not running.
    #[error(
        "the system's card service is not running; install and start it (sudo apt install pcscd; sudo systemctl start pcscd.socket), or type the cards"
    )]
    NoService,
    /// The card service stopped while readers were in use.
    #[error("the system's card service has stopped; type the cards until Tabiya finds the service again")]
    ServiceStopped,
    /// The card service denies access to this program.
    #[error(
        "the system's card service refuses this program; start Tabiya at the computer itself instead of remotely, or allow org.debian.pcsc-lite.access_pcsc and .access_card for your user"
    )]
    Refused,
    /// The kernel's NFC driver uses the reader, so that the card service cannot use it.
    #[error(
        "a card reader (ACR122U) is plugged in, but the system's own NFC driver holds it; write `blacklist pn533_usb`, `blacklist pn533` and `blacklist nfc` as three lines into /etc/modprobe.d/blacklist-pn533.conf, then restart the computer"
    )]
    HeldBySystem,
    /// A reader did not answer a command in time.
    #[error("the card reader {reader} does not answer; unplug it and plug it in again, or type the cards")]
    NotAnswering {
        /// The reader.
        reader: ReaderName,
    },
    /// Any other error of the card service.
    #[error("card readers cannot be used; restart the system's card service (sudo systemctl restart pcscd)")]
    Failed {
        /// The error as the card service reported it.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// This program was built without the feature `pcsc`.
    #[error(
        "this build of Tabiya has no card readers; build it with `cargo install --path . --features pcsc`, or type the cards"
    )]
    NotBuilt,
}

impl CardError {
    /// Returns the reader that has the problem; `None` if it concerns all readers.
    pub fn reader(&self) -> Option<&ReaderName> {
        match self {
            Self::NotAnswering { reader } => Some(reader),
            Self::NoService
            | Self::ServiceStopped
            | Self::Refused
            | Self::HeldBySystem
            | Self::Failed { .. }
            | Self::NotBuilt => None,
        }
    }
}
