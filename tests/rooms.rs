//! Which room may use which: reads every `crate::…` path and every forbidden word in `src/`.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may stop at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

/// A room and the rooms it may use. A clock speaks of colours, a board's driver of boards and moments.
const ROOMS: [(&str, &[&str]); 10] = [
    ("rules", &[]),
    ("clock", &["rules"]),
    ("table", &["rules", "clock"]),
    ("sense", &["rules", "clock", "table"]),
    ("record", &["rules", "clock", "table", "sense"]),
    ("devices", &["rules", "clock", "sense"]),
    ("app", &["rules", "clock", "table", "sense", "record", "devices"]),
    ("ui", &["rules", "clock", "table", "sense", "record", "app"]),
    ("event", &["rules", "clock", "table", "sense", "record", "app"]),
    ("cli", &["rules", "clock", "table", "sense", "record", "devices", "app", "ui", "event"]),
];

/// Rooms that read no time, draw no chance and do no IO.
const PURE: [&str; 4] = ["rules", "clock", "table", "sense"];

const IMPURE: [&str; 12] = [
    "std::time::Instant",
    "SystemTime",
    "time::Instant",
    "Instant::now",
    "std::fs",
    "std::net",
    "std::thread",
    "std::process",
    "std::env",
    "getrandom",
    "rand_chacha",
    "tokio",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every source file with its room and its text, comments left out.
fn sources() -> Vec<(String, PathBuf, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&source, &mut found);
    found.sort();
    found
        .into_iter()
        .filter_map(|path| {
            let inside = path.strip_prefix(&source).unwrap().to_owned();
            let room = inside.iter().next()?.to_str()?.trim_end_matches(".rs").to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let code: Vec<&str> =
                text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
            (!["lib", "main"].contains(&room.as_str())).then(|| (room, inside, code.join("\n")))
        })
        .collect()
}

/// The rooms that `crate::…` paths name: `crate::clock::Clock` and `crate::{clock::Clock, rules}`.
fn used(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    let mut rooms = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            rooms.push(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (at, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                letter if start && letter.is_alphabetic() => {
                    rooms.push(word(&list[at..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    rooms
}

#[test]
fn every_room_uses_only_the_rooms_below_it() {
    let mut wrong = Vec::new();
    for (room, path, code) in sources() {
        let Some((_, may)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{} is in no room known here", path.display()));
            continue;
        };
        for other in used(&code) {
            if other != room && ROOMS.iter().any(|(name, _)| *name == other) && !may.contains(&other.as_str())
            {
                wrong.push(format!("{}: {room} must not use {other}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pure_rooms_read_no_time_and_do_no_io() {
    let mut wrong = Vec::new();
    for (room, path, code) in sources() {
        if PURE.contains(&room.as_str()) {
            let found = IMPURE.iter().filter(|word| code.contains(*word));
            wrong.extend(found.map(|word| format!("{}: {room} mentions {word}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_chess_phase_knows_the_chess_library() {
    let knows: Vec<String> = sources()
        .into_iter()
        .filter(|(room, _, code)| {
            ["rules", "clock", "table", "sense"].contains(&room.as_str()) && code.contains("shakmaty")
        })
        .map(|(_, path, _)| path.display().to_string())
        .collect();
    assert_eq!(knows, ["rules/play.rs"]);
}

#[test]
fn the_reader_of_paths_reads_them_all() {
    let code = "use crate::{clock::{Clock, Instant}, rules};\nlet x = crate::table::Table::new();\nmy_crate::ui::x();";
    assert_eq!(used(code), ["clock", "rules", "table"]);
}
