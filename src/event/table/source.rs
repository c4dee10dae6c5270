//! The lines that a table's consoles get, read from its record as the copy on a stick reads it: only what is durable travels, and
//! only matches of the event.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tabiya_app::seating::{EVENT, TABLE};
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::json;
use tabiya_store::heads;
use tabiya_store::journal::{Journal, JournalEntry, JournalError, JournalReader, MatchId, MatchInfo};
use tabiya_store::signing::PublicKey;

use crate::wire::{MOST_MATCHES, MatchNote, SentLine};

/// The members of a line that stay at the table: the box with the encrypted cards, and the salts of opened ones.
const AT_HOME: [&str; 2] = ["x-sealed", "x-salts"];
/// What stands in the place of a hidden card.
const HIDDEN: &str = "?";

/// A match of the event in the table's record.
#[derive(Clone, Debug)]
pub(super) struct EventMatch {
    pub(super) note: MatchNote,
    id: MatchId,
    header: String,
}

/// The next lines of a match.
#[derive(Debug, Default)]
pub(super) struct NextLines {
    pub(super) lines: Vec<SentLine>,
    /// Whether the next line is a deal that shows what must stay hidden: it does not travel, and no line after it.
    pub(super) unsealed: bool,
}

/// The record of a table, as far as it is open.
#[derive(Debug)]
pub(super) struct Source {
    event: String,
    table: u16,
    reader: Option<JournalReader>,
}

impl Source {
    pub(super) fn new(event: String, table: u16) -> Self {
        Self { event, table, reader: None }
    }

    fn reader(&mut self, record: &Path) -> Result<&JournalReader, JournalError> {
        if self.reader.as_ref().is_none_or(|reader| reader.path() != record) {
            self.reader = Some(Journal::open_read(record)?);
        }
        self.reader.as_ref().ok_or(JournalError::Closed)
    }

    /// The newest matches of the event in this record, the oldest first.
    pub(super) fn matches(&mut self, record: &Path) -> Result<Vec<EventMatch>, JournalError> {
        let (event, table) = (self.event.clone(), self.table);
        let matches = self.reader(record)?.matches()?;
        let mut of_event: Vec<EventMatch> =
            matches.into_iter().filter(|info| is_of(info, &event, table)).map(event_match).collect();
        let older = of_event.len().saturating_sub(MOST_MATCHES);
        of_event.drain(..older);
        Ok(of_event)
    }

    /// The hash of a match at this place.
    pub(super) fn head_at(
        &mut self,
        record: &Path,
        of: &EventMatch,
        seq: u64,
    ) -> Result<Option<Head>, JournalError> {
        self.reader(record)?.head_after(of.id, seq)
    }

    /// At most `most` lines of a match from this place on; its header is 0.
    pub(super) fn lines(
        &mut self,
        record: &Path,
        of: &EventMatch,
        from: u64,
        most: u32,
    ) -> Result<NextLines, JournalError> {
        let mut next = NextLines::default();
        let uid = &of.note.uid;
        if from == 0 {
            let line = json::parse(&of.header).map_err(|_| JournalError::Closed)?;
            next.lines.push(SentLine { uid: uid.clone(), seq: 0, line, hash: of.note.begins });
        }
        for JournalEntry { seq, line, head, .. } in
            self.reader(record)?.entries_after(of.id, from.max(1) - 1, most)?
        {
            let line = json::parse(&line).map_err(|_| JournalError::Closed)?;
            if shows_hidden(&line) {
                next.unsealed = true;
                break;
            }
            next.lines.push(SentLine { uid: uid.clone(), seq, line: travels(line), hash: head });
        }
        Ok(next)
    }

    /// The newest head of each of these matches that this table has signed, and how long the file of heads is. `before` is how long it was when this was
    /// asked last: if it has not changed, there is nothing new.
    pub(super) fn heads(
        record: &Path,
        matches: &[EventMatch],
        (before, own): (Option<u64>, PublicKey),
    ) -> (u64, Vec<(String, heads::SignedHead)>) {
        let length = std::fs::metadata(heads::file_of(record)).map_or(0, |found| found.len());
        if before == Some(length) || length == 0 {
            return (length, Vec::new());
        }
        let read = heads::newest_lines(record, own);
        let of = |(text, head): (String, heads::SignedHead)| {
            matches
                .iter()
                .any(|one| one.note.uid == head.point.uid && one.note.begins == head.point.begins)
                .then_some((text, head))
        };
        (length, read.into_iter().filter_map(of).collect())
    }

    /// The place of the line that has this text as the whole of a value, such as its id, in the match of this name.
    pub(super) fn place_of(&mut self, record: &Path, uid: &str, text: &str) -> Option<u64> {
        let of = self.matches(record).ok()?.into_iter().find(|of| of.note.uid == uid)?;
        self.reader(record).ok()?.places_of(of.id, text).ok()?.first().copied()
    }

    /// Forgets what is open, so that the next question opens it anew.
    pub(super) fn close(&mut self) {
        self.reader = None;
    }
}

fn event_match(info: MatchInfo) -> EventMatch {
    let MatchInfo { id, uid, header, entries, begins, head, .. } = info;
    EventMatch { note: MatchNote { uid, begins, seq: entries, head }, id, header }
}

/// Whether a match belongs to this event and this table: its header says so.
fn is_of(info: &MatchInfo, event: &str, table: u16) -> bool {
    let Ok(header) = json::parse(&info.header) else { return false };
    header.get(EVENT).and_then(Value::as_str) == Some(event)
        && header.get(TABLE).and_then(Value::as_u64) == Some(u64::from(table))
}

/// The line as it travels.
fn travels(mut line: Value) -> Value {
    if let Some(members) = line.as_object_mut() {
        for name in AT_HOME {
            members.shift_remove(name);
        }
    }
    line
}

/// Whether this is a deal with a card in a hand that is not hidden.
pub(crate) fn shows_hidden(line: &Value) -> bool {
    if line.get("do").and_then(Value::as_str) != Some("deal") {
        return false;
    }
    let hand = |name: &str| line.get("cards").and_then(|cards| cards.get(name)).or_else(|| line.get(name));
    ["white", "black"].into_iter().filter_map(hand).any(|cards| match cards {
        Value::Array(cards) => cards.iter().any(|card| card != HIDDEN),
        _ => true,
    })
}

/// The file that a record is in.
pub(super) type RecordPath = PathBuf;
