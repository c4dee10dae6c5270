//! Which crates are for other programs, and that a registry gets all it wants to know of them. Whether they build from what a
//! registry would get is asked by `cargo publish --dry-run -p firmware-protocol -p tabiya-types -p tabiya-boards`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The crates for other programs: their folders. All others are parts of the program.
const LIBRARIES: [&str; 3] = ["firmware-protocol", "src/types", "src/boards"];
const PARTS: [&str; 9] = [
    ".",
    "src/engine",
    "src/cards",
    "src/text",
    "src/store",
    "src/app",
    "src/event",
    "src/ui",
    "src/terminal",
];

/// The fields of the manifest's table `[package]`, as they are written.
fn package(folder: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
    let text = fs::read_to_string(path).unwrap();
    let table = text.split("[package]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let fields = table.lines().filter_map(|line| line.split_once(" = "));
    fields.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect()
}

#[test]
fn a_registry_knows_all_of_the_libraries() {
    for folder in LIBRARIES {
        let fields = package(folder);
        for name in ["description", "license", "readme", "documentation", "keywords", "categories"] {
            assert!(fields.contains_key(name), "{folder}/Cargo.toml has no `{name}`");
        }
        assert!(!fields.contains_key("publish"), "{folder}");
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for file in [fields["readme"].as_str(), "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(here.join(file).is_file(), "{folder}/{file} is missing");
        }
    }
}

#[test]
fn the_parts_of_the_program_are_not_published() {
    for folder in PARTS {
        assert_eq!(package(folder).get("publish").map(String::as_str), Some("false"), "{folder}/Cargo.toml");
    }
}
