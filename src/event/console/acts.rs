//! The event's own journal: each act of the desk is a line with who did it, when and why, and the event is a fold over them. It is an
//! ordinary journal, so it is chained, and survives a power cut, as a table's record does. The console signs its head after each act
//! (`event.heads`) and notes it beside its key, so that a journal that was cut is found out.
//!
//! Source: `docs/hall.md`, §11 (`event.tabiya`).

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};
use tabiya_engine::record::json;
use tabiya_store::heads::{self, Heads, Signer};
use tabiya_store::journal::{Journal, JournalError, JournalReader, MatchId, MatchInfo, NewEntry, Store as _};
use tabiya_store::keys::Keyring;
use tabiya_store::trust;

/// An act of the desk.
#[derive(Clone, PartialEq, Debug)]
pub struct Act {
    /// What was done: `admit`, `revoke`, `staff`, `order`, `take`, `phone`, `fork`, `missing`.
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
    facts_of(&Journal::open_read(path)?, (STAFF, STAFF))
}

/// The numbers of the further files of copies that acts in this journal of an event name.
pub(super) fn fork_numbers(path: &Path) -> Result<BTreeSet<usize>, JournalError> {
    forks_in(&Journal::open_read(path)?)
}

fn forks_in(reader: &JournalReader) -> Result<BTreeSet<usize>, JournalError> {
    let numbers = facts_of(reader, (FORK, FORK_NUMBER))?;
    Ok(numbers.iter().filter_map(|number| usize::try_from(number.as_u64()?).ok()).collect())
}

/// The files of an event's folder that acts in its journal call missing, the oldest first, each with the date of the act.
pub(super) fn files_missed(path: &Path) -> Result<Vec<(String, String)>, JournalError> {
    let lines = lines_of(&Journal::open_read(path)?, MISSING)?;
    let text = |line: &Value, name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(lines.iter().filter_map(|line| Some((text(line, FILE)?, text(line, "when")?))).collect())
}

/// All acts in this journal of an event, the oldest first, without opening it: another program may write it.
pub(super) fn acts_of(path: &Path) -> Result<Vec<Value>, JournalError> {
    all_lines(&Journal::open_read(path)?)
}

fn all_lines(reader: &JournalReader) -> Result<Vec<Value>, JournalError> {
    let mut lines = Vec::new();
    for info in reader.matches()? {
        lines.extend(reader.entries(info.id)?.into_iter().filter_map(|entry| json::parse(&entry.line).ok()));
    }
    Ok(lines)
}

/// The lines of what was done so, the oldest first.
fn lines_of(reader: &JournalReader, verb: &str) -> Result<Vec<Value>, JournalError> {
    let mut lines = all_lines(reader)?;
    lines.retain(|line| line.get("do").and_then(Value::as_str) == Some(verb));
    Ok(lines)
}

/// This fact of each act of this kind, the oldest first.
fn facts_of(reader: &JournalReader, (verb, fact): (&str, &str)) -> Result<Vec<Value>, JournalError> {
    let lines = lines_of(reader, verb)?;
    Ok(lines.into_iter().filter_map(|mut line| line.get_mut(fact).map(Value::take)).collect())
}

/// What is done with a list of consoles, and the fact that has it.
pub(super) const STAFF: &str = "staff";
/// What is done when a further file of copies begins, and the fact that has its number.
pub(super) const FORK: &str = "fork";
pub(super) const FORK_NUMBER: &str = "file";
/// What is done when a file of the folder is not there any more, and the fact that has its name.
pub(super) const MISSING: &str = "missing";
pub(super) const FILE: &str = "name";

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
    /// Opens the event's journal, or makes it. `made` is the date of today. Returns why it is perhaps not as this program has
    /// written it, as a sentence that follows the name of the file.
    pub(super) fn open(
        path: &Path,
        (event, name): (&str, &str),
        made: &str,
        keys: &Keyring,
    ) -> Result<(Self, Option<String>), JournalError> {
        let since = chrono::DateTime::parse_from_rfc3339(made).map_or(0, |made| made.timestamp_millis());
        let since = u64::try_from(since).unwrap_or(0);
        let mut journal = if path.exists() { Journal::open(path)? } else { Journal::create(path)? };
        let known = journal.matches()?.pop();
        let doubt = match &known {
            Some(info) => doubt_of(&journal, info, keys)?,
            None => None,
        };
        journal = journal.with_keys(keys.clone());
        if let Ok(key) = keys.table_key() {
            journal = journal.with_signer(Signer::new(key));
        }
        let (id, last) = if let Some(info) = known {
            (info.id, info.last_t)
        } else {
            let header =
                serde_json::json!({"tabiya": 1, "event": event, "name": name, "start": made, "id": event});
            (journal.begin_match(&header.to_string())?, 0)
        };
        let mut opened = Self { journal, id, last, made: since };
        if doubt.is_none() {
            opened.sign_end(path, keys);
        }
        Ok((opened, doubt))
    }

    /// Signs the last act if a kill came before that.
    fn sign_end(&mut self, path: &Path, keys: &Keyring) {
        let Ok(Some(info)) = self.journal.matches().map(|mut matches| matches.pop()) else { return };
        let is_signed = || {
            let own = keys.own_key()?;
            let signed = heads::newest_lines(path, own);
            signed.iter().any(|(_, head)| head.point.head == info.head).then_some(())
        };
        if is_signed().is_none() {
            // What cannot be signed now is signed with the next act.
            let _ = self.journal.sign(self.id);
        }
    }

    /// Whether an act says so: what was done, with this fact.
    pub(super) fn has(&self, verb: &str, (name, fact): (&str, &Value)) -> Result<bool, JournalError> {
        Ok(facts_of(self.journal.reader(), (verb, name))?.contains(fact))
    }

    /// The numbers of the further files of copies that acts name.
    pub(super) fn forks(&self) -> Result<BTreeSet<usize>, JournalError> {
        forks_in(self.journal.reader())
    }

    /// Writes an act, and waits until it is durable. `unix_ms` is the present date in ms since 1970, `when` the same as text.
    pub(super) fn write(&mut self, act: &Act, unix_ms: u64, when: &str) -> Result<(), JournalError> {
        // The calendar may be set back; the acts go on.
        let t = unix_ms.saturating_sub(self.made).max(self.last);
        self.journal.append(self.id, &[NewEntry { t, line: act.line(t, when) }])?;
        self.last = t;
        // What cannot be signed now is signed with the next act.
        let _ = self.journal.sign(self.id);
        Ok(())
    }
}

/// What contradicts the event's journal: the heads that consoles have signed, or what this computer has noted of it.
fn doubt_of(journal: &Journal, info: &MatchInfo, keys: &Keyring) -> Result<Option<String>, JournalError> {
    let record = journal.reader().compared(info)?;
    let signed = Heads::beside(journal.path()).unwrap_or_default().check(&record, None);
    if let Err(why) = signed {
        return Ok(Some(format!("it {why}")));
    }
    Ok(trust::noted_doubt(journal.reader(), info, keys)?.map(|doubt| format!("it {doubt}")))
}
