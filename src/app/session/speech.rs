//! The announcements of a running table to its people.

use tabiya_engine::table::{Audience, Table};
use tabiya_types::Sentence;

/// An announcement to the people at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    /// Who may hear it.
    pub to: Audience,
    /// One or more sentences, safe to show.
    pub text: Sentence,
    /// Whether it must not be overlooked: then a screen without a log shows it, too.
    pub alert: bool,
}

impl Announcement {
    /// Makes an announcement that is shown in the log only.
    pub fn new(to: Audience, text: Sentence) -> Self {
        Self { to, text, alert: false }
    }
}

/// The announcements that were made and not yet taken.
#[derive(Debug, Default)]
pub(super) struct Speech {
    said: Vec<Announcement>,
}

impl Speech {
    pub(super) fn say(&mut self, text: Sentence) {
        self.say_to(Audience::Players, text);
    }

    /// Announces a text to this audience. The text is made safe to show, because it may contain names, reasons and
    /// the name that a board reports.
    pub(super) fn say_to(&mut self, to: Audience, text: Sentence) {
        self.said.push(Announcement::new(to, text.harmless()));
    }

    /// Announces something that must not be overlooked.
    pub(super) fn alert(&mut self, text: Sentence) {
        self.said.push(Announcement { alert: true, ..Announcement::new(Audience::Players, text.harmless()) });
    }

    /// Announces something that the Laws keep from the players: at events to the arbiter alone, else to everybody.
    pub(super) fn say_restricted(&mut self, table: &Table, text: Sentence) {
        self.say_to(table.audience_of_faults(), text);
    }

    pub(super) fn take(&mut self) -> Vec<Announcement> {
        std::mem::take(&mut self.said)
    }
}
