//! What an event's folder lacks when it is opened: a file that was there and is not there any more is told, never quietly made anew.
//!
//! Source: `docs/hall.md`, §11.

use tabiya_types::{Sentence, say};

use super::acts::{Act, FILE, MISSING};

/// A file of an event's folder that is not as this program has left it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FolderNotice {
    /// The event's own journal is not there any more. A new one was begun.
    NoActs,
    /// The event's own journal is not as it was signed or noted; the text says why, and follows the file's name.
    Acts(String),
    /// The copies of all tables are not there any more. A new journal was begun.
    NoCopies,
    /// The further copy with this number is not there any more.
    NoFork(usize),
}

impl FolderNotice {
    /// What is missing and what to do, in words.
    pub fn in_words(&self) -> Sentence {
        let said = match self.clone() {
            Self::NoActs => say!(
                "notice-no-acts",
                "event.tabiya, which says who was admitted and what was ordered, is not there any more; a new one was begun. If a copy of the folder has it, end the console and put it back"
            ),
            Self::Acts(why) => say!(
                "notice-acts",
                "event.tabiya, which says who was admitted and what was ordered, is not as it was written: {why}. If a copy of the folder has it whole, end the console and put it back",
                why
            ),
            Self::NoCopies => say!(
                "notice-no-copies",
                "hall.tabiya, the copies of all tables, is not there any more; a new one was begun. Tables that come send their records again; for the others, end the console and put it back from a copy of the folder"
            ),
            Self::NoFork(number) => say!(
                "notice-no-fork",
                "fork-{number}.tabiya, a record that went another way, is not there any more; end the console and put it back from a copy of the folder",
                number = number as u64
            ),
        };
        said.harmless()
    }

    /// The act of `who`, that a file was missing and was begun anew; `None` if none was begun.
    pub(super) fn act(&self, who: &str) -> Option<Act> {
        let file = match self {
            Self::NoActs => "event.tabiya",
            Self::NoCopies => "hall.tabiya",
            Self::Acts(_) | Self::NoFork(_) => return None,
        };
        Some(Act::new(MISSING, who).with(FILE, file))
    }
}
