//! `firmware-protocol/` is a library of the Arduino IDE: its properties and folders follow "Arduino Library Specification",
//! revision 2.2 (arduino.github.io/arduino-cli, "Library specification"). `tests/devices/firmware.rs` compiles its example.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The fields that the specification demands, and those that it allows.
const DEMANDED: [&str; 9] =
    ["name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"];
const ALLOWED: [&str; 5] = ["depends", "dot_a_linkage", "includes", "precompiled", "ldflags"];
/// The categories that the specification knows. Any other one is shown as "Uncategorized".
const CATEGORIES: [&str; 9] = [
    "Display",
    "Communication",
    "Signal Input/Output",
    "Sensors",
    "Device Control",
    "Timing",
    "Data Storage",
    "Data Processing",
    "Other",
];

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("firmware-protocol")
}

fn read(name: &str) -> String {
    fs::read_to_string(library().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn properties() -> BTreeMap<String, String> {
    let pair = |line: &str| {
        let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("`{line}` is no field"));
        (name.to_owned(), value.trim().to_owned())
    };
    read("library.properties").lines().map(pair).collect()
}

/// The names in this folder of the library.
fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(library().join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn the_properties_are_those_of_an_arduino_library() {
    let fields = properties();
    for name in DEMANDED {
        assert!(fields.get(name).is_some_and(|value| !value.is_empty()), "{name} is missing");
    }
    for name in fields.keys() {
        assert!(DEMANDED.contains(&name.as_str()) || ALLOWED.contains(&name.as_str()), "{name} is unknown");
    }
    let name = &fields["name"];
    assert!(name.starts_with(|first: char| first.is_ascii_alphanumeric()) && name.len() <= 63, "{name}");
    let basic = |letter: char| letter.is_ascii_alphanumeric() || " _.-".contains(letter);
    assert!(name.chars().all(basic) && !name.to_lowercase().starts_with("arduino"), "{name}");
    assert!(CATEGORIES.contains(&fields["category"].as_str()), "{}", fields["category"]);
    assert!(fields["url"].starts_with("https://"), "{}", fields["url"]);
    for header in fields["includes"].split(',') {
        assert!(library().join("src").join(header.trim()).is_file(), "{header} is not in src/");
    }
}

#[test]
fn the_arduino_library_has_the_version_of_the_crate() {
    assert!(read("Cargo.toml").contains("version.workspace = true"), "the crate has the workspace's version");
    assert_eq!(properties()["version"], env!("CARGO_PKG_VERSION"), "library.properties and Cargo.toml");
}

/// With a folder `src`, the IDE compiles what is in it and nothing else; each example is a folder with a sketch of its name.
#[test]
fn the_folders_are_those_of_an_arduino_library() {
    let here = names(".");
    assert!(here.iter().any(|name| name == "src"), "{here:?}");
    assert!(!here.iter().any(|name| name == "utility"), "`utility` and `src` exclude each other");
    assert!(here.iter().any(|name| name.starts_with("LICENSE")), "{here:?}");
    let code = |name: &String| [".c", ".cpp", ".h", ".ino"].iter().any(|ending| name.ends_with(ending));
    assert!(!here.iter().any(code), "code beside `src`: {here:?}");
    let mut compiled: Vec<String> = names("src").into_iter().filter(code).collect();
    compiled.sort();
    assert_eq!(compiled, ["tabiya.c", "tabiya.h"]);
    let examples = names("examples");
    assert!(!examples.is_empty());
    for example in examples {
        let sketch = library().join("examples").join(&example).join(format!("{example}.ino"));
        assert!(sketch.is_file(), "{} is missing", sketch.display());
    }
}

#[test]
fn the_ide_colours_words_that_the_library_has() {
    let header = read("src/tabiya.h");
    for line in read("keywords.txt").lines() {
        let (word, kind) = line.split_once('\t').unwrap_or_else(|| panic!("no tab in `{line}`"));
        assert!(["KEYWORD1", "KEYWORD2", "LITERAL1"].contains(&kind), "{line}");
        assert!(header.contains(word), "tabiya.h has no {word}");
    }
}
