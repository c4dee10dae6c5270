//! Poker Chess: its rules by their numbers, its lines in the record, and laws that hold for any game.

mod laws;
mod lines;
mod reference;
mod rules;
mod telling;
mod understood;

use serde_json::Value;

use crate::support::{Run, play};

/// Plays a game of Poker Chess in which every line must be accepted.
#[track_caller]
fn game(terms: &str, script: &str) -> Run {
    play(&format!("poker-chess, {terms}"), script)
}

/// A ruling that sets this position.
fn set(fen: &str) -> String {
    format!(r#"rule {{"fen":"{}"}}"#, fen.replace(' ', "\\u0020"))
}

/// The hand of one side in a turn: the cards, the name and the squares.
#[track_caller]
fn hand(run: &Run, turn: u32, side: &str) -> String {
    let hand = run.get(&format!("/games/0/hands/{turn}/{side}"));
    let squares: Vec<&str> =
        hand["squares"].as_array().unwrap().iter().map(|square| square.as_str().unwrap()).collect();
    format!("{} {} {}", hand["cards"].as_str().unwrap(), hand["name"].as_str().unwrap(), squares.join(" "))
        .trim()
        .to_owned()
}

/// The cards of both hands of a turn, and who won it: `AATTK AATTK -`.
#[track_caller]
fn turn(run: &Run, turn: u32) -> String {
    let hands = run.get(&format!("/games/0/hands/{turn}"));
    let cards = |side: &str| hands[side]["cards"].as_str().unwrap().to_owned();
    format!("{} {} {}", cards("white"), cards("black"), hands["winner"].as_str().unwrap_or("-"))
}

/// The numbers of the turns that have a hand.
fn turns(run: &Run) -> Vec<String> {
    run.get("/games/0/hands").as_object().unwrap().keys().cloned().collect()
}

/// The score as `A B`.
fn score(run: &Run) -> (u64, u64) {
    let of = |seat: &str| run.get(&format!("/games/0/score/{seat}")).as_u64().unwrap();
    (of("A"), of("B"))
}

/// How the chess ended; empty if it goes on or ended otherwise.
fn ended_by(run: &Run) -> String {
    match run.get("/games/0/ended_by") {
        Value::Null => String::new(),
        word => word.as_str().unwrap().to_owned(),
    }
}

/// Both players move a knight out and back.
const ROUND: &str = "white g1f3; black g8f6; white f3g1; black f6g8";
