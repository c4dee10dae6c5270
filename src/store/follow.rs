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
pub struct FollowerState {
    /// Who it is.
    pub who: FollowerName,
    /// The number of lines that are durable in the record, but not with this follower.
    pub behind: u64,
    /// Why the follower gets nothing now; `None` if it does.
    pub trouble: Option<String>,
}

impl FollowerState {
    /// How far the copy has come, if this is one.
    pub fn copy(self) -> Option<CopyState> {
        let FollowerName::Copy(folder) = self.who;
        Some(CopyState { folder, behind: self.behind, trouble: self.trouble })
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

/// Who follows a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FollowerName {
    /// The copy in this folder.
    Copy(PathBuf),
}
