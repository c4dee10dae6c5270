//! Sessions in a short notation, which are played as lines of a record.
//!
//! Terms, such as `chess, time 120, white B`, are items joined by `, `. An item is the name of a game, a seat's stack
//! (`A 100`), the seat with White (`white B`), or a term and its value (JSON without spaces, or a word). The default
//! is Choker with stacks of 100 and blinds of 1 and 2.
//!
//! A script is a list of steps joined by `;`. A step may begin with a time, `m:ss` or `m:ss.mmm`. A step without a
//! time comes one second after the step before it. After the time, the step names the player and the action:
//!
//! | step | lines |
//! | --- | --- |
//! | `white raise 6`, `black all-in`, `white fold` | `bet` |
//! | `white Q@d1`, `white P=Q@d1 palace` | `reveal`, `place` and `press` of one turn |
//! | `white reveal Q`, `white place Q d1 palace` | one line each |
//! | `white e2e4`, `white e2e4!` | `move`; with `!` its `press` too |
//! | `white press`, `black resign`, `arbiter pause` | the line of that word |
//! | `white choose a1,e1` | `choose` |
//! | `black remove a7`, `deal common:QRBNP` | the lines before a game of PokerDrez |
//! | `white own P`, `white common P` | `reveal` from that place |
//! | `white return P`, `white roll 4`, `white show PN` | the line of that word |
//! | `white swap own stock`, `white swap common stock Q` | `swap` |
//! | `rule {"winner":"A"}` | a ruling that sets this |
//! | `deal`, `undo`, `redo`, `tick`, `next`, `next becket` | the line of that word |
//! | `{"do":"sees","board":"8/8/8/8/8/8/8/8"}` | any line, without `t` |
//!
//! ` when 0:05` after a step adds `when`.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "several test files share this room, and each uses what it needs"
)]

pub(crate) mod deal;
mod drez_hands;
pub mod fixtures;
pub mod hands;
mod joker_hands;
pub mod long;
pub mod random;
pub mod story;

use serde_json::{Map, Value, json};
use tabiya_engine::record::{Replay, Stop};
use tabiya_engine::rules::GAMES;

/// A session and what came of it: its lines, the state after them, and the lines that were refused.
pub struct Run {
    pub header: String,
    pub lines: Vec<String>,
    pub replay: Replay,
    /// The refused lines. Each entry has the line's number in the record and the name of the rule that the line
    /// breaks.
    pub refused: Vec<(u32, &'static str)>,
}

impl Run {
    pub fn report(&self) -> Value {
        self.replay.report()
    }

    /// A value of the report by its JSON pointer: `/games/0/outcome/reason`.
    #[track_caller]
    pub fn get(&self, pointer: &str) -> Value {
        let report = self.report();
        report.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in {report:#}")).clone()
    }

    /// The names of the broken rules, in the order of the refused lines.
    pub fn rules(&self) -> Vec<&'static str> {
        self.refused.iter().map(|(_, rule)| *rule).collect()
    }

    pub fn messages(&self) -> Vec<String> {
        self.replay.violations().iter().map(|remark| remark.message.clone()).collect()
    }

    pub fn notes(&self) -> Vec<String> {
        self.replay.notes().iter().map(|remark| remark.message.clone()).collect()
    }

    /// The readings of White's and Black's clocks, in ms.
    #[track_caller]
    pub fn clocks(&self) -> (u64, u64) {
        (self.get("/clock_ms/white").as_u64().unwrap(), self.get("/clock_ms/black").as_u64().unwrap())
    }

    /// The outcome of the last game as `winner reason`, or `-` if it has none yet.
    pub fn outcome(&self) -> String {
        let last = self.report()["games"].as_array().unwrap().last().unwrap()["outcome"].clone();
        match &last {
            Value::Null => "-".to_owned(),
            outcome => {
                let winner = outcome["winner"].as_str().unwrap_or("nobody");
                format!("{winner} {}", outcome["reason"].as_str().unwrap())
            }
        }
    }

    /// The lines that would be legal next, each as compact JSON.
    pub fn legal(&self) -> Vec<String> {
        self.report()["legal"].as_array().unwrap().iter().map(ToString::to_string).collect()
    }

