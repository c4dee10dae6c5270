//! The crate `tabiya-boards` as other programs use it: with it, a program of ten lines can read a board. The crate has
//! no dependencies except those that it promises.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};

use crate::child::{Table, name};
use crate::wait::PATIENCE;

/// The folder of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs cargo without the network, and returns its standard output.
fn cargo(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--locked", "--offline"])
        .current_dir(root())
        .env("CARGO_TARGET_DIR", built())
        // A linting compiler of the tests is not for the programs of others.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .output()
        .expect("cargo starts");
    let (out, err) = (crate::child::text(&done.stdout), crate::child::text(&done.stderr));
    assert!(done.status.success(), "cargo {arguments:?}\n{out}\n{err}");
    out
}

/// The target folder for other workspaces, so that their builds do not disturb this workspace's builds.
fn built() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside")
}

/// The program of `tests/outside/`, while it runs.
struct Outside {
    child: Child,
    lines: Receiver<String>,
}

impl Outside {
    fn start(address: &str) -> Self {
        cargo(&["build", "--manifest-path", "tests/outside/Cargo.toml"]);
        let mut child = Command::new(built().join("debug/outside"))
            .arg(address)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let out = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = mpsc::channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        Self { child, lines }
    }

    /// The next line that it prints.
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("another line")
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn another_program_reads_a_board_with_the_crate_alone() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("board");
    let mut board = Table::start(&["sim", "dgt", "--link", name(&link)]);
    board.hear("the board is at");
    let outside = Outside::start(&format!("dgt:{}", name(&link)));
    assert!(outside.line().starts_with("DGT "), "the first line names the maker");
    assert_eq!(outside.line(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    board.enter("lift e2");
    assert_eq!(outside.line(), "nothing on e2");
    board.enter("put e4 P");
    assert_eq!(outside.line(), "white pawn on e4");
    board.enter("press white");
    assert_eq!(outside.line(), "White has pressed");
    board.enter("unplug 500");
    assert!(outside.line().starts_with("lost: "));
    // When the board is plugged in again, the program connects to it without help.
    while outside.line() != "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR" {}
}

/// All crates in a build of `tabiya-boards` with these features.
fn consists_of(features: &[&str]) -> Vec<String> {
    let ask = ["tree", "--package", "tabiya-boards", "--edges", "normal", "--prefix", "none"];
    let told = cargo(&[&ask, features].concat());
    let names = told.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn without_features_there_is_no_port_library_and_no_runtime() {
    let crates = consists_of(&["--no-default-features"]);
    assert!(crates.iter().any(|name| name == "tabiya-types"), "{crates:?}");
    for foreign in
        ["shakmaty", "egui", "eframe", "rusqlite", "tokio", "btleplug", "serialport", "tungstenite", "nix"]
    {
        assert!(!crates.iter().any(|name| name == foreign), "{foreign} in {crates:?}");
    }
}

#[test]
fn with_all_features_there_is_no_chess_library_no_window_and_no_database() {
    let crates = consists_of(&["--all-features"]);
    for needed in ["serialport", "btleplug", "tungstenite"] {
        assert!(crates.iter().any(|name| name == needed), "{needed} is missing in {crates:?}");
    }
    for foreign in ["shakmaty", "egui", "eframe", "rusqlite", "tabiya-engine", "tabiya-app"] {
        assert!(!crates.iter().any(|name| name == foreign), "{foreign} in {crates:?}");
    }
}

#[test]
fn the_crates_page_shows_its_example() {
    let read = |name: &str| std::fs::read_to_string(root().join("src/boards").join(name)).unwrap();
    let (page, example) = (read("README.md"), read("examples/watch.rs"));
    let code = &example[example.find("use tabiya_boards").unwrap()..];
    assert!(page.contains(code), "the page does not have\n{code}");
}

#[test]
fn the_crates_page_names_every_maker_and_every_feature() {
    let read = |name: &str| std::fs::read_to_string(root().join("src/boards").join(name)).unwrap();
    let (page, manifest) = (read("README.md"), read("Cargo.toml"));
    for maker in tabiya_boards::makers::CATALOG {
        assert!(page.contains(&format!("`{}:", maker.prefix())), "{maker:?} is missing");
    }
    let features = manifest.lines().skip_while(|line| *line != "[features]").skip(1);
    let features = features.take_while(|line| !line.starts_with('['));
    for feature in features.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name) {
        let named = feature == "default" || page.contains(&format!("`{feature}`"));
        assert!(named, "{feature} is missing");
    }
}
