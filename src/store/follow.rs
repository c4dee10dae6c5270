//! Who follows a record while it is written: the second copy on another disk, and an event's consoles.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Gets to know each line of a record once it is durable. The match never waits for a follower: each of these calls, except
/// [`Self::finish`], returns at once.
pub trait Follower: fmt::Debug + Send {
    /// Notes that so many more lines are durable in the record.
    fn written(&self, lines: u64);
    /// Notes that the record goes on in another file.
    fn moved(&self, record: &Path);
    /// How far this follower has come.
    fn state(&self) -> FollowerState;
    /// Takes what is missing, but waits no longer than `patience`. Returns how far the follower has come.
    fn finish(self: Box<Self>, patience: Duration) -> FollowerState;
}

/// How far a follower of a record has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FollowerState {
    /// A copy in another folder.
    Copy(CopyState),
    /// An event's consoles.
    Event(EventState),
}

impl FollowerState {
    /// How far the copy has come, if this is one.
    pub fn copy(self) -> Option<CopyState> {
        match self {
            Self::Copy(state) => Some(state),
            Self::Event(_) => None,
        }
    }

    /// How far the event's consoles have come, if these are they.
    pub fn event(self) -> Option<EventState> {
        match self {
            Self::Event(state) => Some(state),
            Self::Copy(_) => None,
        }
    }
}

/// How far the copy of a record in another folder has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopyState {
    /// The folder of the copy.
    pub folder: PathBuf,
    /// The number of lines that are durable in the record, but not in the copy.
    pub behind: u64,
    /// Why the copy cannot be written now; `None` if it can.
    pub trouble: Option<String>,
}

/// How far the consoles of an event have come with a table's record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventState {
    /// The event's name for people.
    pub event: String,
    /// The table's number.
    pub table: u16,
    /// The consoles that are told now, by their names.
    pub consoles: Vec<String>,
    /// The number of lines that are durable in the record, but not at the console that has come farthest.
    pub behind: u64,
    /// Why no console is told now; `None` if one is.
    pub trouble: Option<String>,
}