    /// The whole record as text.
    pub fn text(&self) -> String {
        let mut text = self.header.clone();
        for line in &self.lines {
            text.push('\n');
            text.push_str(line);
        }
        text + "\n"
    }
}

/// Plays a session in which every line must be accepted.
#[track_caller]
pub fn play(terms: &str, script: &str) -> Run {
    let run = try_play(terms, script);
    assert!(run.refused.is_empty(), "refused: {:#?}", run.messages());
    run
}

/// Plays a session, and skips refused lines.
#[track_caller]
pub fn try_play(terms: &str, script: &str) -> Run {
    let header = header(terms);
    let mut run = begin(&header);
    for line in lines(script) {
        feed(&mut run, line);
    }
    run
}

/// A session before its first line.
#[track_caller]
pub fn begin(header: &str) -> Run {
    let replay = Replay::begin(header, GAMES).unwrap_or_else(|error| panic!("{error}: {header}"));
    Run { header: header.to_owned(), lines: Vec::new(), replay, refused: Vec::new() }
}

/// Plays one more line. Returns whether it was accepted.
#[track_caller]
pub fn feed(run: &mut Run, line: String) -> bool {
    let number = u32::try_from(run.lines.len()).unwrap() + 2;
    let accepted = match run.replay.feed(number, &line) {
        Ok(()) => true,
        Err(Stop::Refused(violation)) => {
            run.refused.push((number, violation.rule));
            false
        }
        Err(Stop::Unusable(error)) => panic!("line {number} cannot be used: {error}: {line}"),
    };
    run.lines.push(line);
    accepted
}

/// Returns what is wrong with the form of a line in a session with these terms. `None` if the form is right, even if
/// the rules refuse the line.
pub fn form_error(terms: &str, line: &str) -> Option<String> {
    let mut run = begin(&header(terms));
    match run.replay.feed(2, line) {
        Err(Stop::Unusable(error)) => Some(error.to_string()),
        Ok(()) | Err(Stop::Refused(_)) => None,
    }
}

/// A session as text in rows and columns, for people to read: a row for each line of the record, with the state after
/// it.
#[track_caller]
pub fn tell(terms: &str, script: &str) -> String {
    let mut run = begin(&header(terms));
    let mut story = String::new();
    for line in lines(script) {
        let value: Value = serde_json::from_str(&line).unwrap();
        let accepted = feed(&mut run, line);
        let what = what(&value);
        let time = clock_face(value["t"].as_u64().unwrap());
        let after =
            if accepted { state(&run) } else { format!("refused: {}", run.messages().last().unwrap()) };
        story.push_str(format!("{time}  {what:<24} {after}").trim_end());
        story.push('\n');
    }
    story
}

fn what(line: &Value) -> String {
    let mut words = Vec::new();
    for name in ["by", "do", "action", "to", "card", "piece", "at", "uci", "set"] {
        match &line[name] {
            Value::Null => {}
            Value::String(word) if name != "do" || !["bet", "move"].contains(&word.as_str()) => {
                words.push(word.clone());
            }
            Value::String(_) => {}
            other => words.push(other.to_string()),
        }
    }
    words.join(" ")
}

fn state(run: &Run) -> String {
    let report = run.report();
    let game = report["games"].as_array().and_then(|games| games.last()).cloned().unwrap_or_default();
    let mut parts = Vec::new();
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    if number(&report["stacks"]["A"]) + number(&report["stacks"]["B"]) > 0 {
        let awarded = number(&game["awarded"]["A"]) + number(&game["awarded"]["B"]);
        let pot = number(&game["contributed"]["A"]) + number(&game["contributed"]["B"]) - awarded;
        parts.push(format!(
            "pot {pot:<4} A {:<4} B {:<4}",
            number(&report["stacks"]["A"]),
            number(&report["stacks"]["B"])
        ));
    }
    if !report["clock_ms"].is_null() {
        let face = |side: &str| report["clock_ms"][side].as_u64().map_or("-".to_owned(), clock_face);
        parts.push(format!("clock {} {}", face("white"), face("black")));
    }
    parts.push(format!(
        "{}{}",
        report["phase"].as_str().unwrap(),
        report["to_act"].as_str().map(|who| format!(": {who}")).unwrap_or_default()
    ));
    if let Some(reason) = game["outcome"]["reason"].as_str() {
        parts.push(format!("{} {reason}", game["outcome"]["winner"].as_str().unwrap_or("nobody")));
    }
    parts.join("  ")
}

fn clock_face(millis: u64) -> String {
    let (minutes, seconds, rest) = (millis / 60_000, millis / 1000 % 60, millis % 1000);
    if rest == 0 { format!("{minutes}:{seconds:02}") } else { format!("{minutes}:{seconds:02}.{rest:03}") }
}

// ---- the notation ----

/// Turns a list of terms into a header.
pub fn header(terms: &str) -> String {
    let mut header = json!({"tabiya": 1, "game": "choker", "players": {"A": "Ann", "B": "Bo"}, "white": "A"});
    let mut stacks = json!({"A": 100, "B": 100});
    let mut map = Map::new();
    for item in terms.split(", ").map(str::trim).filter(|item| !item.is_empty()) {
        match item.split_once(' ') {
            None => header["game"] = item.into(),
            Some((seat @ ("A" | "B"), chips)) => stacks[seat] = chips.parse::<u32>().unwrap().into(),
            Some(("white", seat)) => header["white"] = seat.into(),
            Some(("time", text)) if !text.starts_with('{') => drop(map.insert("time".into(), text.into())),
            Some((name, value)) => {
                let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
                map.insert(name.to_owned(), value);
            }
        }
    }
    if header["game"] == "choker" {
        map.entry("small_blind").or_insert(1.into());
        map.insert("stacks".into(), stacks);
    }
    header["terms"] = map.into();
    header.to_string()
}

/// Turns a script into lines of a record.
pub fn lines(script: &str) -> Vec<String> {
    let mut at = 0;
    let mut lines = Vec::new();
    let mut first = true;
    for step in script.split(';').map(str::trim).filter(|step| !step.is_empty()) {
        let (time, rest) = match step.split_once(' ') {
            Some((time, rest)) if time.contains(':') && time.starts_with(|c: char| c.is_ascii_digit()) => {
                (Some(moment(time)), rest.trim())
            }
            _ => (None, step),
        };
        at = time.unwrap_or(if first { 0 } else { at + 1000 });
        first = false;
        let (rest, when) = match rest.split_once(" when ") {
            Some((rest, when)) => (rest, Some(moment(when))),
            None => (rest, None),
        };
        for mut line in step_lines(rest) {
            let mut whole = Map::new();
            whole.insert("t".into(), at.into());
            whole.append(line.as_object_mut().unwrap());
            if let Some(when) = when {
                whole.insert("when".into(), when.into());
            }
            lines.push(Value::Object(whole).to_string());
        }
    }
    lines
}

/// `m:ss` or `m:ss.mmm` in ms.
pub fn moment(text: &str) -> u64 {
    let (minutes, seconds) = text.split_once(':').unwrap();
    let (seconds, millis) = seconds.split_once('.').unwrap_or((seconds, "0"));
    minutes.parse::<u64>().unwrap() * 60_000
        + seconds.parse::<u64>().unwrap() * 1000
        + millis.parse::<u64>().unwrap()
}

fn step_lines(step: &str) -> Vec<Value> {
    if step.starts_with('{') {
        return vec![serde_json::from_str(step).unwrap()];
    }
    let words: Vec<&str> = step.split_whitespace().collect();
    match words.as_slice() {
        ["deal"] => vec![json!({"do": "deal"})],
        ["deal", cards @ ..] => {
            let list = |letters: &str| letters.chars().map(|letter| letter.to_string()).collect::<Vec<_>>();
            let mut by = Map::new();
            for pair in cards {
                let (color, letters) = pair.split_once(':').unwrap();
                by.insert(color.to_owned(), list(letters).into());
            }
            vec![json!({"do": "deal", "cards": by})]
        }
        ["next", "deal", name] => vec![json!({"do": "next", "deal": name})],
        [by, from @ ("own" | "common"), card] => {
            vec![json!({"do": "reveal", "by": by, "card": card, "from": from})]
        }
        [by, "return", card] => vec![json!({"do": "return", "by": by, "card": card})],
        [by, "remove", at] => vec![json!({"do": "remove", "by": by, "at": at})],
        [by, "roll", pips] => vec![json!({"do": "roll", "by": by, "pips": pips.parse::<u64>().unwrap()})],
        [by, "swap", from, with] => vec![json!({"do": "swap", "by": by, "from": from, "with": with})],
        [by, "swap", from, with, card] => {
            vec![json!({"do": "swap", "by": by, "from": from, "with": with, "card": card})]
        }
        [by, "show", letters] => {
            let cards: Vec<String> = letters.chars().map(|letter| letter.to_string()).collect();
            vec![json!({"do": "show", "by": by, "cards": cards})]
        }
        [by, "choose", squares] => {
            let squares: Vec<&str> = squares.split(',').collect();
            vec![json!({"do": "choose", "by": by, "squares": squares})]
        }
        ["next", "becket"] => vec![json!({"do": "next", "becket": true})],
        ["rule", set] => {
            let set: Value = serde_json::from_str(set).unwrap();
            vec![json!({"do": "rule", "by": "arbiter", "reason": "because", "set": set})]
        }
        [word @ ("undo" | "redo" | "tick" | "next")] => vec![json!({"do": word})],
        ["undo", "ruling"] => vec![json!({"do": "undo", "by": "arbiter", "what": "ruling"})],
        ["undo", what] => vec![json!({"do": "undo", "what": what})],
        [by, "fouled"] => vec![json!({"do": "fouled", "by": by, "reason": "because"})],
        [by, "end-match"] => vec![json!({"do": "end-match", "by": by, "reason": "because"})],
        [by, "raise", to] => {
            vec![json!({"do": "bet", "by": by, "action": "raise", "to": to.parse::<u64>().unwrap()})]
        }
        [by, word @ ("fold" | "check" | "call" | "all-in")] => {
            vec![json!({"do": "bet", "by": by, "action": word})]
        }
        [by, "reveal", card] => vec![json!({"do": "reveal", "by": by, "card": card})],
        [by, "place", piece, at] => vec![json!({"do": "place", "by": by, "piece": piece, "at": at})],
        [by, "place", piece, at, says] => {
            vec![json!({"do": "place", "by": by, "piece": piece, "at": at, "says": says})]
        }
        [by, "correct", at, piece] => vec![json!({"do": "correct", "by": by, "at": at, "piece": piece})],
        [by, "correct", at, piece, on] => {
            vec![json!({"do": "correct", "by": by, "at": at, "piece": piece, "on": on})]
        }
        [by, "stands", piece, shown] => vec![json!({"do": "stands", "by": by, "piece": piece, "as": shown})],
        [by, "claim-draw", uci] => vec![json!({"do": "claim-draw", "by": by, "uci": uci})],
        [by, turn, says @ ..] if turn.contains('@') => {
            let (card, at) = turn.split_once('@').unwrap();
            let (card, piece) = card.split_once('=').unwrap_or((card, card));
            let mut place = json!({"do": "place", "by": by, "piece": piece, "at": at});
            if let [says] = says {
                place["says"] = (*says).into();
            }
            vec![json!({"do": "reveal", "by": by, "card": card}), place, json!({"do": "press", "by": by})]
        }
        [by, uci] if uci.len() >= 4 && uci.as_bytes()[1].is_ascii_digit() => {
            let bare = uci.trim_end_matches('!');
            let mut lines = vec![json!({"do": "move", "by": by, "uci": bare})];
            if bare != *uci {
                lines.push(json!({"do": "press", "by": by}));
            }
            lines
        }
        [by, word] => vec![json!({"do": word, "by": by})],
        _ => panic!("unknown step: {step}"),
    }
}

/// Deals and bets up to the placement: White completes the small blind, and both check.
pub const TO_PLACEMENT: &str = "0:00 deal; 0:00 white call; 0:00 black check; \
    0:00 deal; 0:00 black check; 0:00 white check; 0:00 deal; 0:00 white check; 0:00 black check";

/// Ten placements. White has Q R B N P, where Palace makes the pawn a queen; Black has two rooks, two bishops and a
/// knight. Then the chess phase begins: White is to move, and White's clock runs.
pub const PLACED: &str = "white Q@d1; black R@a8; white R@a1; black R@h8; white B@c1; black B@c8; \
    white N@b1; black B@f8; white P=Q@f1 palace; black N@b8";

/// From the deal to the tenth placement, at 0:10. White's first chess move is next.
pub fn to_chess() -> String {
    format!("{TO_PLACEMENT}; 0:00 black press; {PLACED}")
}

/// A first game that ends with a fold, and a second one up to White's first placement.
pub const FOLD_THEN_PLACE: &str = "0:00 deal; 0:00 white fold; 0:00 next; 0:00 deal; 0:00 white call; \
    0:00 black check; 0:00 deal; 0:00 black check; 0:00 white check; 0:00 deal; 0:00 white check; \
    0:00 black check; 0:00 white R@a1";
