//! What `tabiya verify` says of the orders of an event in a record: who gave each, and whether he signed it. Anybody who has the record
//! can put an order together again from its line.
//!
//! Source: `docs/hall.md`, §6.

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
