//! Tests of rules that the compiler does not check. The rules are about rooms (a room is a crate, or a module of the
//! engine): which room may use which other room, which rooms read no time, use no random numbers and do no IO, and
//! which files may use certain libraries.

use std::fs;
use std::path::{Path, PathBuf};

use crate::rust_files::rust_files;

/// The rooms inside the engine, and the rooms that each may use. They are one crate, so the compiler allows any use.
const ROOMS: [(&str, &[&str]); 5] = [
    ("rules", &[]),
    ("clock", &[]),
    ("table", &["rules", "clock"]),
    ("sense", &["rules", "clock", "table"]),
    ("record", &["rules", "clock", "table", "sense"]),
];

/// The crates of this workspace, and the crates that each may have as a dependency. A dependency that is not listed
/// here is a new arrow in the map of the rooms, which needs a decision.
const CRATES: [(&str, &[&str]); 11] = [
    ("firmware-protocol", &[]),
    ("src/types", &[]),
    ("src/engine", &["types"]),
    ("src/boards", &["types", "firmware-protocol"]),
    ("src/cards", &["types"]),
    ("src/text", &["types"]),
    ("src/store", &["types", "engine", "cards", "text"]),
    ("src/app", &["types", "engine", "boards", "cards", "text", "store"]),
    ("src/event", &["types", "engine", "boards", "text", "store", "app"]),
    ("src/ui", &["types", "engine", "text", "store", "app"]),
    ("src/terminal", &["types", "engine", "boards", "text", "app"]),
];

/// Rooms that read no time, use no random numbers and do no IO.
const PURE: [&str; 6] = ["types", "rules", "clock", "table", "sense", "record"];

