//! What was done at an event, for the chief: each act with who, when and why, and each order with the line that it became.
//!
//! Source: `docs/event.md`, "The folder"; `docs/rounds.md`, "The event's own journal".

use std::collections::BTreeMap;

use serde_json::Value;
use tabiya_engine::record::json;
use tabiya_store::journal::{Journal, JournalReader};

use crate::console::acts::acts_of;
use crate::console::folder::{EventFolder, FolderFault};
use crate::console::handing::table_of;
use crate::console::keeper::{COPIES, fork_files};

/// An act as the chief reads it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AuditedAct {
    /// When, RFC 3339.
    pub when: String,
    /// Who.
    pub who: String,
    /// What was done: the act's word.
    pub what: String,
    /// Its facts as JSON, without those that have a place of their own here.
    pub facts: String,
    /// Why; empty if nobody said.
    pub why: String,
    /// The line that an order became: table, match, and the line's place in it. Empty for other acts, and for orders that were refused.
    pub line: String,
}

/// The facts that have a place of their own.
const NAMED: [&str; 5] = ["t", "do", "who", "when", "why"];

impl EventFolder {
    /// All acts of the event, the oldest first.
    pub fn audit(&self) -> Result<Vec<AuditedAct>, FolderFault> {
        let copies = std::iter::once(self.path().join(COPIES))
            .chain(fork_files(self.path()).into_iter().map(|(_, path)| path))
            .filter(|path| path.exists());
        let mut orders = BTreeMap::new();
        for path in copies {
            ordered_lines(&Journal::open_read(&path)?, &mut orders)?;
        }
        let act = |line: Value| {
            let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let order = text("order");
            let mut facts = line.as_object().cloned().unwrap_or_default();
            facts.retain(|name, _| !NAMED.contains(&name.as_str()));
            AuditedAct {
                when: text("when"),
                who: text("who"),
                what: text("do"),
                facts: Value::Object(facts).to_string(),
                why: text("why"),
                line: orders.get(&order).cloned().unwrap_or_default(),
            }
        };
        Ok(acts_of(&self.journal())?.into_iter().map(act).collect())
    }
}

/// Notes which line each order of these copies became. A match that an order began is its own first line.
fn ordered_lines(reader: &JournalReader, orders: &mut BTreeMap<String, String>) -> Result<(), FolderFault> {
    for info in reader.matches()? {
        let table = table_of(&info.header).unwrap_or(0);
        let place = |seq: usize| format!("table {table}, match {}, line {seq}", info.uid);
        let id_of = |line: &str| {
            let line = json::parse(line).ok()?;
            line.get("x-order")?;
            line.get("id").and_then(Value::as_str).map(str::to_owned)
        };
        orders.extend(id_of(&info.header).map(|id| (id, place(0))));
        for (seq, entry) in (1..).zip(reader.entries(info.id)?) {
            orders.extend(id_of(&entry.line).map(|id| (id, place(seq))));
        }
    }
    Ok(())
}
