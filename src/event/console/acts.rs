//! The event's own journal: each act of the desk is a line with who did it, when and why, and the event is a fold over them. It is an
//! ordinary journal, so it is chained, and survives a power cut, as a table's record does.
//!
//! Source: `docs/hall.md`, §11 (`event.tabiya`).

use std::path::Path;

use serde_json::{Map, Value};
use tabiya_engine::record::json;
use tabiya_store::journal::{Journal, JournalError, MatchId, NewEntry, Store as _};

/// An act of the desk.
#[derive(Clone, PartialEq, Debug)]
pub struct Act {
    /// What was done: `admit`, `revoke`, `staff`, `order`, `take`.
    pub verb: &'static str,
    /// Who did it: a console or a person.
    pub who: String,
    /// What else there is to say: a table, a key, a reason.
    pub facts: Map<String, Value>,
}

impl Act {
    /// An act without facts.
    pub fn new(verb: &'static str, who: impl Into<String>) -> Self {
        Self { verb, who: who.into(), facts: Map::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }

    fn line(&self, t: u64, when: &str) -> String {
        let mut line = Map::new();
        line.insert("t".to_owned(), t.into());
        line.insert("do".to_owned(), self.verb.into());
        line.insert("who".to_owned(), self.who.as_str().into());
        line.insert("when".to_owned(), when.into());
        line.extend(self.facts.clone());
        Value::Object(line).to_string()
    }
}

/// The lists of consoles that the acts in this journal of an event name, the oldest first. Whoever asks checks who has signed them.
pub(super) fn staff_lists(path: &Path) -> Result<Vec<Value>, JournalError> {
    let lines = lines_of(path)?.into_iter();
    let of_staff = lines.filter(|line| line.get("do").and_then(Value::as_str) == Some(STAFF));
    Ok(of_staff.filter_map(|mut line| line.get_mut(STAFF).map(Value::take)).collect())
}

/// The acts in this journal of an event, the oldest first, without opening it: another program may write it.
pub(super) fn lines_of(path: &Path) -> Result<Vec<Value>, JournalError> {
    let reader = Journal::open_read(path)?;
    let mut lines = Vec::new();
    for info in reader.matches()? {
        lines.extend(reader.entries(info.id)?.into_iter().filter_map(|entry| json::parse(&entry.line).ok()));
    }
    Ok(lines)
}

/// What is done with a list of consoles, and the fact that has it.
pub(super) const STAFF: &str = "staff";

/// The open journal of an event.
#[derive(Debug)]
pub(super) struct ActJournal {
    journal: Journal,
    id: MatchId,
    /// The moment of the last act, in ms since the event was made.
    last: u64,
    /// When the event was made, in ms since 1970.
    made: u64,
}

impl ActJournal {
    /// Opens the event's journal, or makes it. `made` is the date of today.
    pub(super) fn open(path: &Path, (event, name): (&str, &str), made: &str) -> Result<Self, JournalError> {
        let since = chrono::DateTime::parse_from_rfc3339(made).map_or(0, |made| made.timestamp_millis());
        let since = u64::try_from(since).unwrap_or(0);
        let mut journal = if path.exists() { Journal::open(path)? } else { Journal::create(path)? };
        if let Some(info) = journal.matches()?.pop() {
            return Ok(Self { journal, id: info.id, last: info.last_t, made: since });
        }
        let header =
            serde_json::json!({"tabiya": 1, "event": event, "name": name, "start": made, "id": event});
        let id = journal.begin_match(&header.to_string())?;
        Ok(Self { journal, id, last: 0, made: since })
    }

    /// Whether an act says so: what was done, with this fact.
    pub(super) fn has(&self, verb: &str, (name, fact): (&str, &Value)) -> Result<bool, JournalError> {
        let entries = self.journal.reader().entries(self.id)?;
        Ok(entries.iter().any(|entry| {
            let line = json::parse(&entry.line).unwrap_or_default();
            line.get("do").and_then(Value::as_str) == Some(verb) && line.get(name) == Some(fact)
        }))
    }

    /// Writes an act, and waits until it is durable. `unix_ms` is the present date in ms since 1970, `when` the same as text.
    pub(super) fn write(&mut self, act: &Act, unix_ms: u64, when: &str) -> Result<(), JournalError> {
        // The calendar may be set back; the acts go on.
        let t = unix_ms.saturating_sub(self.made).max(self.last);
        self.journal.append(self.id, &[NewEntry { t, line: act.line(t, when) }])?;
        self.last = t;
        Ok(())
    }
}
