//! What is asked for is done or refused: every option of `play` changes what a headless table does. What the window does with
//! them is asked in `src/cli/play/window.rs`.

use std::path::Path;
use std::process::Command;

use tabiya_engine::rules::{GAMES, TermKind};
use tempfile::TempDir;

use crate::child::{text, typed_into};

/// For each option but those of plain terms a value, what else must be said so that it can stand there, and what is typed.
const OPTIONS: [(&str, &str, &str, &str); 44] = [
    ("game", "chess", "", ""),
    ("preset", "tour", "", ""),
    ("time", "300+5", "", ""),
    ("stacks", "50", "", ""),
    ("blind", "2", "", ""),
    ("structure", "pot-limit", "", ""),
    ("set", "Q1R2B2N2P8", "", ""),
    ("fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "--game chess", ""),
    ("chess960", "", "--game chess", ""),
    ("chess960", "734", "--game chess", ""),
    ("seed", "3", "--game chess --chess960", ""),
    ("deal", "rande-schande", "--game poker-chess", ""),
    ("bets", "5-20", "--game pokerdrez --stacks 100", ""),
    ("cards", "missing.toml", "--game chess-joker", ""),
    ("games", "3", "", ""),
    ("draw-wins", "black", "--game chess", ""),
    ("press", "auto", "", ""),
    ("voice", "event", "", ""),
    ("clock", "device", "--record evening.tabiya", ""),
    ("terms", r#"{"settle_ms":500}"#, "--record evening.tabiya", ""),
    ("language", "de", "", ""),
    ("players", "Ann,Bo", "", ""),
    ("white", "B", "", ""),
    ("board", "dgt:/dev/null", "", ""),
    ("box", "diy:/dev/null", "", ""),
    ("record", "evening.tabiya", "", ""),
    ("clock-side", "right", "--game chess", "clock-side"),
    ("keypads", "", "--keypad-port 0", ""),
    ("keypad-port", "0", "--keypads --game clock --time 5min", ""),
    ("event", "127.0.0.1:1", "", ""),
    ("table-file", "missing.json", "--event 127.0.0.1:1", ""),
    ("tables", "missing.toml", "", ""),
    ("copy", "copies", "--record evening.tabiya", ""),
    ("carry-on", "", "--record missing.tabiya", ""),
    ("pgn", "evening.pgn", "--game chess", "e2e4"),
    ("deck", "Club", "", ""),
    ("capture", "bytes.jsonl", "--board sim --plies 2 --games 1", ""),
    ("profile", "clumsy", "", ""),
    ("profile", "hostile", "--board sim --games 1 --time 300+5 --seed 7", ""),
    ("seed", "2", "", ""),
    ("seed", "9", "--board sim --plies 2 --games 1", ""),
    ("plies", "4", "", ""),
    ("plies", "4", "--board sim --games 1 --seed 7", ""),
    ("start", "2026-10-03T19:30:00+02:00", "--record evening.tabiya", ""),
];
/// Options that say where a table runs, and what the other tests show: `--new` beside an unfinished match (`evening.rs`), and
/// `--read-deals` with a deck (`tests/cards`), and `--unattended` (`service.rs`).
const SHOWN_ELSEWHERE: [&str; 6] = ["headless", "plain", "kiosk", "new", "read-deals", "unattended"];

/// All options as in `OPTIONS`, with those of the games' plain terms.
fn options() -> Vec<(&'static str, String, String, &'static str)> {
    let others = OPTIONS
        .into_iter()
        .map(|(option, value, besides, typed)| (option, value.to_owned(), besides.to_owned(), typed));
    others.chain(plain_terms().into_iter().map(|(option, value, game)| (option, value, game, ""))).collect()
}

/// The options of the games' plain terms, each with a value that is not the usual one, and with its game.
fn plain_terms() -> Vec<(&'static str, String, String)> {
    let mut all = Vec::new();
    for game in GAMES {
        for term in game.terms().iter().filter(|term| term.kind.is_plain()) {
            let Some(option) = term.option else { continue };
            let value = match term.kind {
                TermKind::Number(number) => number.most.to_string(),
                kind => kind.choices().last().map_or_else(String::new, |value| {
                    value.as_text().map_or_else(|| value.as_number().unwrap().to_string(), str::to_owned)
                }),
            };
            all.push((option.long, value, format!("--game {}", game.name())));
        }
    }
    assert!(all.len() >= 10, "{all:?}");
    all
}

/// All that a table prints and writes with these arguments.
fn done(arguments: &[&str], typed: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("copies")).unwrap();
    let base = ["play", "--headless", "--plain"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command
        .args([&base[..], arguments].concat())
        .current_dir(folder.path())
        .env("TABIYA_CONFIG", folder.path().join("config"))
        .env("TABIYA_DATA", folder.path().join("data"));
    let output = typed_into(&mut command, &format!("{typed}\nquit\nyes\n"));
    format!("{:?}\n{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr), files(&folder))
        .replace(&folder.path().display().to_string(), "")
}

/// The names of the files in the folder, and what stands in the records' headers.
fn files(folder: &TempDir) -> String {
    let mut names = Vec::new();
    for place in [folder.path().to_owned(), folder.path().join("copies")] {
        for entry in std::fs::read_dir(place).unwrap().flatten() {
            names.push(entry.path().display().to_string());
        }
    }
    names.sort();
    names.push(header(&folder.path().join("evening.tabiya")).unwrap_or_default());
    names.join(" ")
}

fn header(record: &Path) -> Option<String> {
    let matches = tabiya_store::journal::Journal::open_read(record).ok()?.matches().ok()?;
    Some(matches.first()?.header.clone())
}

#[test]
fn no_option_of_play_is_ignored_by_a_headless_table() {
    let help = Command::new(env!("CARGO_BIN_EXE_tabiya")).args(["play", "--help"]).output().unwrap();
    let help = text(&help.stdout);
    let named = help.lines().filter_map(|line| line.trim().strip_prefix("--")).map(|option| {
        option.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-').next().unwrap_or_default()
    });
    let options = options();
    for option in named.filter(|option| !SHOWN_ELSEWHERE.contains(option)) {
        assert!(options.iter().any(|(row, ..)| *row == option), "--{option} has no row here");
    }
    for (option, value, besides, typed) in &options {
        let besides: Vec<&str> = besides.split_whitespace().collect();
        let option = format!("--{option}");
        let with = [&besides[..], &[option.as_str(), value.as_str()][..if value.is_empty() { 1 } else { 2 }]]
            .concat();
        assert_ne!(done(&with, typed), done(&besides, typed), "{with:?} does what {besides:?} does");
    }
}

/// The options that say on which terms a new match is played, each with a game that has it.
fn options_of_terms() -> impl Iterator<Item = (&'static str, String, String)> {
    let others = [
        "game",
        "cards",
        "language",
        "board",
        "box",
        "record",
        "clock-side",
        "copy",
        "event",
        "table-file",
        "carry-on",
        "unattended",
        "pgn",
        "deck",
        "capture",
        "profile",
        "seed",
        "plies",
        "tables",
        "keypads",
        "keypad-port",
    ];
    let terms = options().into_iter().filter(move |(option, ..)| !others.contains(option));
    terms.map(|(option, value, besides, _)| {
        let game = besides.split_whitespace().skip_while(|word| *word != "--game").nth(1);
        let game = game.unwrap_or("choker").to_owned();
        (option, value, game)
    })
}

/// Runs a headless table with these arguments, and returns why it was refused.
fn refused(command: &str, arguments: &[&str], folder: &Path) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    program.args([command, "--headless", "--plain"]).args(arguments).current_dir(folder);
    program.env("TABIYA_CONFIG", folder.join("config")).env("TABIYA_DATA", folder.join("data"));
    let output = typed_into(&mut program, "e2e4\nquit\nyes\n");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn a_match_that_is_carried_on_keeps_its_own_terms_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    program.args([
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--press",
        "auto",
        "--record",
        "e.tabiya",
    ]);
    program.env("TABIYA_CONFIG", folder.join("config")).env("TABIYA_DATA", folder.join("data"));
    typed_into(program.current_dir(folder), "e2e4\nquit\nyes\n");
    let record = folder.join("e.tabiya");
    let before = header(&record);
    let carry_on = ["--record", "e.tabiya", "--carry-on"];
    for (option, value, _) in options_of_terms() {
        let option = format!("--{option}");
        let said = [option.as_str(), value.as_str()];
        let said = &said[..if value.is_empty() { 1 } else { 2 }];
        let told = refused("play", &[&carry_on[..], said].concat(), folder);
        assert!(
            told.starts_with(&format!("{option}: a match that is carried on has its own terms")),
            "{told}"
        );
    }
    let told = refused("play", &[&carry_on[..], &["--game", "choker"]].concat(), folder);
    assert!(told.contains("--game choker: the match to carry on is chess"), "{told}");
    for said in [&["5+3"][..], &["--run-on"], &["--players", "Ann,Bo"], &["--voice", "event"]] {
        let told = refused("clock", &[&carry_on[..], said].concat(), folder);
        assert!(told.contains("a match that is carried on has its own terms"), "{told}");
    }
    assert_eq!(header(&record), before);
}

#[test]
fn terms_of_another_game_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let of_all_games = [
        "preset",
        "time",
        "games",
        "draw-wins",
        "press",
        "voice",
        "clock",
        "terms",
        "players",
        "white",
        "start",
    ];
    for (option, value, own) in options_of_terms().filter(|(option, ..)| !of_all_games.contains(option)) {
        let option = format!("--{option}");
        let said = [option.as_str(), value.as_str()];
        let said = &said[..if value.is_empty() { 1 } else { 2 }];
        let other = if own == "choker" { "chess" } else { "choker" };
        let told = refused("play", &[&["--game", other], said].concat(), folder.path());
        assert!(told.starts_with(&format!("{option}: {other} has no such term")), "{told}");
    }
}

#[test]
fn bytes_cannot_be_saved_without_a_board() {
    let folder = tempfile::tempdir().unwrap();
    let told = refused("play", &["--capture", "bytes.jsonl"], folder.path());
    assert!(told.contains("--capture: there is no board whose bytes could be saved"), "{told}");
    assert!(!folder.path().join("bytes.jsonl").exists());
}
