//! What card readers tell the app.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use tabiya_types::Instant;

use super::ndef::TagContent;
use super::tag::Uid;

/// Where events go, each with the moment at which the system told. It may wait, and the readers wait with it.
pub type CardSink = Box<dyn FnMut(Instant, CardEvent) + Send>;

/// What is not usual about how readers are kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// Readers are asked not to beep, where they know how to be asked (ACR122U). Nothing that outlasts their being
    /// unplugged is written.
    pub quiet: bool,
    /// Where the system lists what is plugged in.
    pub plugged: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Self { quiet: false, plugged: PathBuf::from("/sys/bus/usb/devices") }
    }
}

/// A reader, by the system's name for it. Names change with the order in which readers are plugged in, and two readers
/// of a kind cannot be told apart by them: whose reader is whose is found out by a tap.
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

/// A card on a reader, read without doubt: its UID was the same before and after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardTap {
    /// Where.
    pub reader: ReaderName,
    /// The card's serial number.
    pub uid: Uid,
    /// What is written on it.
    pub content: TagContent,
}

/// News from the readers. Each comes with the moment at which the system told of it, before any card was read.
#[derive(Clone, Debug)]
pub enum CardEvent {
    /// A reader is there.
    Came(ReaderName),
    /// A reader is there no more.
    Gone(ReaderName),
    /// All readers that are there have been told and looked at, once after each start of the system's service.
    Ready,
    /// A card was laid down.
    Tapped(CardTap),
    /// A card lay there already when the reader, the program or the service came: shown, but nobody revealed it now.
    Lying(CardTap),
    /// No card lies there any more.
    Lifted(ReaderName),
    /// Something was laid down that could not be read.
    Unreadable {
        /// Where.
        reader: ReaderName,
        /// Why, with what to do.
        why: Unread,
    },
    /// The card was written as asked, and read again.
    Written(CardTap),
    /// The card was locked as asked: nobody can write it any more. It may have been locked before.
    Locked(CardTap),
    /// The card could not be written or locked. It holds what it held before, or nothing.
    NotWritten {
        /// Where.
        reader: ReaderName,
        /// Why, with what to do.
        why: WriteError,
    },
    /// Something keeps cards from being read. Told once until it is over. A reader that is gone has no trouble.
    Trouble(CardError),
    /// What was told last of this reader, or of all of them, is over.
    TroubleOver(Option<ReaderName>),
}

/// Why a card was not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unread {
    /// It went too soon.
    #[error("the card was lifted before it was read; lay it down again for a moment")]
    Lifted,
    /// Some answers failed, or two cards answered.
    #[error("the card was not read; lay it down again, one card at a time and flat on the reader")]
    Failed,
    /// The reader cannot make it out.
    #[error("what lies there does not answer as a card; lay one card flat on the reader")]
    Mute,
    /// Another program talks to it.
    #[error("another program is using the card; close that program, then lay the card down again")]
    InUse,
}

/// Why a card was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// Another card lies there than the one that was meant, or none.
    #[error("another card lies there now; lay the card down again and leave it until it is written")]
    OtherCard,
    /// It went too soon.
    #[error("the card was lifted before it was written; lay it down again and leave it a little longer")]
    Lifted,
    /// It does not take it.
    #[error("the card cannot be written: it is locked or protected; take another card, or adopt it as it is")]
    Locked,
    /// It is no tag of ours.
    #[error(
        "the card is not prepared for being written (NTAG213 or NTAG215 are right); take another card, or adopt it as it is"
    )]
    NotPrepared,
    /// There is too little room.
    #[error(
        "there is no room on the card (NTAG213 or NTAG215 are right); take another card, or adopt it as it is"
    )]
    TooSmall,
    /// The answers failed.
    #[error("the card was not written; lay it flat on the reader, one card at a time, and try again")]
    Failed,
    /// Another program talks to it.
    #[error("another program is using the card; close that program, then lay the card down again")]
    InUse,
    /// Too much waits for the reader already: it hangs, or is asked faster than it answers.
    #[error(
        "this reader is still busy with what it was asked before; lay the card down again in a moment, or unplug the reader and plug it in again"
    )]
    Busy,
    /// The reader went away.
    #[error("this reader is not there; plug it in again, or use another one")]
    NoReader,
}

/// What keeps all cards, or those of one reader, from being read. Each sentence ends with what to do.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CardError {
    /// The service that knows all readers does not run.
    #[error(
        "the system's card service is not running; install and start it (sudo apt install pcscd; sudo systemctl start pcscd.socket), or type the cards"
    )]
    NoService,
    /// It ended while readers were in use.
    #[error(
        "the system's card service has stopped; it is looked for by itself, type the cards until it is back"
    )]
    ServiceStopped,
    /// It does not let this program.
    #[error(
        "the system's card service refuses this program; start Tabiya at the computer itself instead of remotely, or allow org.debian.pcsc-lite.access_pcsc and .access_card for your user"
    )]
    Refused,
    /// The system's own driver took the reader first.
    #[error(
        "a card reader (ACR122U) is plugged in, but the system's own NFC driver holds it; write `blacklist pn533_usb`, `blacklist pn533` and `blacklist nfc` as three lines into /etc/modprobe.d/blacklist-pn533.conf, then restart the computer"
    )]
    HeldBySystem,
    /// A reader that does not come back from a question.
    #[error("the card reader {reader} does not answer; unplug it and plug it in again, or type the cards")]
    NotAnswering {
        /// Which.
        reader: ReaderName,
    },
    /// Anything else that the system says.
    #[error("card readers cannot be used; restart the system's card service (sudo systemctl restart pcscd)")]
    Failed {
        /// What the system said.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// This program was built without the feature `pcsc`.
    #[error(
        "this build of Tabiya has no card readers; take one that was built with the feature `pcsc`, or type the cards"
    )]
    NotBuilt,
}

impl CardError {
    /// The reader that it is about; none if it is about all of them.
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
