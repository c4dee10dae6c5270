//! The header, the first line of a record: the players, the game and the terms.
//!
//! Source: `docs/record.md`, "What a line may be" and "Terms". Parsing is strict: an unknown field is an error.
#![warn(clippy::indexing_slicing)]

use serde_json::{Map, Value, json};
use tabiya_types::{ByColor, BySeat, Color, Millis, Role, Seat};

use super::json;
use super::proof::UNSIGNED;
use crate::clock::TimeControl;
use crate::rules::{Datum, Fields, FormError, GameKind, Games, Group};
use crate::table::{Agreement, ClockSource, PressMode, Terms, TimeTerm, Voice};

/// The version of the record's text that this program reads and writes.
const VERSION: u64 = 1;
/// The greatest length of time that a term may state, in milliseconds: one day.
const LONGEST: u64 = 86_400_000;

/// The names of the terms that every game has.
const COMMON_TERMS: [&str; 14] = [
    "time",
    "first_increment",
    "clock",
    "press",
    "settle_ms",
    "voice",
    "freeze",
    "penalty_ms",
    "bet_ms",
    "default_s",
    "games",
    "draw_wins",
    "sets",
    "preset",
];

/// The terms of Choker and chess. They may stand in the header of any game: in one that does not read them they say
/// nothing. A term that another game adds belongs to that game alone.
const LISTED_TERMS: [&str; 10] = [
    "stacks",
    "small_blind",
    "structure",
    "blinds",
    "empress",
    "becket",
    "castling",
    "dealer",
    "fen",
    "chess960",
];

/// A parsed header.
#[derive(Clone, Debug)]
pub struct Header {
    /// The kind of game. It parses the lines that only this game has.
    pub kind: &'static dyn GameKind,
    /// The players, their colours, and the terms.
    pub agreement: Agreement,
    /// The date and time of `t` = 0 (RFC 3339).
    pub start: Option<String>,
    /// The id of the match.
    pub id: Option<String>,
    /// The PGN tags, in the order of the header.
    pub tags: Vec<(String, String)>,
    /// The header as JSON, unchanged.
    pub(super) written: Value,
}

impl std::fmt::Debug for dyn GameKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Header {
    /// Parses a header line. `games` are the known games. `Err` means that the form of the header is wrong.
    pub fn parse(text: &str, games: Games) -> Result<Self, FormError> {
        let value =
            json::parse(text).map_err(|error| FormError(format!("the header is not JSON: {error}")))?;
        Self::from_value(value, games)
    }

