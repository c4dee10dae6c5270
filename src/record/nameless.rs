//! The record of a match for a report of a fault: everybody may see it, and nothing in it tells who played, where and when.
//!
//! It is the export of the match (`secrets.rs`) with every card hidden that was never turned over, whoever has agreed to
//! what. Names become `A` and `B`, reasons `…`. The header loses the date, the match's name, the tags, the preset and the
//! name and hash of a file of cards; lines lose their extension fields (hashes, seals, salts, codes, signatures), and
//! their ids become numbers. What remains is replayed as the match was.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tabiya_types::harmless_json;

use super::header::is_read;
use super::json;
use super::replay::Replay;
use super::secrets::Exported;
use super::text::Line;
use crate::rules::GameKind;

/// What stands in place of a reason.
const REASON: &str = "…";
/// The fields of a header that stay. The others say who played, where and when.
const KEPT: [&str; 5] = ["tabiya", "game", "players", "white", "terms"];
/// The terms that are free text, or the hash of somebody's own file.
const OWN_TERMS: [&str; 2] = ["preset", "cards"];

/// The record of a replayed match, as JSON Lines. `lines` are the header and the lines after it, each with its number.
pub fn nameless(replay: &Replay, lines: impl Iterator<Item = (u32, Value)>) -> String {
    let mut exported = Exported::begin(replay).with_hidden_cards();
    for (number, line) in lines {
        exported.add(number, line);
    }
    let mut ids = Ids::default();
    let mut text = String::new();
    for line in exported.into_text().lines() {
        // An export is JSON. A line that is none would be left out, since nothing is known about it.
        let Ok(Value::Object(mut fields)) = json::parse(line) else { continue };
        fields.retain(|name, _| !name.starts_with("x-"));
        if fields.contains_key("tabiya") {
            hide_names(&mut fields, replay.header().kind);
        } else {
            ids.hide(&mut fields);
        }
        text.push_str(&harmless_json(&Value::Object(fields).to_string()));
        text.push('\n');
    }
    text
}

/// The same for a match in memory. `lines` are the lines after the header.
pub fn nameless_match(replay: &Replay, lines: &[Line]) -> String {
    let header = replay.header().written.clone();
    let lines = (2..).zip(lines).map(|(number, line)| (number, line.to_value()));
    nameless(replay, std::iter::once((1, header)).chain(lines))
}

fn hide_names(header: &mut Map<String, Value>, kind: &dyn GameKind) {
    header.retain(|name, _| KEPT.contains(&name.as_str()));
    for (seat, name) in header.get_mut("players").and_then(Value::as_object_mut).into_iter().flatten() {
        *name = seat.as_str().into();
    }
    if let Some(terms) = header.get_mut("terms").and_then(Value::as_object_mut) {
        terms.retain(|name, _| is_read(name, kind) && !OWN_TERMS.contains(&name.as_str()));
    }
}

/// The ids of lines, in the order in which they occurred. Two lines with the same id stay two such lines.
#[derive(Default)]
struct Ids(BTreeMap<String, usize>);

impl Ids {
    fn hide(&mut self, line: &mut Map<String, Value>) {
        if let Some(reason) = line.get_mut("reason") {
            *reason = REASON.into();
        }
        if let Some(Value::String(id)) = line.get_mut("id") {
            let next = self.0.len() + 1;
            *id = self.0.entry(id.clone()).or_insert(next).to_string();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GAMES;

    const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","start":"2026-10-03T19:30:00+02:00","id":"club-7","tags":{"Site":"Ann's kitchen"},"x-unsigned":true,"terms":{"stacks":{"A":9,"B":9},"small_blind":1,"preset":"Ann's","fen":"Max","chess960":"Moritz"}}"#;

    /// The nameless record of a match with these lines after the header, and its replay.
    fn of(lines: &[&str]) -> (String, Replay) {
        let mut replay = Replay::begin(HEADER, GAMES).expect("a header");
        for (line, number) in lines.iter().zip(2..) {
            replay.feed(number, line).unwrap_or_else(|stop| panic!("line {number}: {stop}"));
        }
        let all = std::iter::once(&HEADER).chain(lines).zip(1..);
        let values = all.map(|(line, number)| (number, line.parse().expect("JSON")));
        (nameless(&replay, values), replay)
    }

    #[test]
    fn who_played_where_and_why_something_was_ruled_is_not_told() {
        let (text, _) = of(&[
            r#"{"t":0,"do":"pause","by":"arbiter","id":"anns-telephone"}"#,
            r#"{"t":0,"do":"resume","by":"arbiter","id":"anns-telephone"}"#,
            r#"{"t":5,"do":"rule","by":"arbiter","reason":"Bo talks","set":{},"x-code-A":"00ff"}"#,
        ]);
        assert_eq!(
            text,
            "{\"tabiya\":1,\"game\":\"choker\",\"players\":{\"A\":\"A\",\"B\":\"B\"},\"white\":\"A\",\"terms\":{\"stacks\":{\"A\":9,\"B\":9},\"small_blind\":1}}\n\
             {\"t\":0,\"do\":\"pause\",\"by\":\"arbiter\",\"id\":\"1\"}\n\
             {\"t\":0,\"do\":\"resume\",\"by\":\"arbiter\",\"id\":\"1\"}\n\
             {\"t\":5,\"do\":\"rule\",\"by\":\"arbiter\",\"reason\":\"…\",\"set\":{}}\n"
        );
    }

    #[test]
    fn cards_that_were_not_turned_over_stay_hidden_whoever_agreed() {
        let (text, replay) = of(&[
            r#"{"t":0,"do":"deal","cards":{"white":["R","R"]},"x-seals":{"white":["aa","bb"]},"x-salts":{"white":["cc","dd"]}}"#,
            r#"{"t":0,"do":"bet","by":"white","action":"all-in"}"#,
            r#"{"t":0,"do":"bet","by":"black","action":"fold"}"#,
            r#"{"t":1,"do":"end-match","by":"arbiter","reason":"late"}"#,
            r#"{"t":2,"do":"consent","by":"white"}"#,
            r#"{"t":3,"do":"consent","by":"black"}"#,
        ]);
        assert!(super::super::secrets::may_be_open(replay.table()));
        assert!(text.contains(r#"{"t":0,"do":"deal","cards":{"white":["?","?"]}}"#), "{text}");
    }

    #[test]
    fn the_match_is_replayed_as_it_was() {
        let (text, replay) = of(&[
            r#"{"t":0,"do":"deal"}"#,
            r#"{"t":9,"do":"fouled","by":"arbiter","reason":"a card lay open"}"#,
            r#"{"t":10,"do":"deal"}"#,
            r#"{"t":11,"do":"undo","reason":"Bo's mistake"}"#,
        ]);
        let mut lines = text.lines();
        let mut again = Replay::begin(lines.next().expect("a header"), GAMES).expect("a header");
        for (line, number) in lines.zip(2..) {
            again.feed(number, line).unwrap_or_else(|stop| panic!("line {number}: {stop}"));
        }
        assert_eq!(again.report(), replay.report());
    }
}
