//! Habits of the house: names that mean one thing, and tests that wait for conditions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::rust_files::rust_files;

/// The files that may sleep: the waits of the tests, and the product's own pauses in real time.
const MAY_SLEEP: [&str; 9] = [
    "tests/support/wait.rs",
    "tests/house/habits.rs",
    "src/boards/waiting.rs",
    "src/app/time.rs",
    "src/app/board_notes.rs",
    "src/cards/readers/worker.rs",
    // A reader beside a running table looks again; the table tells nobody when it has written.
    "src/store/journal/settled.rs",
    "src/store/notes.rs",
    // This file sleeps, because a simulated card reader is as slow as the real one.
    "src/cards/sim.rs",
];

/// The Rust files below these folders: each path from the repository's root, and its text without comments.
fn code(folders: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in folders {
        rust_files(&root.join(folder), &mut found);
    }
    found.sort();
    found
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> =
                text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
            (name, lines.join("\n"))
        })
        .collect()
}

#[test]
fn tests_wait_for_conditions_and_only_named_files_sleep() {
    let code = code(&["src", "tests", "firmware-protocol"]);
    let sleepers: Vec<&str> = code
        .iter()
        .filter(|(_, text)| text.contains("thread::sleep"))
        .map(|(name, _)| name.as_str())
        .filter(|name| !name.starts_with("tests/ifd"))
        .collect();
    let unexpected: Vec<&&str> = sleepers.iter().filter(|name| !MAY_SLEEP.contains(name)).collect();
    assert!(unexpected.is_empty(), "wait for a condition (tests/support/wait.rs) in {unexpected:?}");
    for name in MAY_SLEEP {
        assert!(sleepers.contains(&name), "{name} does not sleep any more; take it off the list");
    }
}

/// A path with a line feed must not look like a line of its own, so people see paths through `tabiya_types::shown`.
#[test]
fn paths_are_shown_in_one_line() {
    // A port's path is opened again, and the dialog for files takes a name as it is; the folder of copies is edited.
    let may = ["src/app/desk/simulator.rs", "src/ui/choosing.rs", "src/ui/settings.rs"];
    let code = code(&["src/app", "src/cli", "src/terminal", "src/ui"]);
    let raw: Vec<&str> = code
        .iter()
        .filter(|(name, text)| text.contains(".display()") && !name.contains("tests"))
        .map(|(name, _)| name.as_str())
        .filter(|name| !may.contains(name))
        .collect();
    assert!(raw.is_empty(), "use `tabiya_types::shown` in {raw:?}");
}

#[test]
fn every_type_of_the_crates_has_a_name_of_its_own() {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in code(&["src", "firmware-protocol/src"]) {
        for line in text.lines() {
            let Some(item) = line.trim_start().strip_prefix("pub") else { continue };
            let item =
                item.strip_prefix('(').map_or(item, |rest| rest.split_once(')').map_or("", |(_, item)| item));
            let mut words = item.split_whitespace();
            let (Some("struct" | "enum" | "trait" | "type" | "union"), Some(name)) =
                (words.next(), words.next())
            else {
                continue;
            };
            let name: String =
                name.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            // In a macro the name is a parameter.
            if !name.is_empty() {
                names.entry(name).or_default().push(file.clone());
            }
        }
    }
    assert!(names.len() > 300, "only {} types were found", names.len());
    for (name, mut files) in names {
        // A file may define the same type twice, for two operating systems. Such a file is counted once.
        files.dedup();
        assert_eq!(files.len(), 1, "{name} names types in {files:?}");
    }
}

/// Only the theme and the drawn pictures have colours of their own. Pictures may be drawn more or less transparent.
#[test]
fn no_screen_sets_its_own_colours() {
    let may = ["src/ui/theme.rs", "src/ui/art.rs"];
    let own = [
        "Color32::from_rgb",
        "Color32::from_gray",
        "Color32::from_black_alpha",
        "Color32::from_hex",
        "hex_color!",
    ];
    let code = code(&["src/ui"]);
    let screens = code.iter().filter(|(name, _)| !may.contains(&name.as_str()));
    let found: Vec<String> = screens
        .flat_map(|(name, text)| text.lines().map(move |line| (name, line)))
        .filter(|(_, line)| {
            own.iter().any(|word| line.contains(word) && !line.contains("from_rgba_unmultiplied(color"))
        })
        .map(|(name, line)| format!("{name}: {}", line.trim()))
        .collect();
    assert!(found.is_empty(), "give these colours a name in src/ui/theme.rs: {found:#?}");
}