    /// Parses a header from JSON. `games` are the known games.
    pub fn from_value(value: Value, games: Games) -> Result<Self, FormError> {
        let written = value.clone();
        let mut value = value;
        take_own_fields(&mut value);
        let mut fields = Fields::of_value("the header", json::datum_of(value))?;
        match (fields.take("tabiya"), written.get("tabiya")) {
            (Some(Datum::Number(VERSION)), _) => {}
            (_, Some(version)) => {
                return Err(FormError(format!(
                    "the record has version {version}, but this program reads only version {VERSION}"
                )));
            }
            (_, None) => {
                return Err(FormError::new("there is no header: the first line must contain `\"tabiya\":1`"));
            }
        }
        let name = fields.text("game")?.ok_or_else(|| fields.missing("game"))?;
        let kind = *games.iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names: Vec<_> = games.iter().map(|kind| kind.name()).collect();
            FormError(format!("the game `{name}` is unknown; known games: {}", names.join(", ")))
        })?;
        let players = players(&mut fields)?;
        let white = fields.need("white", "`A` or `B`", seat)?;
        let terms = match fields.take("terms") {
            Some(terms) => Fields::of_value("`terms`", terms)?,
            None => Fields::new("`terms`", Group::new()),
        };
        let (terms, agreed) = read_terms(terms, kind)?;
        let start = fields.parsed("start", "a date and time as in RFC 3339", |text| {
            chrono::DateTime::parse_from_rfc3339(text).ok().map(|_| text.to_owned())
        })?;
        let id = fields.text("id")?;
        let tags = tags(&mut fields)?;
        fields.finish()?;
        let agreement = Agreement::new(kind, players, white, terms, agreed);
        Ok(Self { kind, agreement, start, id, tags, written })
    }

    /// The value of a term in the header; `None` if the header does not contain this term.
    pub fn term(&self, name: &str) -> Option<Datum> {
        self.written.get("terms")?.get(name).cloned().map(json::datum_of)
    }

    /// The header as one line of JSON.
    pub fn line(&self) -> String {
        self.written.to_string()
    }

    /// Sets an extension field, whose name must begin with `x-`. Other names are reserved for the fields of the record.
    pub fn set_extension(&mut self, name: &str, value: impl Into<Datum>) {
        debug_assert!(name.starts_with("x-"), "`{name}` is no extension field");
        if let Value::Object(members) = &mut self.written {
            members.insert(name.to_owned(), json::value_of(value.into()));
        }
    }

    /// The value of an extension field; `None` if the header does not have it.
    pub fn extension(&self, name: &str) -> Option<Datum> {
        self.written.get(name).filter(|_| name.starts_with("x-")).cloned().map(json::datum_of)
    }

    /// Says in the header that the table has no key to sign with.
    pub fn mark_unsigned(&mut self) {
        self.set_extension(UNSIGNED, true);
    }

    /// Whether the table had no key to sign with when the match began.
    pub fn is_unsigned(&self) -> bool {
        self.written.get(UNSIGNED).is_some_and(|said| *said != Value::Bool(false))
    }

    /// Builds the JSON of a header. A `start` or `id` of `None` is left out.
    pub fn compose(
        game: &str,
        players: &BySeat<String>,
        white: Seat,
        terms: &Group,
        start: Option<&str>,
        id: Option<&str>,
    ) -> Value {
        let mut header = json!({
            "tabiya": VERSION,
            "game": game,
            "players": {"A": players.a, "B": players.b},
            "white": white.word(),
            "terms": terms,
        });
        if let Value::Object(map) = &mut header {
            for (name, value) in [("start", start), ("id", id)] {
                if let Some(value) = value {
                    map.insert(name.to_owned(), value.into());
                }
            }
        }
        header
    }
}

/// Removes the extension fields, whose names begin with `x-`, and returns them.
pub(super) fn take_own_fields(line: &mut Value) -> Map<String, Value> {
    let Value::Object(fields) = line else { return Map::new() };
    let (own, read) = std::mem::take(fields).into_iter().partition(|(name, _)| name.starts_with("x-"));
    *fields = read;
    own
}

fn seat(word: &str) -> Option<Seat> {
    Seat::ALL.into_iter().find(|seat| seat.word() == word)
}

fn players(fields: &mut Fields) -> Result<BySeat<String>, FormError> {
    let players = fields.take("players").ok_or_else(|| fields.missing("players"))?;
    let mut players = Fields::of_value("`players`", players)?;
    let mut name = |seat: &str| players.text(seat)?.ok_or_else(|| players.missing(seat));
    let names = BySeat { a: name("A")?, b: name("B")? };
    players.finish()?;
    Ok(names)
}

fn tags(fields: &mut Fields) -> Result<Vec<(String, String)>, FormError> {
    match fields.take("tags") {
        None => Ok(Vec::new()),
        Some(Datum::Group(tags)) => tags
            .into_iter()
            .map(|(name, value)| match value {
                Datum::Text(text) => Ok((name, text)),
                _ => Err(FormError(format!("the value of the tag `{name}` must be text"))),
            })
            .collect(),
        Some(_) => Err(fields.wrong("tags", "an object of texts")),
    }
}

