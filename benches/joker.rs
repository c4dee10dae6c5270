//! Measures how long the test for check, mate and stalemate takes with two written cards, and how long it takes to find
//! the uses of a card that lead to a board.
//!
//! Goal: 99 in 100 tests within 2 ms, over all cards of the example files in 1,000 random positions. The worst one is
//! printed. A use of two steps is found from its board in well under a millisecond.
#![expect(clippy::print_stdout, reason = "this program tells what it measured")]
#![expect(clippy::disallowed_methods, reason = "this program measures time")]

#[path = "../tests/support/random.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests; each program uses a part of it")]
mod random;

use std::hint::black_box;
use std::time::{Duration, Instant};

use random::Chance;
use serde_json::{Value, json};
use tabiya_engine::record::Replay;
use tabiya_engine::record::card_file::{CardFile, CardFileForm};
use tabiya_engine::rules::GAMES;

const PRINTED: &str = include_str!("../fixtures/chess-joker/cards/printed.toml");
const INVENTED: &str = include_str!("../fixtures/chess-joker/cards/invented.json");
const POSITIONS: usize = 1_000;

/// The fields of all cards of the example files.
fn cards() -> Vec<Value> {
    let mut cards = CardFile::read(CardFileForm::Toml, PRINTED).expect("the printed cards").cards;
    cards.extend(CardFile::read(CardFileForm::Json, INVENTED).expect("the invented cards").cards);
    let fields = |nth: usize, effect: &str| {
        let letter = |number: usize| char::from(b'A' + u8::try_from(number).expect("few cards"));
        json!({"card": format!("{}{}", letter(nth / 26), letter(nth % 26)), "elo": 25, "effect": effect})
    };
    let effects = cards.iter().filter_map(|owned| owned.card.effect.clone());
    effects.enumerate().map(|(nth, effect)| fields(nth, effect.words())).collect()
}

/// A position after some random moves from the usual one.
fn position(chance: &mut Chance) -> Replay {
    let header = json!({"tabiya": 1, "game": "chess-joker", "players": {"A": "A", "B": "B"}, "white": "A", "terms": {"deck": 1000}});
    let mut replay = Replay::begin(&header.to_string(), GAMES).expect("a header");
    for _ in 0..4 + chance.below(120) {
        let legal = replay.report()["legal"].as_array().expect("a list").clone();
        let moves: Vec<&Value> = legal
            .iter()
            .filter(|line| ["move", "draw"].contains(&line["do"].as_str().unwrap_or("")))
            .collect();
        if moves.is_empty() {
            break;
        }
        let mut line = (*chance.pick(&moves)).clone();
        line["t"] = 0.into();
        if line["do"] == "draw" {
            line["card"] = "?".into();
        }
        let before = replay.clone();
        replay.feed(2, &line.to_string()).expect("it was legal");
        if replay.table().game().outcome().is_some() {
            return before;
        }
    }
    replay
}

fn main() {
    let (mut chance, cards) = (Chance::new(1), cards());
    let positions: Vec<Replay> = (0..POSITIONS).map(|_| position(&mut chance)).collect();
    let mut times: Vec<(Duration, String)> = Vec::new();
    for (nth, own) in cards.iter().enumerate() {
        for (at, replay) in positions.iter().enumerate() {
            let enemy = &cards[(nth + 1 + at) % cards.len()];
            let enemy = if enemy == own { &cards[(nth + 2 + at) % cards.len()] } else { enemy };
            let set = json!({"to_act": "white", "cards": {"white": own, "black": enemy}});
            let ruling =
                json!({"t": 0, "do": "rule", "by": "arbiter", "reason": "?", "set": set}).to_string();
            let mut then = replay.clone();
            let begun = Instant::now();
            let _ = black_box(then.feed(3, &ruling));
            times.push((
                begun.elapsed(),
                format!("{} `{}` against `{}`", then.table().board(), own["effect"], enemy["effect"]),
            ));
        }
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 1000].0;
    println!(
        "check, mate and stalemate with two written cards: {} tests, median {:?}, p99 {:?}, p99.9 {:?}, worst {:?}",
        times.len(),
        at(500),
        at(990),
        at(999),
        at(1000)
    );
    println!("worst: {}", times.last().map_or("", |(_, what)| what));
    assert!(at(990) < Duration::from_millis(2), "99 in 100 tests have to take less than 2 ms");
}
