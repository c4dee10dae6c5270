//! What of a record may be shown: hidden cards become `?`, and the chain of hashes still holds.
//!
//! Source: record, "Secrets". A card that was never shown stays hidden until the match is over and
//! both seats have sent `consent`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::chain::{self, Head, ShownCards};
use super::replay::Replay;
use crate::rules::{Color, Seat};

/// A match as it may be shown to anybody.
#[derive(Clone, Debug)]
pub struct Exported {
    lines: Vec<Value>,
}

impl Exported {
    /// The lines of a replayed match, the header first, with hidden cards taken out and hashes put in.
    pub fn new(replay: &Replay, lines: Vec<Value>) -> Self {
        let table = replay.table();
        let open = table.match_over() && Seat::ALL.into_iter().all(|seat| table.consented(seat));
        let mut shown = Shown::of(&lines);
        let mut head: Option<Head> = None;
        let lines = lines
            .into_iter()
            .enumerate()
            .map(|(index, line)| {
                let public = if open || index == 0 {
                    line
                } else {
                    chain::redact(&line, &shown.cards_of(index, &line))
                };
                let next = match head {
                    None => Head::of_header(&public),
                    Some(before) => before.then(&public),
                };
                head = Some(next);
                if index == 0 { public } else { chain::with_hash(public, next) }
            })
            .collect();
        Self { lines }
    }

    /// JSON Lines.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&line.to_string());
            text.push('\n');
        }
        text
    }
}

/// Which faces each colour turned over in the game that a line belongs to.
#[derive(Clone, Debug)]
struct Shown {
    /// For each line: its game's number.
    games: Vec<usize>,
    /// For each game: the faces turned over and not yet matched with a dealt card.
    faces: Vec<[Vec<String>; 2]>,
}

impl Shown {
    fn of(lines: &[Value]) -> Self {
        let mut shown =
            Self { games: Vec::with_capacity(lines.len()), faces: vec![<[Vec<String>; 2]>::default()] };
        let mut fouled = false;
        for line in lines {
            let verb = line.get("do").and_then(Value::as_str).unwrap_or_default();
            if verb == "next" || (verb == "deal" && fouled) {
                shown.faces.push(<[Vec<String>; 2]>::default());
            }
            fouled = verb == "fouled" || (fouled && verb != "deal");
            shown.games.push(shown.faces.len() - 1);
            let by = line.get("by").and_then(Value::as_str).and_then(Color::from_word);
            let card = line.get("card").and_then(Value::as_str);
            if let ("reveal", Some(by), Some(card), Some(faces)) = (verb, by, card, shown.faces.last_mut()) {
                faces[usize::from(by == Color::Black)].push(card.to_owned());
            }
        }
        shown
    }

    /// The places of a deal's cards that were shown later. Of equal cards the first dealt count.
    fn cards_of(&mut self, index: usize, line: &Value) -> ShownCards {
        let mut cards = ShownCards { white: BTreeSet::new(), black: BTreeSet::new() };
        let Some(dealt) = line.get("cards") else { return cards };
        let Some(faces) = self.games.get(index).and_then(|game| self.faces.get_mut(*game)) else {
            return cards;
        };
        for color in Color::ALL {
            let Some(list) = dealt.get(color.word()).and_then(Value::as_array) else { continue };
            let faces = &mut faces[usize::from(color == Color::Black)];
            let places = match color {
                Color::White => &mut cards.white,
                Color::Black => &mut cards.black,
            };
            for (place, card) in list.iter().enumerate() {
                let face = faces.iter().position(|face| Some(face.as_str()) == card.as_str());
                if let Some(nth) = face {
                    faces.swap_remove(nth);
                    places.insert(place);
                }
            }
        }
        cards
    }
}
