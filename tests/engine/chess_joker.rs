//! Chess Joker: its rules by their numbers, its lines in the record, its effects, and laws that hold for any game.

mod boards;
mod card_files;
mod effects;
mod laws;
mod lines;
mod reference;
mod rules;
mod sight;
mod telling;
mod vectors;

use serde_json::{Value, json};

use crate::support::{Run, begin, feed};

/// A game from this position, with more terms.
#[track_caller]
fn with_terms(fen: &str, mut terms: Value) -> Run {
    terms["fen"] = fen.into();
    let header = json!({
        "tabiya": 1, "game": "chess-joker", "players": {"A": "Ann", "B": "Bo"}, "white": "A", "terms": terms
    });
    begin(&header.to_string())
}

/// A game from this position.
#[track_caller]
fn at(fen: &str) -> Run {
    with_terms(fen, json!({}))
}

/// A game from the usual position.
#[track_caller]
fn usual() -> Run {
    at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
}

/// One more line, a second after the one before. Returns the rule that refuses it, or an empty text.
#[track_caller]
fn line(run: &mut Run, mut line: Value) -> String {
    line["t"] = (1000 * (run.lines.len() as u64 + 1)).into();
    let accepted = feed(run, line.to_string());
    if accepted { String::new() } else { (*run.rules().last().unwrap()).to_owned() }
}

/// Plays lines in short: `white e2e4`, `black draw VY 25 warp *knight to beside enemy pawn`, `white draw ?`,
/// `black play c8f5 d6=B as N=P`, `black confirm`, `white check mate`, or a whole line as JSON. Each must be accepted.
#[track_caller]
fn play(run: &mut Run, script: &str) {
    for step in script.split(';').map(str::trim).filter(|step| !step.is_empty()) {
        assert_eq!(line(run, in_short(step)), "", "`{step}` is refused: {:?}", run.messages().last());
    }
}

/// Tries one line; returns the rule that refuses it, or an empty text.
#[track_caller]
fn tries(run: &mut Run, step: &str) -> String {
    line(run, in_short(step))
}

#[track_caller]
fn in_short(step: &str) -> Value {
    if step.starts_with('{') {
        return serde_json::from_str(step).unwrap();
    }
    let words: Vec<&str> = step.split(' ').collect();
    let (by, what, rest) = (words[0], words[1], &words[2..]);
    match what {
        "draw" => {
            let mut line = json!({"do": "draw", "by": by});
            line.as_object_mut().unwrap().extend(card(&rest.join(" ")).as_object().unwrap().clone());
            line
        }
        "play" => {
            let end = rest.iter().position(|word| ["as", "card", "elo"].contains(word)).unwrap_or(rest.len());
            let mut line = json!({"do": "play", "by": by, "steps": &rest[..end]});
            for pair in rest[end..].chunks(2) {
                line[pair[0]] = match pair[0] {
                    "as" => {
                        let masks = pair[1].split(',').map(|mask| mask.split_once('=').unwrap());
                        masks.map(|(role, by)| (role.to_owned(), Value::from(by))).collect()
                    }
                    "elo" => pair[1].parse::<u64>().unwrap().into(),
                    _ => pair[1].into(),
                };
            }
            line
        }
        "check" if rest == ["mate"] => json!({"do": "check", "by": by, "mate": true}),
        word if word.len() >= 4 && word.as_bytes()[1].is_ascii_digit() => {
            json!({"do": "move", "by": by, "uci": word})
        }
        word => json!({"do": word, "by": by}),
    }
}

/// The fields of a card: `VY 25 warp *knight to beside enemy pawn`, `QX 75`, `QX`, `QX*` with a star, or `?`.
fn card(text: &str) -> Value {
    let mut words = text.splitn(3, ' ');
    let code = words.next().unwrap();
    let mut card = json!({"card": code.trim_end_matches('*')});
    if code.ends_with('*') {
        card["star"] = true.into();
    }
    if let Some(elo) = words.next() {
        card["elo"] = elo.parse::<u64>().unwrap().into();
    }
    if let Some(effect) = words.next() {
        card["effect"] = effect.into();
    }
    card
}

/// A ruling that sets this.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "the ruling stands where it is made")]
fn rule(run: &mut Run, set: Value) -> String {
    line(run, json!({"do": "rule", "by": "arbiter", "reason": "set up", "set": set}))
}

/// Puts cards before the players by a ruling; `-` is none.
#[track_caller]
fn cards(run: &mut Run, white: &str, black: &str) {
    let of = |text: &str| if text == "-" { Value::Null } else { card(text) };
    assert_eq!(rule(run, json!({"cards": {"white": of(white), "black": of(black)}})), "");
}

/// The first steps of the uses of a card with this effect, for the player to move, joined by spaces; with `mask`, as
/// `N=P`, of this masquerade.
#[track_caller]
fn uses_as(fen: &str, effect: &str, mask: &str) -> String {
    let mut run = at(fen);
    let mine = card(&format!("AB 50 {effect}"));
    let color = if fen.contains(" w ") { "white" } else { "black" };
    assert_eq!(rule(&mut run, json!({"cards": {color: mine}})), "");
    offered(&run, mask)
}

/// The first steps of the uses as printed.
#[track_caller]
fn uses(fen: &str, effect: &str) -> String {
    uses_as(fen, effect, "")
}

fn offered(run: &Run, mask: &str) -> String {
    let legal = run.get("/legal");
    let masked = |line: &Value| {
        let pairs = line["as"].as_object().into_iter().flatten();
        pairs.map(|(role, by)| format!("{role}={}", by.as_str().unwrap())).collect::<Vec<_>>().join(",")
    };
    let found = legal.as_array().unwrap().iter().find(|line| line["do"] == "play" && masked(line) == mask);
    found.map_or_else(String::new, |line| words(&line["first"]))
}

fn words(list: &Value) -> String {
    let words: Vec<&str> = list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    words.join(" ")
}

/// A value of the game in progress.
#[track_caller]
fn game(run: &Run, name: &str) -> Value {
    run.report()["games"].as_array().unwrap().last().unwrap()[name].clone()
}

/// The score as `A B`.
#[track_caller]
fn score(run: &Run) -> (u64, u64) {
    let score = game(run, "score");
    (score["A"].as_u64().unwrap(), score["B"].as_u64().unwrap())
}

/// Whether a line of this word (and this player's) is legal.
fn legal(run: &Run, word: &str, by: &str) -> bool {
    run.get("/legal").as_array().unwrap().iter().any(|line| line["do"] == word && line["by"] == by)
}

/// The legal moves, sorted, joined by spaces.
fn moves(run: &Run) -> String {
    let legal = run.get("/legal");
    let mut moves: Vec<&str> =
        legal.as_array().unwrap().iter().filter_map(|line| line["uci"].as_str()).collect();
    moves.sort_unstable();
    moves.join(" ")
}
