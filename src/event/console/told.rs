//! What has happened in a hall, as sentences: the terminal prints them, the window shows them.

use tabiya_types::{Millis, Sentence, say};

use super::alerts::QueuedAlert;
use super::hall::ConsoleNews;
use super::ordering::OrderFault;
use crate::joining::JoinAs;

impl ConsoleNews {
    /// What has happened, in words.
    pub fn in_words(&self) -> Sentence {
        let said = match self.clone() {
            Self::Here(table, program) => {
                say!("told-here", "table {table} is here ({program})", table, program)
            }
            Self::Gone(table, why) => say!("told-gone", "table {table} is gone: {why}", table, why),
            Self::Alert(alert) => alert.in_words(),
            Self::Did(table, words, line) => {
                say!("told-did", "table {table}: `{words}` is done (line {line})", table, words, line)
            }
            Self::Refused(table, words, why) => {
                say!("told-refused", "table {table}: `{words}` was refused: {why}", table, words, why)
            }
            Self::Unanswered(table, words) => say!(
                "told-unanswered",
                "table {table}: nobody has answered `{words}` for 10 s; it does not act any more",
                table,
                words
            ),
            Self::Joins(name, from, JoinAs::Table) => {
                say!("told-joins", "{name} ({from}) wants to join, with the digits that it shows", name, from)
            }
            Self::Joins(name, from, JoinAs::Console) => say!(
                "told-joins-console",
                "{name} ({from}) wants to join as a console, with the digits that it shows",
                name,
                from
            ),
            Self::Joined(table, name) => say!("told-joined", "{name} is table {table}", name, table),
            Self::JoinedConsole(name) => {
                say!("told-joined-console", "{name} is a console of this event", name)
            }
            Self::Notice(notice) => notice.in_words(),
            Self::NotNoted(why) => say!(
                "told-not-noted",
                "what was done just now is not in the event's own journal: {why}; free its disk, and note it on paper",
                why
            ),
            Self::TooMuch(table) => say!(
                "told-too-much",
                "table {table} has more news than can be told; look at its alerts and its link",
                table
            ),
            Self::DiskIsWell => say!("told-disk-is-well", "the copies are written again"),
            Self::Result(table, result) => say!("told-result", "table {table}: {result}", table, result),
        };
        said.harmless()
    }

    /// The table that it is about, if it is about one, and whether something went wrong.
    pub fn about(&self) -> (Option<u16>, bool) {
        match self {
            Self::Here(table, _) | Self::Did(table, ..) | Self::Joined(table, _) | Self::Result(table, _) => {
                (Some(*table), false)
            }
            Self::Gone(table, _)
            | Self::Refused(table, ..)
            | Self::Unanswered(table, _)
            | Self::TooMuch(table) => (Some(*table), true),
            Self::Alert(alert) => (alert.table, alert.rank == 1),
            Self::Joins(..) | Self::JoinedConsole(_) | Self::DiskIsWell => (None, false),
            Self::Notice(_) | Self::NotNoted(_) => (None, true),
        }
    }
}

impl QueuedAlert {
    /// The alert in one line.
    pub fn in_words(&self) -> Sentence {
        let place = match self.table {
            Some(table) => say!("told-table", "table {table}", table),
            None => say!("told-console", "console"),
        };
        let (rank, kind, says) = (u32::from(self.rank), self.kind.clone(), self.says.clone());
        let since = Millis(self.age).to_string();
        let since = match self.count {
            0 | 1 => say!("told-since", "for {since}", since),
            count => say!("told-since-times", "for {since}, {count} times", since, count),
        };
        let said =
            say!("told-alert", "[{rank}] {place}: {says} ({kind}, {since})", rank, place, says, kind, since);
        match self.taken.clone() {
            Some(name) => say!("told-alert-taken", "{said}; {name} looks after it", said, name).harmless(),
            None => said.harmless(),
        }
    }
}

impl std::error::Error for OrderFault {}

impl std::fmt::Display for OrderFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.in_words().fmt(f)
    }
}

impl OrderFault {
    /// Why an order cannot be given, in words.
    pub fn in_words(&self) -> Sentence {
        match self.clone() {
            Self::NotHere(table) => {
                say!("fault-not-here", "table {table} is not connected; nothing was ordered", table)
            }
            Self::NoState(table) => say!(
                "fault-no-state",
                "table {table} has not told its state yet; try again in a moment",
                table
            ),
            Self::NoMatch(table) => say!(
                "fault-no-match",
                "there is no match on table {table}; begin one there, or with `begin {table} GAME TIME WHITE BLACK`",
                table
            ),
            Self::Newer(table) => say!(
                "fault-newer",
                "the match on table {table} was written by a newer program; only `pause` and `resume` can be ordered",
                table
            ),
            Self::Words(what) => what.harmless(),
            Self::NoChance => {
                say!("fault-no-chance", "the system provides no random numbers; restart the computer")
            }
        }
    }
}
