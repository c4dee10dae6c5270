//! What of a record may be shown: hidden cards become `?`, and the chain of hashes still holds.
//!
//! Source: record, "Secrets". A card that was never shown stays hidden until the match is over and
//! both seats have sent `consent`. What was shown follows from the inputs that count: a card turned
//! over by a slip of the keyboard and taken back shows nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::chain::{self, Head, ShownCards};
use super::replay::Replay;
use crate::rules::{Color, Seat};
use crate::table::{Common, Input, Table};

/// A match as it may be shown to anybody.
#[derive(Clone, Debug)]
pub struct Exported {
    lines: Vec<Value>,
}

impl Exported {
    /// The lines of a replayed match with their numbers in the record, the header first: hidden
    /// cards taken out and hashes put in.
    pub fn new(replay: &Replay, lines: Vec<(u32, Value)>) -> Self {
        let table = replay.table();
        let open = table.match_over() && Seat::ALL.into_iter().all(|seat| table.consented(seat));
        let shown = shown(table);
        let nothing = ShownCards::default();
        let mut head: Option<Head> = None;
        let lines = lines
            .into_iter()
            .map(|(number, line)| {
                let Some(before) = head else {
                    head = Some(Head::of_header(&line));
                    return line;
                };
                let public =
                    if open { line } else { chain::redact(&line, shown.get(&number).unwrap_or(&nothing)) };
                let next = before.then(&public);
                head = Some(next);
                chain::with_hash(public, next)
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

/// The faces dealt on a line, per colour, in their order.
type Faces = [Vec<String>; 2];

/// For each `deal` line that counts, the places of its cards that were shown later. Of equal cards
/// the first dealt count as shown.
fn shown(table: &Table) -> BTreeMap<u32, ShownCards> {
    let mut games: Vec<(Vec<(u32, Faces)>, Faces)> = vec![Default::default()];
    let mut fouled = false;
    for (line, input) in table.counted() {
        match input {
            Input::Common(Common::Next(_)) => games.push(Default::default()),
            Input::Common(_) => {}
            Input::Game(action) => {
                if fouled && action.verb() == "deal" {
                    games.push(Default::default());
                }
                fouled = action.verb() == "fouled";
                let mut fields = serde_json::Map::new();
                action.fields(&mut fields);
                let Some((deals, faces)) = games.last_mut() else { continue };
                if let Some(cards) = fields.get("cards") {
                    deals.push((line, Color::ALL.map(|color| letters(cards.get(color.word())))));
                } else if let ("reveal", Some(by), Some(card)) =
                    (action.verb(), action.by(), fields.get("card").and_then(Value::as_str))
                {
                    faces[usize::from(by == Color::Black)].push(card.to_owned());
                }
            }
        }
    }
    games.into_iter().flat_map(|(deals, faces)| places(deals, faces)).collect()
}

fn letters(list: Option<&Value>) -> Vec<String> {
    let cards = list.and_then(Value::as_array).into_iter().flatten();
    cards.map(|card| card.as_str().unwrap_or_default().to_owned()).collect()
}

fn places(deals: Vec<(u32, Faces)>, mut faces: Faces) -> Vec<(u32, ShownCards)> {
    let mut found = |dealt: &[String], color: usize| -> BTreeSet<usize> {
        let mut places = BTreeSet::new();
        for (place, card) in dealt.iter().enumerate() {
            if let Some(nth) = faces[color].iter().position(|face| face == card) {
                faces[color].swap_remove(nth);
                places.insert(place);
            }
        }
        places
    };
    deals
        .into_iter()
        .map(|(line, [white, black])| (line, ShownCards { white: found(&white, 0), black: found(&black, 1) }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GAMES;

    const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":9,"B":9},"small_blind":1}}"#;

    /// Exports a game in which White was dealt R R Q Q P, with these lines after the betting.
    fn exported(after: &[&str]) -> String {
        let mut lines: Vec<String> = vec![
            HEADER.to_owned(),
            r#"{"t":0,"do":"deal","cards":{"white":["R","R"]}}"#.to_owned(),
            r#"{"t":0,"do":"bet","by":"white","action":"all-in"}"#.to_owned(),
            r#"{"t":0,"do":"bet","by":"black","action":"call"}"#.to_owned(),
            r#"{"t":0,"do":"deal","cards":{"white":["Q","Q"]}}"#.to_owned(),
            r#"{"t":0,"do":"deal","cards":{"white":["P"]}}"#.to_owned(),
        ];
        lines.extend(after.iter().map(|line| (*line).to_owned()));
        let mut replay = Replay::begin(HEADER, GAMES).expect("a header");
        for (line, number) in lines.iter().zip(1..).skip(1) {
            replay.feed(number, line).unwrap_or_else(|stop| panic!("line {number}: {stop}"));
        }
        let values =
            lines.iter().zip(1..).map(|(line, number)| (number, line.parse().expect("JSON"))).collect();
        Exported::new(&replay, values).to_text()
    }

    #[test]
    fn a_card_that_was_never_shown_leaves_the_house_as_a_question_mark() {
        let text = exported(&[]);
        assert!(text.contains(r#""cards":{"white":["?","?"]}"#), "{text}");
        assert!(!text.contains('Q'), "{text}");
    }

    #[test]
    fn a_reveal_that_was_taken_back_shows_one_card_and_not_two() {
        let reveal = r#"{"t":1,"do":"reveal","by":"white","card":"R","id":"a"}"#;
        let again = r#"{"t":1,"do":"reveal","by":"white","card":"R"}"#;
        let text = exported(&[reveal, reveal, r#"{"t":1,"do":"undo"}"#, again]);
        assert!(text.contains(r#""cards":{"white":["R","?"]}"#), "{text}");
    }

    #[test]
    fn cards_lie_open_once_the_match_is_over_and_both_agree() {
        let end = r#"{"t":1,"do":"resign","by":"white"}"#;
        let (one, other) =
            (r#"{"t":2,"do":"consent","by":"white"}"#, r#"{"t":3,"do":"consent","by":"black"}"#);
        assert!(exported(&[end, one]).contains(r#"["?","?"]"#));
        let text = exported(&[end, one, other]);
        assert!(text.contains(r#"["R","R"]"#) && text.contains(r#"["Q","Q"]"#), "{text}");
    }
}
