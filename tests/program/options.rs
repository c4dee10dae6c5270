//! What is asked for is done or refused: every option of `play` changes what a headless table does. What the window does with
//! them is asked in `src/cli/play/window.rs`.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::child::{text, typed_into};

/// For each option a value, what else must be said so that it can stand there, and what is typed.
const OPTIONS: [(&str, &str, &str, &str); 47] = [
    ("game", "chess", "", ""),
    ("preset", "tour", "", ""),
    ("time", "300+5", "", ""),
    ("stacks", "50", "", ""),
    ("blind", "2", "", ""),
    ("structure", "pot-limit", "", ""),
    ("set", "Q1R2B2N2P8", "", ""),
    ("becket", "", "", ""),
    ("no-empress", "", "", ""),
    ("no-castling", "", "", ""),
    ("fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "--game chess", ""),
    ("chess960", "", "--game chess", ""),
    ("deal", "rande-schande", "--game poker-chess", ""),
    ("wipeout", "3", "--game poker-chess", ""),
    ("mate-bonus", "7", "--game poker-chess", ""),
    ("choice", "player", "--game poker-chess", ""),
    ("decks", "2", "--game pokerdrez", ""),
    ("bets", "5-20", "--game pokerdrez --stacks 100", ""),
    ("stuck", "draw", "--game pokerdrez", ""),
    ("cards", "missing.toml", "--game chess-joker", ""),
    ("simple", "", "--game chess-joker", ""),
    ("confirm", "none", "--game chess-joker", ""),
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
/// `--read-deals` with a deck (`tests/cards`).
const SHOWN_ELSEWHERE: [&str; 5] = ["headless", "plain", "kiosk", "new", "read-deals"];

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
    let matches = tabiya_app::store::journal::Journal::open_read(record).ok()?.matches().ok()?;
    Some(matches.first()?.header.clone())
}

#[test]
fn no_option_of_play_is_ignored_by_a_headless_table() {
    let help = Command::new(env!("CARGO_BIN_EXE_tabiya")).args(["play", "--help"]).output().unwrap();
    let help = text(&help.stdout);
    let named = help.lines().filter_map(|line| line.trim().strip_prefix("--")).map(|option| {
        option.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-').next().unwrap_or_default()
    });
    for option in named.filter(|option| !SHOWN_ELSEWHERE.contains(option)) {
        assert!(OPTIONS.iter().any(|(row, ..)| *row == option), "--{option} has no row here");
    }
    for (option, value, besides, typed) in OPTIONS {
        let besides: Vec<&str> = besides.split_whitespace().collect();
        let option = format!("--{option}");
        let with = [&besides[..], &[option.as_str(), value][..if value.is_empty() { 1 } else { 2 }]].concat();
        assert_ne!(done(&with, typed), done(&besides, typed), "{with:?} does what {besides:?} does");
    }
}
