//! Laws that hold for any game of PokerDrez: random games, with undo, rulings and lines that are refused.
//! `TABIYA_CASES=2000` tries more games than usual.

use proptest::prelude::*;
use serde_json::{Value, json};
use tabiya_engine::record::Replay;
use tabiya_engine::rules::GAMES;

use crate::support::random::drez::LETTERS;
use crate::support::random::{Style, session};

fn cases() -> ProptestConfig {
    let cases = std::env::var("TABIYA_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn letters(game: &Value, pointer: &str) -> String {
    game.pointer(pointer).and_then(Value::as_str).expect("letters").to_owned()
}

/// Whether letters stand in the order of the results.
fn in_order(text: &str) -> bool {
    let place = |letter: char| "JQRBNPX?".find(letter).expect("a letter of a card");
    text.chars().zip(text.chars().skip(1)).all(|(one, next)| place(one) <= place(next))
}

/// The number of cards that somebody sees or holds, and how often each letter is seen.
fn check(header: &Value, game: &Value) -> Result<(), TestCaseError> {
    let decks = header["terms"]["decks"].as_u64().unwrap_or(1);
    let places = ["/common", "/used", "/own/white", "/own/black"].map(|place| letters(game, place));
    prop_assert!(places.iter().all(|text| in_order(text)), "{:?}", places);
    let whole = places.concat();
    for letter in LETTERS {
        let most = decks * if letter == "X" { 2 } else { 9 };
        prop_assert!(whole.matches(letter).count() as u64 <= most, "{} in {}", letter, whole);
    }
    let dealt = !game["start_fen"].is_null();
    prop_assert_eq!(dealt, !places[0].is_empty());
    let moves = game["moves"].as_array().expect("a list").len();
    prop_assert_eq!(game["cards"].as_array().expect("a list").len(), moves);
    Ok(())
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn no_card_is_made_or_lost(seed: u64, steps in 1..400_usize) {
        let (lines, replay) = session(seed, steps, "pokerdrez", Style { undo: true, ..Style::PLAIN });
        let header: Value = serde_json::from_str(&lines[0]).expect("a header");
        let decks = header["terms"]["decks"].as_u64().unwrap_or(1);
        for game in replay.report()["games"].as_array().expect("games") {
            check(&header, game)?;
            let places = ["/common", "/used", "/own/white", "/own/black"].map(|place| letters(game, place));
            let stock = game["stock"].as_u64().expect("a number");
            prop_assert_eq!(places.concat().len() as u64 + stock, 56 * decks, "seed {}", seed);
        }
    }

    #[test]
    fn no_letter_is_seen_more_often_than_there_are(seed: u64, steps in 1..400_usize) {
        let (lines, replay) = session(seed, steps, "pokerdrez", Style::ALL);
        let header: Value = serde_json::from_str(&lines[0]).expect("a header");
        for game in replay.report()["games"].as_array().expect("games") {
            check(&header, game)?;
        }
    }

    /// The moves of a game are legal in chess from its start position, and those with a card or a throw use a piece
    /// that it wakes.
    #[test]
    fn each_move_is_one_that_its_card_wakes(seed: u64, steps in 1..300_usize) {
        let (_, replay) = session(seed, steps, "pokerdrez", Style { undo: true, ..Style::PLAIN });
        for game in replay.report()["games"].as_array().expect("games") {
            let Some(fen) = game["start_fen"].as_str() else { continue };
            let header = json!({"tabiya": 1, "game": "chess", "players": {"A": "a", "B": "b"}, "white": "A",
                "terms": {"fen": fen, "voice": "event"}}).to_string();
            let mut chess = Replay::begin(&header, GAMES).expect("a header");
            let moves = game["moves"].as_array().expect("moves").iter();
            let with = game["cards"].as_array().expect("cards").iter();
            for ((number, (uci, with)), by) in (2..).zip(moves.zip(with)).zip(["white", "black"].into_iter().cycle()) {
                let board = chess.table().board();
                let uci = uci.as_str().expect("a move");
                let square = |text: &str| text.parse().expect("a square");
                let piece = board[square(&uci[..2])].expect("a piece");
                let castles = piece.role.letter() == 'K' && uci[..1].cmp(&uci[2..3]) as i8 != 0
                    && (uci.as_bytes()[0].abs_diff(uci.as_bytes()[2])) == 2;
                let moved = if castles { 'R' } else { piece.role.letter() };
                let letter = match with.as_str().expect("a text") {
                    "none" => None,
                    with if with.starts_with("die:") => "0PNBRQJ".chars().nth(with[4..].parse().expect("pips")),
                    with => with.chars().last(),
                };
                if let Some(letter) = letter {
                    let has = board.pieces().any(|(_, own)| own.color == piece.color && own.role.letter() == letter);
                    let woken = moved == 'K' || letter == 'J' || letter == moved || (letter != 'X' && !has);
                    prop_assert!(woken, "seed {}: {} with {}", seed, uci, letter);
                }
                let line = json!({"t": 0, "do": "move", "by": by, "uci": uci}).to_string();
                prop_assert!(chess.feed(number, &line).is_ok(), "seed {}: {}", seed, uci);
            }
        }
    }

    /// What a reader told changes neither what is legal nor the results.
    #[test]
    fn told_faces_decide_nothing(seed: u64, steps in 1..200_usize) {
        let (lines, replay) = session(seed, steps, "pokerdrez", Style::ALL);
        let blind: Vec<String> = lines
            .iter()
            .map(|line| {
                let mut line: Value = serde_json::from_str(line).expect("JSON");
                for color in ["white", "black"] {
                    let cards = line.get_mut("cards").and_then(|cards| cards.get_mut(color));
                    for card in cards.and_then(Value::as_array_mut).into_iter().flatten() {
                        *card = "?".into();
                    }
                }
                line.to_string()
            })
            .collect();
        let mut again = Replay::begin(&blind[0], GAMES).expect("a header");
        for (number, line) in (2..).zip(&blind[1..]) {
            drop(again.feed(number, line));
        }
        prop_assert_eq!(again.report(), replay.report(), "seed {}", seed);
    }
}

/// Random games reach what they have to try: an empty stock, owed cards, exchanges, shown cards, raises.
#[test]
fn random_games_reach_every_part_of_the_game() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let (lines, replay) = session(seed, 300, "pokerdrez", Style { undo: true, ..Style::PLAIN });
        for line in &lines[1..] {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let from = line["from"].as_str().unwrap_or_default();
            let with = line["with"].as_str().unwrap_or_default();
            seen.insert(format!("{} {from} {with}", line["do"].as_str().expect("a word")).trim().to_owned());
        }
        if replay.report()["games"].as_array().expect("games").iter().any(|game| game["stock"] == 0) {
            seen.insert("empty stock".to_owned());
        }
    }
    for wanted in [
        "remove",
        "deal",
        "reveal own",
        "reveal common",
        "return",
        "roll",
        "swap own stock",
        "swap own common",
        "swap own opponent",
        "swap common stock",
        "swap common opponent",
        "show",
        "bet",
        "empty stock",
    ] {
        assert!(seen.contains(wanted), "{wanted} is not in {seen:?}");
    }
}
