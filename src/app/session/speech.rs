//! What a running table says to the people at it.

use tabiya_engine::table::{Audience, Table};
use tabiya_types::Sentence;

/// Something to tell the people at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    /// Who may hear it.
    pub to: Audience,
    /// One or more sentences, safe to show.
    pub text: Sentence,
    /// Whether it must not be overlooked, so that a screen without a log shows it, too.
    pub alert: bool,
}

impl Announcement {
    /// Something that a log has room for.
    pub fn new(to: Audience, text: Sentence) -> Self {
        Self { to, text, alert: false }
    }
}

/// What was said and not yet taken.
#[derive(Debug, Default)]
pub(super) struct Speech {
    said: Vec<Announcement>,
}

impl Speech {
    pub(super) fn say(&mut self, text: Sentence) {
        self.say_to(Audience::Players, text);
    }

    /// Whatever is said may have names, reasons and what a board calls itself in it.
    pub(super) fn say_to(&mut self, to: Audience, text: Sentence) {
        self.said.push(Announcement::new(to, text.harmless()));
    }

    /// Something that must not be overlooked.
    pub(super) fn alert(&mut self, text: Sentence) {
        self.said.push(Announcement { alert: true, ..Announcement::new(Audience::Players, text.harmless()) });
    }

    /// At events what the Laws keep from players goes to the arbiter alone.
    pub(super) fn claim(&mut self, table: &Table, text: Sentence) {
        self.say_to(table.audience_of_faults(), text);
    }

    pub(super) fn take(&mut self) -> Vec<Announcement> {
        std::mem::take(&mut self.said)
    }
}
