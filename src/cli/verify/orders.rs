//! What `tabiya verify` says of the orders of an event in a record: who gave each, and whether he signed it. Anybody who has the record
//! can put an order together again from its line.
//!
//! Source: `docs/hall.md`, §6.

use std::collections::BTreeSet;

use serde_json::Value;
use tabiya_engine::record::json;
use tabiya_event::orders::{ORDER, from_line, is_signed};
use tabiya_store::journal::{JournalError, JournalReader, MatchInfo};
use tabiya_store::signing::PublicKey;

fn has_signed(key: &str, text: &str, signature: &str) -> bool {
    PublicKey::from_digits(key).is_some_and(|key| key.has_signed(text, signature))
}

/// The lines of a match in a journal that came from orders, with their numbers, and its header with the number 1 if it did.
fn ordered(reader: &JournalReader, info: &MatchInfo) -> Result<Vec<(u64, Value)>, JournalError> {
    let mut lines = Vec::new();
    for seq in reader.places_of(info.id, ORDER)? {
        let entry = reader.entries_after(info.id, seq.saturating_sub(1), 1)?.pop();
        lines.extend(entry.and_then(|entry| Some((seq + 1, json::parse(&entry.line).ok()?))));
    }
    let header = json::parse(&info.header).ok().filter(|header| header.get(ORDER).is_some());
    lines.splice(0..0, header.map(|header| (1, header)));
    Ok(lines)
}

/// What is told of the orders of a match in a journal. The inner `Err` is an order that nobody has signed so.
pub(super) fn of_match(
    reader: &JournalReader,
    info: &MatchInfo,
) -> Result<Result<Vec<String>, String>, JournalError> {
    let lines = ordered(reader, info)?;
    let header = json::parse(&info.header).unwrap_or_default();
    Ok(told(&header, &info.uid, &lines))
}

/// The first line of a match in a journal that was ordered by a key that is none of these, with the key; `None` if there is none.
pub(super) fn of_stranger(
    reader: &JournalReader,
    info: &MatchInfo,
    consoles: &BTreeSet<String>,
) -> Result<Option<(u64, String)>, JournalError> {
    let header = json::parse(&info.header).unwrap_or_default();
    let keys = ordered(reader, info)?.into_iter().filter_map(|(number, line)| {
        // An order that cannot be put together again is told of by itself.
        Some((number, from_line(&header, &info.uid, &line)?.ok()?.key))
    });
    Ok(keys.into_iter().find(|(_, key)| !consoles.contains(key)))
}

/// The same of lines with their numbers, and of their header.
pub(super) fn told(header: &Value, uid: &str, lines: &[(u64, Value)]) -> Result<Vec<String>, String> {
    let event = header.get("x-event").and_then(Value::as_str).unwrap_or_default();
    let mut told = Vec::new();
    for (number, line) in lines {
        let Some(order) = from_line(header, uid, line) else { continue };
        let order =
            order.map_err(|fault| format!("line {number} says that it came from an order, but {fault}"))?;
        if !is_signed(&order, event, &has_signed) {
            return Err(format!(
                "line {number} says that it came from an order, but the console that it names has not signed it"
            ));
        }
        told.push(format!("line {number} was ordered by {} at the console {}", order.arbiter, order.key));
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use tabiya_store::journal::{Journal, NewEntry, Store as _};

    use super::*;

    #[test]
    fn an_order_of_a_key_that_was_never_a_console_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hall.tabiya");
        let key = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
        let header = r#"{"tabiya":1,"game":"chess","players":{"A":"A","B":"B"},"white":"A","terms":{"time":"300"},"id":"r1","x-event":"34750f98bd59fcfc","x-table":17}"#;
        let order = format!(
            r#"{{"arbiter":"Rossi","boot":"b1b2b3b4b5b6b7b8","key":"{key}","seen":815000,"sig":"{}"}}"#,
            "00".repeat(64)
        );
        let line = format!(
            r#"{{"t":5200,"do":"pause","by":"arbiter","id":"o-00112233445566778899aabbccddeeff","x-order":{order}}}"#
        );
        let mut journal = Journal::create(&path).expect("a journal");
        let id = journal.begin_match(header).expect("a header");
        let before = r#"{"t":0,"do":"press","by":"black"}"#.to_owned();
        journal.append(id, &[NewEntry { t: 0, line: before }, NewEntry { t: 5_200, line }]).expect("a disk");
        journal.close().expect("a disk");
        let reader = Journal::open_read(&path).expect("a journal");
        let info = reader.matches().expect("a match").remove(0);
        let found = |consoles: &[&str]| {
            let consoles = consoles.iter().map(|console| (*console).to_owned()).collect();
            of_stranger(&reader, &info, &consoles).expect("a disk")
        };
        assert_eq!(found(&[]), Some((3, key.to_owned())));
        assert_eq!(found(&["another", key]), None);
    }
}
