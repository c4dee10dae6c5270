//! Terms by name (ruling 3 in docs/rules.md), for the command line and the window.

use serde_json::{Map, Value, json};

/// The presets of a game, as the record's `preset` names them.
pub fn names(game: &str) -> &'static [&'static str] {
    match game {
        "choker" => &["club", "tour", "blitz", "slow"],
        _ => &["blitz", "slow"],
    }
}

/// The terms of this name; `None` if the game has no such preset. Without a name Choker is played as
/// at the club, and without a time.
pub fn terms(name: Option<&str>, game: &str) -> Option<Map<String, Value>> {
    if name.is_some_and(|name| !names(game).contains(&name)) {
        return None;
    }
    let mut terms = Map::new();
    let mut put = |name: &str, value: Value| drop(terms.insert(name.to_owned(), value));
    if game == "choker" {
        let stack = if name == Some("tour") { 20 } else { 200 };
        put("stacks", json!({"A": stack, "B": stack}));
        put("small_blind", json!(1));
        if name == Some("tour") {
            put("blinds", json!({"every": "game", "levels": [1, 2, 3, 4, 6, 8, 10, 15, 20]}));
        }
    }
    match name {
        Some("tour") => put("time", json!("180")),
        Some("slow") => put("time", json!("900+10")),
        Some(_) => put("time", json!("120")),
        None => {}
    }
    if let Some(name) = name {
        put("preset", json!(name));
    }
    Some(terms)
}
