//! The files in `fixtures/`: sessions, captures and records, by name.

use std::fs;
use std::path::{Path, PathBuf};

/// A file in `fixtures/`.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The file's name without folder and extension.
    pub name: String,
    /// The file's path.
    pub path: PathBuf,
    /// The file's content.
    pub text: String,
}

impl Fixture {
    /// The file of the same name with another ending, for instance `.report.json`.
    pub fn beside(&self, ending: &str) -> PathBuf {
        self.path.with_file_name(format!("{}{ending}", self.name))
    }

    /// The header, and the other lines with their line numbers in the file. Blank lines are left out, but have numbers
    /// too.
    pub fn lines(&self) -> (&str, impl Iterator<Item = (u32, &str)>) {
        let mut lines = self.text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let (header, _) = lines.next().expect("a fixture has a header");
        (header, lines.map(|(line, number)| (number, line)))
    }
}

/// The folder of the fixtures.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// All `.jsonl` files in the folder `under` of `fixtures/`, sorted by name.
pub fn all(under: &str) -> Vec<Fixture> {
    let mut fixtures: Vec<Fixture> = fs::read_dir(folder().join(under))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .map(|path| Fixture {
            name: path.file_stem().expect("it has a name").to_string_lossy().into_owned(),
            text: fs::read_to_string(&path).expect("a fixture is text"),
            path,
        })
        .collect();
    fixtures.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!fixtures.is_empty(), "no fixtures in {under}");
    fixtures
}

/// The name and arguments of each session, from the table in `fixtures/README.md`.
pub fn table() -> Vec<(String, String)> {
    let text = fs::read_to_string(folder().join("README.md")).expect("the fixtures have a table");
    text.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.strip_suffix("` |")?.split(" | ");
            let name = cells.next()?.trim_end_matches('`').to_owned();
            let arguments = cells.nth(1)?.trim_start_matches('`').to_owned();
            arguments.starts_with("--").then_some((name, arguments))
        })
        .collect()
}
