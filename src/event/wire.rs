//! The messages between a table and a console, as JSON texts: one is read strictly, and written in the order of the contract.
//!
//! A reader passes over messages and members that it does not know. A message that it knows and that is wrong ends the link.
//!
//! Source: `docs/hall.md`, §3 to §7.

mod console;
mod facts;
mod fields;
mod table;

pub use console::{FromConsole, Have, Take, Welcome};
pub use fields::{MessageFields, WireFault};
pub(crate) use fields::{person, table as table_number, text as text_of};
pub use table::{
    AlertNote, ClockNote, DeviceNote, FromTable, MatchNote, RefusedNote, SentLine, SentWords, StateNote,
    TableHello,
};

use serde_json::Value;
use tabiya_engine::record::json;

/// The longest message, in bytes.
pub const LONGEST: usize = 64 << 10;
/// How deep arrays and objects may be nested in a message.
pub const DEEPEST: usize = 64;
/// The greatest whole number in a message, 2^53 - 1.
pub const GREATEST: u64 = (1 << 53) - 1;
/// The greatest place of a line in its match, 2^32 - 1.
pub const GREATEST_SEQ: u64 = (1 << 32) - 1;
/// The greatest number of a table. The least is 1.
pub const LAST_TABLE: u64 = 9_999;
/// The most matches in a `hello`.
pub const MOST_MATCHES: usize = 64;
/// The most alerts in a `state`.
pub const MOST_ALERTS: usize = 32;
/// The longest unique name of a match, in bytes.
pub const LONGEST_UID: usize = 256;
/// The longest sentence in a message, in characters.
pub const LONGEST_SENTENCE: usize = 300;
/// The longest name of a person or a console, in characters.
pub const LONGEST_NAME: usize = 60;

/// Reads a message as its name and its members; `None` if it has no name, so that it is passed over.
fn named(text: &str) -> Result<Option<(String, MessageFields)>, WireFault> {
    if text.len() > LONGEST {
        return Err(WireFault::new("message", format!("is longer than {LONGEST} bytes")));
    }
    let value = json::parse_within(text, DEEPEST)
        .map_err(|error| WireFault::new("message", format!("is not JSON: {error}")))?;
    let Value::Object(members) = value else {
        return Err(WireFault::new("message", "is no object".to_owned()));
    };
    Ok(match members.get("m") {
        Some(Value::String(name)) => Some((name.clone(), MessageFields::new(members))),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
