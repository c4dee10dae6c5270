//! The totals of a record, computed a second way and compared with what the program says: chips by a ledger, points from the
//! outcomes of the games.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::chip_ledger::Ledger;

/// What the program says of a match, and the ledger of its record.
pub(crate) struct Totals {
    /// The lines of the record, the header first.
    pub(crate) lines: Vec<Value>,
    /// `replay --json`.
    pub(crate) report: Value,
    /// The chips, counted a second way.
    pub(crate) ledger: Ledger,
}

impl Totals {
    /// Reads the match with this number in a record.
    pub(crate) fn read(record: &Path, number: &str) -> Self {
        let jsonl = tabiya(&["export", "--match", number, "--format", "jsonl"], record);
        let lines: Vec<Value> =
            jsonl.lines().map(|line| serde_json::from_str(line).expect("a line of a record")).collect();
        let report = tabiya(&["replay", "--match", number, "--json"], record);
        let report: Value = serde_json::from_str(&report).expect("a report");
        let ledger = Ledger::of(&lines, report["games"].as_array().map_or(&[], Vec::as_slice));
        Self { lines, report, ledger }
    }

    /// Whether the match is played for chips.
    pub(crate) fn for_chips(&self) -> bool {
        self.lines[0]["terms"]["stacks"].is_object()
    }

    /// The names of the players.
    pub(crate) fn names(&self) -> [&str; 2] {
        ["A", "B"].map(|seat| self.lines[0]["players"][seat].as_str().expect("a name"))
    }

    /// The games of the match.
    pub(crate) fn games(&self) -> &[Value] {
        self.report["games"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The points of both seats in halves, added up from the outcomes of the games.
    pub(crate) fn half_points(&self) -> [u32; 2] {
        let of_games = (0..self.games().len()).map(|game| self.half_points_of(game));
        of_games.fold([0, 0], |sum, game| [sum[0] + game[0], sum[1] + game[1]])
    }

    /// The half points of both seats in the game with this index, from its outcome.
    pub(crate) fn half_points_of(&self, game: usize) -> [u32; 2] {
        let outcome = &self.games()[game]["outcome"];
        if outcome["points"].is_object() {
            return ["A", "B"].map(|seat| match outcome["points"][seat].as_f64() {
                Some(0.5) => 1,
                Some(whole) => 2 * u32::from(whole > 0.5),
                None => 0,
            });
        }
        match (outcome["winner"].as_str(), outcome["reason"].as_str()) {
            (Some("A"), _) => [2, 0],
            (Some(_), _) => [0, 2],
            (None, None | Some("fouled-deck")) => [0, 0],
            (None, Some(_)) if self.ledger.is_cancelled(game) => [0, 0],
            (None, Some(_)) => [1, 1],
        }
    }

    /// The last line of `results`, as it must be.
    pub(crate) fn standing(&self) -> String {
        let [a, b] = self.names();
        if self.for_chips() {
            let [chips_a, chips_b] = self.ledger.has();
            return format!("{a} {chips_a} chips, {b} {chips_b} chips");
        }
        let [points_a, points_b] = self.half_points().map(points);
        format!("{a} {points_a}, {b} {points_b}")
    }

    /// The seat that won a game: 0 is seat A.
    pub(crate) fn winner(&self, game: usize) -> Option<usize> {
        self.games()[game]["outcome"]["winner"].as_str().map(|seat| usize::from(seat == "B"))
    }

    /// Whether nothing was done in the last game yet.
    pub(crate) fn last_is_untouched(&self) -> bool {
        self.ledger.untouched
    }

    /// What the story says of a game that is over, in parts.
    pub(crate) fn result_in_words(&self, game: usize) -> Vec<String> {
        let outcome = &self.games()[game]["outcome"];
        let (names, reason) = (self.names(), outcome["reason"].as_str().unwrap_or_default());
        let decided = ["fold", "checkmate", "timeout", "resignation", "ruling", "false-declaration"];
        match self.winner(game) {
            Some(winner) if decided.contains(&reason) && !self.ledger.is_ruled_draw(game) => {
                let white = usize::from(self.games()[game]["white"] == "B");
                let color = if winner == white { "White" } else { "Black" };
                vec![format!("{} ({color}) wins ", names[winner])]
            }
            Some(winner) => vec!["drawn (".to_owned(), format!("{} wins, as agreed", names[winner])],
            None if outcome["points"].is_object() => {
                let [a, b] = self.half_points_of(game).map(points);
                vec![format!("{} {a}, {} {b} (", names[0], names[1])]
            }
            None if reason == "fouled-deck" || self.ledger.is_cancelled(game) => {
                vec!["no result (".to_owned()]
            }
            None => vec!["drawn (".to_owned()],
        }
    }

    /// Compares the ledger with the report. `Err` says how they differ.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !self.for_chips() {
            return Ok(());
        }
        if let Some(wrong) = &self.ledger.wrong {
            return Err(wrong.clone());
        }
        let open = self.games().last().is_some_and(|game| game["outcome"].is_null());
        let told = ["A", "B"].map(|seat| {
            let put =
                if open { self.games().last().expect("a game")["contributed"][seat].as_i64() } else { None };
            self.report["stacks"][seat].as_i64().expect("a stack") + put.unwrap_or(0)
        });
        if told != self.ledger.has() {
            return Err(format!("the report has {told:?}, the ledger {:?}", self.ledger));
        }
        let net: i64 = self.ledger.net().iter().sum();
        if net == 0 { Ok(()) } else { Err(format!("the winnings add up to {net}: {:?}", self.ledger)) }
    }
}

/// Half points as people write points.
pub(crate) fn points(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// Runs the program on a record, and returns what it prints.
pub(crate) fn tabiya(arguments: &[&str], record: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(&arguments[..1])
        .arg(record)
        .args(&arguments[1..])
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} {}: {errors}", record.display());
    String::from_utf8(output.stdout).expect("text")
}
