//! The announcements of a session to the people at the match.

use tabiya_engine::table::{Audience, Table};
use tabiya_types::Sentence;

/// An announcement to the players or to the arbiter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    /// The people who may see or hear the announcement.
    pub to: Audience,
    /// The text: one or more sentences without control characters.
    pub text: Sentence,
    /// The same for a screen that shows a score sheet beside it, in which a move is told in notation alone; `None` if it
    /// reads the same there.
    pub beside_moves: Option<Sentence>,
    /// Whether the announcement is so important that it is also shown on screens without a log.
    pub alert: bool,
}

impl Announcement {
    /// Makes an announcement that is shown in the log only.
    pub fn new(to: Audience, text: Sentence) -> Self {
        Self { to, text, beside_moves: None, alert: false }
    }
}

/// The announcements that were made since `take` was last called.
#[derive(Debug, Default)]
pub(super) struct Speech {
    said: Vec<Announcement>,
    /// Whether a game has ended since: what comes next is then announced, once all that was entered with it has acted.
    result: bool,
}

impl Speech {
    /// Notes that a game has ended.
    pub(super) fn result(&mut self) {
        self.result = true;
    }

    pub(super) fn say(&mut self, text: Sentence) {
        self.say_to(Audience::Players, text);
    }

    /// Announces a text to this audience. Control characters are removed, because the text may contain names or
    /// reasons from people, and a name that a board reports.
    pub(super) fn say_to(&mut self, to: Audience, text: Sentence) {
        self.said.push(Announcement::new(to, text.harmless()));
    }

    /// Announces a text with its form for a screen that shows a score sheet beside it.
    pub(super) fn say_beside_moves(&mut self, to: Audience, text: Sentence, beside_moves: Sentence) {
        let beside_moves = Some(beside_moves.harmless());
        self.said.push(Announcement { beside_moves, ..Announcement::new(to, text.harmless()) });
    }

    /// Announces a text that must not be overlooked.
    pub(super) fn alert(&mut self, to: Audience, text: Sentence) {
        self.said.push(Announcement { alert: true, ..Announcement::new(to, text.harmless()) });
    }

    /// Announces a text that the Laws of Chess keep from the players: at events to the arbiter alone, otherwise to
    /// everybody.
    pub(super) fn say_restricted(&mut self, table: &Table, text: Sentence) {
        self.say_to(table.audience_of_faults(), text);
    }

    /// Takes the announcements. After a result the last one says what comes next; the end of a match is announced by itself.
    pub(super) fn take(&mut self, table: &Table) -> Vec<Announcement> {
        if std::mem::take(&mut self.result) && table.game().outcome().is_some() && !table.match_over() {
            self.say(table.prompt());
        }
        std::mem::take(&mut self.said)
    }
}