const IMPURE: [&str; 18] = [
    "std::io",
    "std::os",
    "chrono::Local",
    "chrono::Utc",
    "println!",
    "eprintln!",
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

/// Every source file with its room and its text, comments left out.
fn sources() -> Vec<(String, PathBuf, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    rust_files(&source, &mut found);
    found.sort();
    found
        .into_iter()
        .filter_map(|path| {
            let inside = path.strip_prefix(&source).unwrap().to_owned();
            let room = inside.iter().next()?.to_str()?.trim_end_matches(".rs").to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let code: Vec<&str> =
                text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
            (room != "main").then(|| (room, inside, code.join("\n")))
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

/// The rooms that `super::super::…` paths name, in a file that is `depth` modules below the crate's root.
fn used_from_below(code: &str, depth: usize) -> Vec<String> {
    let mut rooms = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("super::") {
        rest = &rest[at..];
        let mut steps = 0;
        while let Some(above) = rest.strip_prefix("super::") {
            (rest, steps) = (above, steps + 1);
        }
        if steps >= depth {
            rooms.extend(used(&format!("crate::{rest}")).into_iter().next());
        }
    }
    rooms
}

/// The files of an event that read no time, use no random numbers and do no IO: what goes over its wire, and who may do what.
const PURE_OF_EVENT: [&str; 15] = [
    "rounds",
    "wire",
    "lists",
    "orders",
    "digits",
    "joining",
    "copies",
    "console/alerts",
    "console/seen",
    "console/told",
    "console/page/board",
    "console/page/sessions",
    "keypads/sessions",
    "pages/forms",
    "pages/request",
];

#[test]
fn what_goes_over_the_wire_of_an_event_is_pure() {
    let mut seen = 0;
    for (room, path, code) in sources() {
        let inside = path.to_str().unwrap().trim_start_matches("event/").replace(char::from(92), "/");
        let is_pure = |name: &&str| {
            inside.strip_prefix(*name).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        if room != "event" || !PURE_OF_EVENT.iter().any(is_pure) {
            continue;
        }
        seen += 1;
        for word in IMPURE {
            assert!(!code.contains(word), "{}: `{word}`", path.display());
        }
    }
    assert!(seen >= PURE_OF_EVENT.len());
}

#[test]
fn every_room_of_the_engine_uses_only_the_rooms_below_it() {
    let mut wrong = Vec::new();
    for (room, path, code) in sources() {
        let Some((_, may)) = ROOMS.iter().find(|(name, _)| *name == room) else { continue };
        let depth = path.iter().count();
        for other in used(&code).into_iter().chain(used_from_below(&code, depth)) {
            if other != room && ROOMS.iter().any(|(name, _)| *name == other) && !may.contains(&other.as_str())
            {
                wrong.push(format!("{}: {room} must not use {other}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The crates of this workspace among the dependencies of a manifest, without its dev-dependencies.
fn built_with(manifest: &str) -> Vec<String> {
    let mut counts = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            // Dependencies of one platform count, too: `[target.'cfg(unix)'.dependencies]`.
            counts = line.ends_with("dependencies]") && !line.ends_with("dev-dependencies]");
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        if counts && (name.starts_with("tabiya-") || name == "firmware-protocol") {
            names.push(name.trim_start_matches("tabiya-").to_owned());
        }
    }
    names
}

#[test]
fn every_crate_is_built_with_the_crates_below_it_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for (name, may) in CRATES {
        let manifest = fs::read_to_string(root.join(name).join("Cargo.toml")).unwrap();
        let found = built_with(&manifest);
        wrong.extend(
            found
                .iter()
                .filter(|other| !may.contains(&other.as_str()))
                .map(|other| format!("{name} must not use {other}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for (name, _) in CRATES {
        assert!(workspace.contains(&format!("\"{name}\"")), "{name} is not a member of the workspace");
    }
}

#[test]
fn the_window_library_stands_in_one_file() {
    let knows: Vec<PathBuf> = sources()
        .into_iter()
        .filter(|(_, _, code)| code.contains("eframe"))
        .map(|(_, path, _)| path)
        .collect();
    assert_eq!(knows, [Path::new("ui/window.rs")]);
}

/// The libraries that one room alone may name: the journal's database; ciphers, signatures and slow hashes; and those that
/// draw on terminals.
const OF_ONE_ROOM: [(&str, &str); 9] = [
    ("rusqlite", "store"),
    ("chacha20poly1305", "store"),
    ("hpke", "store"),
    ("argon2", "store"),
    ("bip39", "store"),
    ("ring", "store"),
    ("ratatui", "terminal"),
    ("tui_big_text", "terminal"),
    ("tui_input", "terminal"),
];

#[test]
fn each_of_these_libraries_stands_in_one_room() {
    let mut wrong = Vec::new();
    for (library, room) in OF_ONE_ROOM {
        let path = format!("{library}::");
        let names = |code: &str| {
            code.match_indices(&path).any(|(at, _)| {
                !code[..at]
                    .ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':')
            })
        };
        let users: Vec<_> = sources().into_iter().filter(|(_, _, code)| names(code)).collect();
        assert!(!users.is_empty(), "nothing uses {library}");
        wrong.extend(
            users
                .into_iter()
                .filter(|(user, ..)| user != room)
                .map(|(_, path, _)| format!("{}: {library} belongs into {room}", path.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program that only follows a record, and has no session, shows a table with the views.
#[test]
fn views_know_no_session() {
    let views: Vec<(PathBuf, String)> = sources()
        .into_iter()
        .filter(|(_, path, _)| path.starts_with("app/view") || path == Path::new("app/view.rs"))
        .map(|(_, path, code)| (path, code))
        .collect();
    assert!(views.len() > 4, "the views were found");
    for (path, code) in views {
        let rooms = used(&code).into_iter().chain(used_from_below(&code, path.iter().count() - 1));
        let may = ["view", "store", "board", "cards", "matches", "status", "table"];
        let wrong: Vec<String> =
            rooms.filter(|room| !room.is_empty() && !may.contains(&room.as_str())).collect();
        assert!(wrong.is_empty(), "{}: a view must not use {wrong:?}", path.display());
    }
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
    let code = "use super::super::sense::Watch;\nuse super::table::Table;\nsuper::super::super::record::x();";
    assert_eq!(used_from_below(code, 2), ["sense", "record"]);
}

#[test]
fn the_reader_of_manifests_reads_every_table_of_dependencies() {
    let manifest = "[dependencies]\ntabiya-types.workspace = true\nserde = \"1\"\n[dev-dependencies]\ntabiya-app = \"1\"\n[target.'cfg(unix)'.dependencies]\ntabiya-boards = \"1\"\n[build-dependencies]\nfirmware-protocol = \"1\"";
    assert_eq!(built_with(manifest), ["types", "boards", "firmware-protocol"]);
}

/// What only a program that knows its operating system writes.
const OF_A_SYSTEM: [&str; 7] =
    ["cfg(unix)", "cfg(not(unix))", "cfg!(unix)", "windows)", "target_os", "std::os::", "nix::"];

/// The code of a file without its tests.
fn without_tests(code: &str) -> &str {
    let tests = ["#[cfg(test)]\nmod ", "#[cfg(all(test"].into_iter().filter_map(|start| code.find(start));
    tests.min().map_or(code, |at| &code[..at])
}

#[test]
fn only_modules_named_platform_know_which_system_they_run_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    rust_files(&root.join("src"), &mut found);
    rust_files(&root.join("firmware-protocol/src"), &mut found);
    let is_told =
        |path: &Path| path.iter().any(|part| part.to_string_lossy().trim_end_matches(".rs") == "platform");
    let is_test =
        |path: &Path| path.iter().any(|part| part.to_string_lossy().trim_end_matches(".rs") == "tests");
    let mut wrong = Vec::new();
    let mut told = 0;
    for path in found.iter().filter(|path| !is_test(path)) {
        let text = fs::read_to_string(path).unwrap();
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
        let code = code.join("\n");
        let words = OF_A_SYSTEM.into_iter().filter(|word| without_tests(&code).contains(word));
        if is_told(path) {
            told += words.count().min(1);
        } else {
            wrong.extend(
                words.map(|word| format!("{}: `{word}` belongs into a module `platform`", path.display())),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(told > 4, "the modules that know their system were found");
}
