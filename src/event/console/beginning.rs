//! The header of a match that begins by an order: White sits in seat A.
//!
//! Source: `docs/hall.md`, §6 ("Begin").

use serde_json::{Map, Value};
use tabiya_app::desk::NewMatch;
use tabiya_engine::clock::parse_spoken;
use tabiya_engine::rules::{Group, presets};
use tabiya_types::{BySeat, Seat};

/// What a match is to be.
#[derive(Clone, Copy, Debug)]
pub struct MatchToBegin<'a> {
    /// The word of the game.
    pub game: &'a str,
    /// The time control, as people write it: `90+30`.
    pub time: &'a str,
    /// The players.
    pub white: &'a str,
    /// The same.
    pub black: &'a str,
    /// The PGN tags.
    pub tags: &'a [(&'a str, String)],
}

/// The header that orders it; `start` is the present date, RFC 3339. `set` changes the usual terms of an event's match. `Err` is a
/// sentence.
pub fn header_to_begin(
    of: MatchToBegin<'_>,
    start: &str,
    set: impl FnOnce(&mut Group),
) -> Result<Map<String, Value>, String> {
    let game = of.game;
    let kind = presets::kind(game).ok_or_else(|| format!("`{game}` is no game; see `tabiya play --help`"))?;
    let control = parse_spoken(of.time).map_err(|error| error.to_string())?;
    let mut terms = presets::terms(None, kind.name()).unwrap_or_default();
    terms.set("time", control.to_string());
    terms.set("voice", "event");
    set(&mut terms);
    let players = BySeat { a: of.white.to_owned(), b: of.black.to_owned() };
    let header = NewMatch::usual(kind.name(), players, Seat::A, terms).header(Some(start))?;
    let mut header: Map<String, Value> =
        serde_json::from_str(&header.line()).map_err(|error| error.to_string())?;
    if !of.tags.is_empty() {
        let tags = of.tags.iter().map(|(name, value)| ((*name).to_owned(), Value::from(value.as_str())));
        header.insert("tags".to_owned(), Value::Object(tags.collect()));
    }
    Ok(header)
}
