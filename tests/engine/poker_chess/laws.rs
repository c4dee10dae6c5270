//! Laws that hold for any game of Poker Chess: random games against the second implementation of the hands
//! (`reference.rs`), with named, listed and random deals. `TABIYA_CASES=2000` tries more games than usual.

use proptest::prelude::*;
use serde_json::{Value, json};
use tabiya_engine::record::Replay;
use tabiya_engine::rules::GAMES;
use tabiya_types::{Board, Color};

use super::reference;
use crate::support::random::{Style, session};

fn cases() -> ProptestConfig {
    let cases = std::env::var("TABIYA_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// The boards after each move of Black's in a game of chess with these moves.
fn boards(moves: &[Value]) -> Vec<Board> {
    let header =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"voice":"event"}}"#;
    let mut replay = Replay::begin(header, GAMES).expect("a header");
    let mut boards = Vec::new();
    for ((number, uci), by) in (2..).zip(moves).zip(["white", "black"].into_iter().cycle()) {
        let line = json!({"t": 0, "do": "move", "by": by, "uci": uci}).to_string();
        replay.feed(number, &line).expect("a move that was legal");
        if by == "black" {
            boards.push(replay.table().board());
        }
    }
    boards
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn the_hands_and_the_score_are_those_of_the_reference(seed: u64, steps in 1..400_usize) {
        let (lines, replay) = session(seed, steps, "poker-chess", Style { undo: true, ..Style::PLAIN });
        let header: Value = serde_json::from_str(&lines[0]).expect("a header");
        let terms = &header["terms"];
        let report = replay.report();
        for game in report["games"].as_array().expect("games") {
            let map = reference::map(&game["deal"]);
            let boards = boards(game["moves"].as_array().expect("moves"));
            let white = game["white"].as_str().expect("a seat");
            let black = if white == "A" { "B" } else { "A" };
            let hands = game["hands"].as_object().expect("hands");
            let mate = game["ended_by"] == "checkmate";
            let mated_by_black = mate && game["moves"].as_array().expect("moves").len() % 2 == 0;
            let mut points = (0, 0);
            for (nth, board) in boards.iter().enumerate() {
                let Some(hand) = hands.get(&(nth + 1).to_string()) else {
                    let last = nth + 1 == boards.len();
                    prop_assert!(last && (mated_by_black || terms["choice"] == "player"), "seed {}: {}", seed, nth);
                    continue;
                };
                let (ours, worth) = reference::best(&map, board, Color::White);
                let (theirs, other) = reference::best(&map, board, Color::Black);
                if terms["choice"] == "best" {
                    prop_assert_eq!(&hand["white"], &ours, "seed {}, {}", seed, board);
                    prop_assert_eq!(&hand["black"], &theirs, "seed {}, {}", seed, board);
                    let winner = match worth.cmp(&other) {
                        std::cmp::Ordering::Greater => json!(white),
                        std::cmp::Ordering::Less => json!(black),
                        std::cmp::Ordering::Equal => Value::Null,
                    };
                    prop_assert_eq!(&hand["winner"], &winner, "seed {}, {}", seed, board);
                }
                points.0 += u64::from(hand["winner"] == white);
                points.1 += u64::from(hand["winner"] == black);
                let lead = i64::try_from(points.0).expect("few") - i64::try_from(points.1).expect("few");
                let limit = terms["wipeout"].as_i64().expect("a number");
                if lead.abs() >= limit {
                    prop_assert_eq!(nth + 1, boards.len(), "seed {}", seed);
                    prop_assert_eq!(&game["outcome"]["reason"], "wipeout");
                    prop_assert_eq!(&game["outcome"]["winner"], if lead > 0 { white } else { black });
                }
            }
            if mate {
                let bonus = terms["mate_bonus"].as_u64().expect("a number");
                points.0 += if mated_by_black { 0 } else { bonus };
                points.1 += if mated_by_black { bonus } else { 0 };
            }
            prop_assert_eq!(&game["score"], &json!({white: points.0, black: points.1}), "seed {}", seed);
            if game["outcome"]["reason"] == "hands" {
                let winner = match points.0.cmp(&points.1) {
                    std::cmp::Ordering::Greater => json!(white),
                    std::cmp::Ordering::Less => json!(black),
                    std::cmp::Ordering::Equal => Value::Null,
                };
                prop_assert_eq!(&game["outcome"]["winner"], &winner);
            }
        }
    }

    #[test]
    fn what_may_be_chosen_are_the_sets_of_the_reference(seed: u64, steps in 3..120_usize) {
        let (_, replay) = session(seed, steps, "poker-chess", Style::ALL);
        let board = replay.table().board();
        for line in replay.report()["legal"].as_array().expect("a list") {
            if line["do"] != "choose" {
                continue;
            }
            let by = if line["by"] == "white" { Color::White } else { Color::Black };
            let sets = reference::sets(&board, by);
            let mut listed = crate::support::random::sets_of(line);
            listed.sort();
            let wanted: Vec<Vec<String>> = sets
                .iter()
                .map(|set| set.iter().map(ToString::to_string).collect())
                .map(|mut set: Vec<String>| {
                    set.sort();
                    set
                })
                .collect();
            let mut wanted = wanted;
            wanted.sort();
            prop_assert_eq!(listed, wanted, "seed {}, {}", seed, board);
        }
    }
}
