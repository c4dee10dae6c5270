//! Small records in a short notation, and how a table understands them.

use serde_json::Value;
use tabiya_engine::record::{Header, Infer, Replay, Stop};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Board, Piece, Square};

/// The result of a story.
pub struct Told {
    pub report: Value,
    /// The lines that the table wrote, in short form, without `sees`.
    pub written: Vec<String>,
    pub refused: Option<String>,
    pub understood: bool,
}

impl Told {
    pub fn moves(&self) -> String {
        let games = self.report["games"].as_array().expect("games");
        let moves = games.last().expect("a game")["moves"].as_array().expect("moves");
        moves.iter().map(|uci| uci.as_str().expect("a move")).collect::<Vec<_>>().join(" ")
    }

    pub fn clocks(&self) -> (u64, u64) {
        let clock = |side: &str| self.report["clock_ms"][side].as_u64().expect("a reading");
        (clock("white"), clock("black"))
    }

    pub fn outcome(&self) -> String {
        let games = self.report["games"].as_array().expect("games");
        match &games.last().expect("a game")["outcome"] {
            Value::Null => "none".to_owned(),
            outcome => format!("{} {}", outcome["winner"], outcome["reason"]).replace('"', ""),
        }
    }

    pub fn phase(&self) -> &str {
        self.report["phase"].as_str().expect("a phase")
    }

    /// The written lines in short form: `1200 press white`, `1350 move e2e4 when 1200`.
    pub fn lines(&self) -> Vec<&str> {
        self.written.iter().map(String::as_str).collect()
    }
}

/// The header of a record of chess: 300 s for each player. `terms` contains further terms, such as `"voice":"event"`.
pub fn chess(terms: &str) -> String {
    let comma = if terms.is_empty() { "" } else { "," };
    format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"time":"300"{comma}{terms}}}}}"#
    )
}

/// The header of a record of Choker: 100 chips and 300 s for each player. `terms` contains further terms.
pub fn choker(terms: &str) -> String {
    let comma = if terms.is_empty() { "" } else { "," };
    format!(
        r#"{{"tabiya":1,"game":"choker","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"stacks":{{"A":100,"B":100}},"small_blind":1,"time":"300"{comma}{terms}}}}}"#
    )
}

/// The lines of the betting before a placement, all at 0 ms.
pub const BET: &str = "0 deal\n0 bet white call\n0 bet black check\n0 deal\n0 bet black check\n0 bet white check\n0 deal\n0 bet white check\n0 bet black check\n";

/// Feeds a story to a table, line by line. `1000 -e2 +e4P` changes the squares that the board shows at 1,000 ms;
/// `1200 press white` is a press; `1300 {"do":"undo"}` is any line of a record; `0 show` shows the board unchanged.
/// The board begins with the game's position. The lines that the table writes must replay to the same result.
pub fn tell(header: &str, story: &str) -> Told {
    let parsed = Header::parse(header, GAMES).expect("a header");
    let mut board = tabiya_engine::table::Table::new(parsed.agreement.clone()).physical();
    let mut infer = Infer::new(parsed);
    let mut refused = None;
    for (nth, line) in story.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let (t, what) = line.split_once(' ').expect("a moment and what happened");
        let text = format!("{{\"t\":{t},{}}}", fields(what, &mut board));
        match infer.feed(u32::try_from(nth + 2).expect("few lines"), &text) {
            Ok(()) => {}
            Err(Stop::Refused(violation)) => {
                refused = Some(violation.rule.to_owned());
                break;
            }
            Err(Stop::Unusable(error)) => panic!("{text}: {error}"),
        }
    }
    let done = infer.finish();
    let report = done.replay.report();
    replays_alike(header, &done.lines, &report);
    let written = done.lines.iter().map(ToString::to_string).filter(|line| !line.contains("\"sees\""));
    Told { written: written.map(|line| short(&line)).collect(), report, refused, understood: done.understood }
}

fn replays_alike(header: &str, lines: &[tabiya_engine::record::Line], report: &Value) {
    let mut again = Replay::begin(header, GAMES).expect("a header");
    for (line, number) in lines.iter().zip(2..) {
        again.feed(number, &line.to_string()).unwrap_or_else(|stop| panic!("{line}: {stop:?}"));
    }
    let (mut again, mut first) = (again.report(), report.clone());
    for report in [&mut again, &mut first] {
        report.as_object_mut().expect("an object").remove("violations");
    }
    assert_eq!(again, first, "the written lines must replay to the same result");
}

fn fields(what: &str, board: &mut Board) -> String {
    if let Some(json) = what.strip_prefix('{') {
        return json.strip_suffix('}').expect("an object").to_owned();
    }
    let words: Vec<&str> = what.split(' ').collect();
    match words.as_slice() {
        ["press", by] => format!(r#""do":"press","by":"{by}""#),
        ["deal"] => r#""do":"deal""#.to_owned(),
        ["bet", by, action] => format!(r#""do":"bet","by":"{by}","action":"{action}""#),
        ["reveal", by, card] => format!(r#""do":"reveal","by":"{by}","card":"{card}""#),
        ["move", by, uci] => format!(r#""do":"move","by":"{by}","uci":"{uci}""#),
        ["turned"] => format!(r#""do":"sees","board":"{}""#, board.rotated()),
        ["fen", fen] => {
            *board = fen.parse().expect("a board");
            format!(r#""do":"sees","board":"{board}""#)
        }
        changes => {
            for change in changes.iter().filter(|change| **change != "show") {
                let square: Square = change.get(1..3).expect("a square").parse().expect("a square");
                board[square] = change.chars().nth(3).and_then(Piece::from_letter);
            }
            format!(r#""do":"sees","board":"{board}""#)
        }
    }
}

/// A line of the record in short form.
fn short(line: &str) -> String {
    let value: Value = serde_json::from_str(line).expect("JSON");
    let mut words = vec![value["t"].to_string()];
    for field in ["do", "by", "uci", "piece", "at", "card", "as"] {
        if let Some(word) = value.get(field).and_then(Value::as_str) {
            let plain = field == "by" && value.get("uci").or(value.get("at")).is_some();
            if !plain {
                words.push(word.to_owned());
            }
        }
    }
    if let Some(when) = value.get("when") {
        words.push(format!("when {when}"));
    }
    words.join(" ")
}
