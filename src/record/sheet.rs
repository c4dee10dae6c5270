//! The match sheet as text: the terms that both players read and sign.
//!
//! The [`Agreement`](crate::table::Agreement) supplies the terms. The lines before and after the terms
//! identify the record.
#![warn(clippy::indexing_slicing)]

use tabiya_types::harmless;

use super::header::Header;

/// Returns the match sheet. `head` is the hash after the record's last line, if known.
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
