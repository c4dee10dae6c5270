//! Random matches from a seed: lines that the table offers as legal, with undos, redos, pauses and rulings in between.
#![allow(unreachable_pub, dead_code, reason = "a module of several tests, each of which needs a part")]

use serde_json::{Map, Value, json};
use tabiya_engine::record::Replay;
use tabiya_engine::record::actions::legal_line;
use tabiya_engine::rules::{ChessScore, GAMES};
use tabiya_engine::table::Table;

/// The game, terms and tags of headers, for all games that have a board.
const HEADERS: [&str; 12] = [
    r#""game":"chess","terms":{"time":"180+2"}"#,
    r#""game":"chess","terms":{"time":"40/5400+30:1800+30","voice":"event","games":2}"#,
    r#""game":"chess","terms":{"time":"900","press":"auto","fen":"r3k2r/1P3p2/8/2pP4/8/8/1p3P2/R3K2R w KQkq c6 0 31"}"#,
    r#""game":"chess","terms":{"chess960":true,"fen":"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"}"#,
    r#""game":"chess","terms":{"time":"300+1","chess960":true,"fen":"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"}"#,
    r#""game":"choker","terms":{"stacks":{"A":100,"B":60},"small_blind":1,"time":"180+1"}"#,
    r#""game":"choker","start":"2026-03-07T20:00:00+01:00","id":"m","terms":{"stacks":{"A":40,"B":40},"small_blind":1,"empress":false,"press":"auto","bet_ms":9000}"#,
    r#""game":"choker","tags":{"Round":"4","WhiteElo":"1700"},"terms":{"stacks":{"A":20,"B":200},"small_blind":2,"structure":"pot-limit","time":{"A":"60","B":"90+1"}}"#,
    r#""game":"poker-chess","terms":{"time":"300+3","deal":"royal-flush","wipeout":9}"#,
    r#""game":"poker-chess","terms":{"time":"600","choice":"player","voice":"event","games":3}"#,
    r#""game":"pokerdrez","terms":{"time":"300+3","games":4}"#,
    r#""game":"pokerdrez","terms":{"time":"600","decks":2,"bets":{"least":2,"most":9},"stacks":{"A":40,"B":25},"bet_ms":9000}"#,
];

/// Positions that a random ruling sets.
const SET: [&str; 2] = ["4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 12", "7k/1P6/8/8/8/8/6p1/K7 w - - 0 40"];

/// A small random number generator (xorshift) that gives the same numbers on every machine.
#[derive(Debug)]
pub struct Chance(u64);

impl Chance {
    /// Starts the generator. The seed is multiplied by a large number, so that even neighbouring seeds give different
    /// sequences.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 20) % end as u64).expect("below a usize")
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { list.get(self.below(list.len())).cloned() }
    }
}

/// A match that can be continued with random lines.
#[derive(Debug)]
pub struct Match {
    pub replay: Replay,
    pub chance: Chance,
    t: u64,
    number: u32,
}

