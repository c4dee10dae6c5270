//! The match sheet as a text: what was agreed, for both players to read and to sign.
//!
//! The lines are the agreement's own; what names this one record stands around them.
#![warn(clippy::indexing_slicing)]

use tabiya_types::harmless;

use super::header::Header;

/// The match sheet, a line each, with the hash of the record's last entry where it is known.
pub fn text(header: &Header, head: Option<&str>) -> String {
    let named = |name: &str, value: Option<&str>| value.map(|value| format!("{name}: {}", harmless(value)));
    let mut lines: Vec<String> = Vec::new();
    lines.extend(named("match", header.id.as_deref()));
    lines.extend(named("begun", header.start.as_deref()));
    lines.extend(header.agreement.sheet().iter().map(ToString::to_string));
    lines.extend(named("head of the record", head));
    lines.push(String::new());
    lines.join("\n")
}