fn read_terms(
    mut fields: Fields,
    kind: &'static dyn GameKind,
) -> Result<(Terms, std::sync::Arc<dyn crate::rules::Agreed>), FormError> {
    let usual = Terms::default();
    let number = |fields: &mut Fields, name: &str| fields.number(name, LONGEST);
    let terms = Terms {
        time: time_term(&mut fields)?.unwrap_or(usual.time),
        first_increment: fields.flag("first_increment")?.unwrap_or(usual.first_increment),
        clock: fields.need_or("clock", "`tabiya` or `device`", usual.clock, |word| match word {
            "tabiya" => Some(ClockSource::Tabiya),
            "device" => Some(ClockSource::Device),
            _ => None,
        })?,
        press: fields.need_or("press", "`clock` or `auto`", usual.press, |word| match word {
            "clock" => Some(PressMode::Clock),
            "auto" => Some(PressMode::Auto),
            _ => None,
        })?,
        settle: number(&mut fields, "settle_ms")?.map_or(usual.settle, Millis),
        voice: fields.need_or("voice", "`casual` or `event`", usual.voice, |word| match word {
            "casual" => Some(Voice::Casual),
            "event" => Some(Voice::Event),
            _ => None,
        })?,
        freeze: fields.flag("freeze")?.unwrap_or(usual.freeze),
        penalty: number(&mut fields, "penalty_ms")?.map_or(usual.penalty, Millis),
        bet_time: fields.number_from("bet_ms", 1, LONGEST)?.map(Millis),
        default_time: number(&mut fields, "default_s")?.map(|seconds| Millis(seconds.saturating_mul(1000))),
        games: fields
            .number_from("games", 1, 1_000_000)?
            .map(|games| u32::try_from(games).unwrap_or(u32::MAX)),
        draw_wins: fields
            .text("draw_wins")?
            .map(|word| {
                Color::from_word(&word).ok_or_else(|| fields.wrong("draw_wins", "`white` or `black`"))
            })
            .transpose()?,
        sets: sets(&mut fields)?,
        preset: fields.text("preset")?,
    };
    for name in kind.required_terms() {
        if !fields.names().any(|field| field == *name) {
            return Err(fields.missing(name));
        }
    }
    let agreed = kind.agree(&mut fields)?;
    for name in LISTED_TERMS {
        fields.take(name);
    }
    fields.finish()?;
    Ok((terms, agreed))
}

/// Takes the field `time`: the time controls of both players, of each seat or of each colour.
pub(super) fn time_term(fields: &mut Fields) -> Result<Option<TimeTerm>, FormError> {
    let read =
        |text: &str| text.parse::<TimeControl>().map_err(|error| FormError(format!("`time`: {error}")));
    let term = match fields.take("time") {
        None => return Ok(None),
        Some(Datum::Text(text)) => TimeTerm::Both(read(&text)?),
        Some(Datum::Group(map)) => {
            let by_seat = map.has("A") || map.has("B");
            let mut sides = Fields::new("`time`", map);
            let mut side = |name: &str| {
                let text = sides.text(name)?.ok_or_else(|| sides.missing(name))?;
                read(&text)
            };
            let term = if by_seat {
                TimeTerm::Seats(BySeat { a: side("A")?, b: side("B")? })
            } else {
                TimeTerm::Colors(ByColor { white: side("white")?, black: side("black")? })
            };
            sides.finish()?;
            term
        }
        Some(_) => return Err(fields.wrong("time", "a text, or texts by `A` and `B` or `white` and `black`")),
    };
    let half_a_glass = match &term {
        TimeTerm::Both(_) => false,
        TimeTerm::Seats(BySeat { a, b }) => a.is_hourglass() != b.is_hourglass(),
        TimeTerm::Colors(ByColor { white, black }) => white.is_hourglass() != black.is_hourglass(),
    };
    if half_a_glass {
        return Err(FormError::new(
            "`time`: an hourglass needs both sides, because each gains the time that the other uses; give both `*` and seconds",
        ));
    }
    Ok(Some(term))
}

fn sets(fields: &mut Fields) -> Result<Option<ByColor<String>>, FormError> {
    let Some(sets) = fields.take("sets") else { return Ok(None) };
    let mut sets = Fields::of_value("`sets`", sets)?;
    let mut set = |color: &str| {
        sets.need(color, "piece letters out of K Q R B N P", |letters| {
            letters.chars().all(|letter| Role::from_letter(letter).is_some()).then(|| letters.to_owned())
        })
    };
    let pair = ByColor { white: set("white")?, black: set("black")? };
    sets.finish()?;
    Ok(Some(pair))
}

/// Whether this game reads the term with this name. It passes over others, so they may contain anything.
pub(super) fn is_read(name: &str, kind: &dyn GameKind) -> bool {
    COMMON_TERMS.contains(&name) || kind.has_term(name)
}

/// The names of the terms that every game has, followed by the special terms of each of `games`.
pub fn term_names(games: Games) -> Vec<&'static str> {
    let mut names = COMMON_TERMS.to_vec();
    names.extend(games.iter().flat_map(|game| game.terms()).map(|term| term.name));
    names
}