impl Match {
    /// A match before its first line. The seed also chooses its header.
    pub fn new(seed: u64) -> Self {
        let kind = HEADERS[usize::try_from(seed).expect("a small seed") % HEADERS.len()];
        let header = format!(r#"{{"tabiya":1,"players":{{"A":"Ann","B":"Bo"}},"white":"B",{kind}}}"#);
        let replay = Replay::begin(&header, GAMES).expect("a header");
        Self { replay, chance: Chance::new(seed), t: 0, number: 1 }
    }

    /// A match after `steps` random steps.
    pub fn played(seed: u64, steps: usize) -> Self {
        let mut game = Self::new(seed);
        for _ in 0..steps {
            game.step();
        }
        game
    }

    /// Applies a line to the match at the match's current moment. Returns whether the line was accepted.
    pub fn feed(&mut self, line: &Value) -> bool {
        let mut map = Map::new();
        map.insert("t".into(), self.t.into());
        map.extend(line.as_object().cloned().expect("an object"));
        self.number += 1;
        self.replay.feed(self.number, &Value::Object(map).to_string()).is_ok()
    }

    /// Lets up to four seconds pass, and feeds a random line.
    pub fn step(&mut self) {
        self.t += self.chance.below(4000) as u64;
        match self.chance.below(100) {
            0..4 => drop(self.feed(&json!({"do":"undo"}))),
            4..6 => drop(self.feed(&json!({"do":"redo"}))),
            6 => {
                self.feed(&json!({"do":"pause","by":"arbiter"}));
                self.t += 5000;
                self.feed(&json!({"do":"resume","by":"arbiter"}));
            }
            7 if self.chance.below(3) == 0 => {
                let set = match self.chance.below(4) {
                    0 => json!({"to_act":"black"}),
                    1 => json!({"clock_ms":{"white":60000}}),
                    at => json!({"fen": SET[at - 2]}),
                };
                self.feed(&json!({"do":"rule","by":"arbiter","reason":"because","set":set}));
            }
            8 => drop(self.feed(&json!({"do":"tick"}))),
            _ => {
                if let Some(line) = self.next_line() {
                    self.feed(&line);
                }
            }
        }
    }

    /// Returns a random line that would be accepted; `None` if there is none. A line that raises or may end the game is
    /// chosen only rarely.
    pub fn next_line(&mut self) -> Option<Value> {
        let legal: Vec<Value> = self.replay.table().legal().iter().map(legal_line).collect();
        let ends = |line: &Value| {
            let word = line["action"].as_str().or(line["do"].as_str()).unwrap_or_default();
            matches!(
                word,
                "fold" | "resign" | "offer-draw" | "accept-draw" | "claim-draw" | "claim-flag" | "raise"
            )
        };
        let calm: Vec<Value> = legal.iter().filter(|line| !ends(line)).cloned().collect();
        let from = if calm.is_empty() || self.chance.below(25) == 0 { legal } else { calm };
        let mut line = self.chance.pick(&from)?;
        match line["do"].as_str().unwrap_or_default() {
            "deal" if self.replay.header().kind.name() == "pokerdrez" => {
                let row = ["J", "P", "N", "X", self.chance.pick(&["Q", "R", "B"])?];
                return Some(json!({"do": "deal", "cards": {"common": row}}));
            }
            "roll" => return Some(json!({"do": "roll", "by": line["by"], "pips": 1 + self.chance.below(6)})),
            "show" => return self.shown(&line["by"]),
            _ => {}
        }
        if line["do"] == "choose" {
            // The first set that the list allows.
            let mut squares = line["all"].as_array()?.clone();
            for group in line["some"].as_array()? {
                let count = usize::try_from(group["count"].as_u64()?).ok()?;
                squares.extend(group["of"].as_array()?.iter().take(count).cloned());
            }
            return Some(json!({"do": "choose", "by": line["by"], "squares": squares}));
        }
        for name in ["at", "to", "card"] {
            if let Some(list) = line[name].as_array() {
                line[name] = self.chance.pick(list)?;
            }
        }
        // Removes the fields whose value is `null`, because a line must not contain them.
        line.as_object_mut()?.retain(|_, value| !value.is_null());
        Some(line)
    }
}

impl Match {
    /// Two cards that this player may show.
    fn shown(&self, by: &Value) -> Option<Value> {
        let letters = ["J", "Q", "R", "B", "N", "P", "X"];
        let pairs = letters.iter().flat_map(|one| letters.iter().map(move |other| [*one, *other]));
        let mut lines = pairs.map(|cards| json!({"do": "show", "by": by, "cards": cards}));
        lines.find(|line| {
            let mut line = line.clone();
            line["t"] = self.t.into();
            self.replay.clone().feed(self.number + 1, &line.to_string()).is_ok()
        })
    }
}

/// The score of each game; `None` for a game that did not reach its chess phase. As in the PGN, the last game is left
/// out if it has not begun, unless it is the only game.
pub fn scores(table: &Table) -> Vec<Option<ChessScore>> {
    let mut scores: Vec<_> = table
        .past_games()
        .iter()
        .map(|past| past.game.chess().map(tabiya_engine::rules::ChessPhase::score))
        .collect();
    if table.begun() || scores.is_empty() {
        scores.push(table.game().chess().map(tabiya_engine::rules::ChessPhase::score));
    }
    scores
}
