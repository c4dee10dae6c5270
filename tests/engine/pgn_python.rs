//! The PGN of random matches, read back by python-chess, on which much other software is built.
//!
//! This test needs `python3` and downloads the package once, into the target folder. Without them it fails, because a
//! skipped check would look like a passed one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::matches::{Match, scores};
use serde_json::Value;
use tabiya_engine::record::pgn;

/// The number of matches, and the steps of each match.
const MATCHES: u64 = 40;
const STEPS: usize = 240;

/// Runs a command and returns its standard output, or a sentence on why it failed.
fn run(command: &mut Command, purpose: &str) -> Result<Vec<u8>, String> {
    let output =
        command.output().map_err(|error| format!("{purpose}: {command:?} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("{purpose}: {command:?} failed: {}", String::from_utf8_lossy(&output.stderr)))
}

/// A Python that has python-chess.
fn python_with_chess() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-chess");
    let python = folder.join("bin").join("python");
    let has_it = || Command::new(&python).args(["-c", "import chess.pgn"]).output();
    if has_it().is_ok_and(|output| output.status.success()) {
        return Ok(python);
    }
    let purpose = "this test needs python3 with its venv module";
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), purpose)?;
    let purpose = "this test needs the package python-chess, and a way to fetch it";
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "chess"];
    run(Command::new(&python).args(install), purpose)?;
    Ok(python)
}

/// The games that python-chess finds in each text.
fn read(texts: &[String]) -> Vec<Vec<Value>> {
    let python = python_with_chess().unwrap_or_else(|sentence| panic!("{sentence}"));
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/read_pgn.py"));
    for (number, text) in texts.iter().enumerate() {
        let path = folder.path().join(format!("{number}.pgn"));
        fs::write(&path, text).unwrap();
        command.arg(path);
    }
    let printed = run(&mut command, "python-chess reads the games").unwrap_or_else(|error| panic!("{error}"));
    serde_json::from_slice(&printed).unwrap()
}

/// Returns each part of a text that lies between `before` and the next `after`: for example all values of a tag, or
/// the times of all `%clk` commands.
fn written(text: &str, before: &str, after: &str) -> Vec<String> {
    text.split(before).skip(1).map(|rest| rest.split(after).next().unwrap().to_owned()).collect()
}

fn seconds(clock: &str) -> f64 {
    clock.split(':').fold(0.0, |sum, part| sum * 60.0 + part.parse::<f64>().unwrap())
}

#[test]
fn python_chess_reads_every_game_without_a_complaint() {
    let matches: Vec<Match> = (0..MATCHES).map(|seed| Match::played(seed, STEPS)).collect();
    let texts: Vec<String> = matches.iter().map(|game| pgn::text(&game.replay, Some("0123abcd"))).collect();
    let mut timed = 0;
    for (seed, (games, (game, text))) in read(&texts).iter().zip(matches.iter().zip(&texts)).enumerate() {
        let mut found = games.iter();
        for score in scores(game.replay.table()) {
            let parts = score.as_ref().map_or(1, |score| score.legs.len());
            let parts: Vec<&Value> = found.by_ref().take(parts).collect();
            for part in &parts {
                assert_eq!(part["errors"], serde_json::json!([]), "seed {seed}");
                assert_eq!(part["variant"], "Board", "seed {seed}");
                assert_eq!(part["valid"], true, "seed {seed}: {}", part["start"]);
                assert_eq!(part["headers"]["TabiyaHead"], "0123abcd", "seed {seed}");
            }
            let Some(score) = score else {
                assert_eq!(parts[0]["headers"]["SetUp"], "1", "seed {seed}");
                assert_eq!(parts[0]["moves"], serde_json::json!([]), "seed {seed}");
                continue;
            };
            let moves: Vec<Value> =
                parts.iter().flat_map(|part| part["moves"].as_array().unwrap().clone()).collect();
            assert_eq!(Value::Array(moves), Value::from(score.moves), "seed {seed}");
            for (part, leg) in parts.iter().zip(&score.legs) {
                assert_eq!(part["start"], leg.start_fen.as_str(), "seed {seed}");
                assert_eq!(part["chess960"], score.chess960, "seed {seed}");
            }
        }
        assert!(found.next().is_none(), "seed {seed}: python-chess found one game too many");
        let clocks: Vec<f64> = games
            .iter()
            .flat_map(|game| game["clocks"].as_array().unwrap())
            .filter_map(Value::as_f64)
            .collect();
        let expected: Vec<f64> = written(text, "[%clk ", "]").iter().map(|clock| seconds(clock)).collect();
        assert_eq!(clocks, expected, "seed {seed}");
        timed += clocks.len();
        let results: Vec<&str> = games.iter().map(|game| game["result"].as_str().unwrap()).collect();
        assert_eq!(results, written(text, "[Result \"", "\""), "seed {seed}");
    }
    assert!(timed > 500, "too few moves had a clock time: {timed}");
}
