//! PokerDrez: its rules by their numbers, its lines in the record, and laws that hold for any game.

mod laws;
mod lines;
mod rules;
mod understood;

use serde_json::Value;

use crate::support::{Run, play, try_play};

/// The deal of most tests.
const DEAL: &str = "deal common:BNPPX";

/// Plays a game of PokerDrez from the deal of these tests; every line must be accepted.
#[track_caller]
fn game(terms: &str, script: &str) -> Run {
    play(&format!("pokerdrez, {terms}"), &format!("{DEAL}; {script}"))
}

/// The same, but skips lines that are refused.
#[track_caller]
fn try_game(terms: &str, script: &str) -> Run {
    try_play(&format!("pokerdrez, {terms}"), &format!("{DEAL}; {script}"))
}

/// The rules that these lines after the deal break.
#[track_caller]
fn refused(terms: &str, script: &str) -> Vec<&'static str> {
    try_game(terms, script).rules()
}

/// A ruling that sets this position.
fn set(fen: &str) -> String {
    format!(r#"rule {{"fen":"{}"}}"#, fen.replace(' ', "\\u0020"))
}

/// A text of the last game's results.
#[track_caller]
fn text(run: &Run, key: &str) -> String {
    run.get(&format!("/games/{}/{key}", last(run))).as_str().unwrap().to_owned()
}

/// Any value of the last game's results.
#[track_caller]
fn value(run: &Run, key: &str) -> Value {
    run.get(&format!("/games/{}/{key}", last(run)))
}

fn last(run: &Run) -> usize {
    run.get("/games").as_array().unwrap().len() - 1
}

/// Row, used cards, White's and Black's own cards, the stock and the die: `BNPPX - ?? ?? 47 black`.
#[track_caller]
fn cards(run: &Run) -> String {
    let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    format!(
        "{} {} {} {} {} {}",
        or_dash(text(run, "common")),
        or_dash(text(run, "used")),
        or_dash(text(run, "own/white")),
        or_dash(text(run, "own/black")),
        value(run, "stock"),
        text(run, "die")
    )
}

/// What each move was made with.
#[track_caller]
fn made_with(run: &Run) -> String {
    let list = value(run, "cards");
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

/// The legal lines of this kind, as compact JSON without `do` and `by`.
#[track_caller]
fn legal(run: &Run, word: &str, by: &str) -> Vec<String> {
    let report = run.report();
    let list = report["legal"].as_array().unwrap().iter();
    let these = list.filter(|line| line["do"] == word && line.get("by").is_none_or(|who| who == by));
    these
        .map(|line| {
            let mut line = line.clone();
            let fields = line.as_object_mut().unwrap();
            fields.retain(|name, _| name != "do" && name != "by");
            line.to_string()
        })
        .collect()
}

/// The cards that may be laid from this place, as letters.
#[track_caller]
fn layable(run: &Run, by: &str, from: &str) -> String {
    let report = run.report();
    let list = report["legal"].as_array().unwrap().iter();
    list.filter(|line| line["do"] == "reveal" && line["by"] == by && line["from"] == from)
        .map(|line| line["card"].as_str().unwrap())
        .collect()
}

/// The legal moves, joined by blanks.
#[track_caller]
fn moves(run: &Run) -> String {
    let report = run.report();
    let list = report["legal"].as_array().unwrap().iter();
    let moves = list.filter(|line| line["do"] == "move").map(|line| line["uci"].as_str().unwrap());
    moves.collect::<Vec<_>>().join(" ")
}
