//! What is somebody else's stays: a name that the program would like to write may lead to his own file.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::child::{text, typed_into};

const PRECIOUS: &str = "what I want to keep\n";

/// A folder in which somebody keeps files of his own beside the records.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("precious.txt", PRECIOUS);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn link(&self, to: &str, name: &str) {
        symlink(self.path(to), self.path(name)).unwrap();
    }

    /// Runs the program in this folder. Returns its status, and all that it printed.
    fn run(&self, arguments: &[&str], typed: &str) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("TABIYA_CONFIG", self.path("config"))
            .env("TABIYA_DATA", self.path("data"));
        let output = typed_into(&mut command, typed);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    }

    fn play(&self, more: &[&str]) -> (Option<i32>, String) {
        let chess = ["play", "--headless", "--plain", "--game", "chess", "--press", "auto"];
        self.run(&[&chess[..], more].concat(), "e2e4\ne7e5\nquit\nyes\n")
    }

    /// Asserts that the program refuses to play before the match begins.
    fn refused(&self, more: &[&str], why: &str) {
        let (status, told) = self.play(more);
        assert!(status == Some(2) && told.contains(why) && !told.contains("plays e2e4"), "{more:?}: {told}");
    }
}

#[test]
fn a_link_or_a_file_of_ones_own_at_the_locks_name_is_neither_written_nor_deleted() {
    let folder = Folder::new();
    folder.link("precious.txt", "a.tabiya.lock");
    folder.link("nothing.txt", "b.tabiya.lock");
    folder.write("c.tabiya.lock", PRECIOUS);
    for record in ["a.tabiya", "b.tabiya", "c.tabiya"] {
        folder.refused(&["--record", record], &format!("{record}.lock is no lock of Tabiya's"));
        assert!(!folder.path(record).exists(), "{record}");
    }
    assert_eq!(folder.read("precious.txt"), PRECIOUS);
    assert_eq!(folder.read("c.tabiya.lock"), PRECIOUS);
    assert!(folder.path("a.tabiya.lock").is_symlink() && !folder.path("nothing.txt").exists());
    // A lock that a killed program left stops nobody.
    for (record, left) in [("d.tabiya", "4711"), ("e.tabiya", ""), ("f.tabiya", "\0\0\0\0")] {
        folder.write(&format!("{record}.lock"), left);
        let (status, told) = folder.play(&["--record", record]);
        assert!(status == Some(0) && told.contains("plays e7e5"), "{told}");
        assert!(!folder.path(&format!("{record}.lock")).exists(), "{record}");
    }
}

#[test]
fn a_link_at_the_name_of_the_copys_lock_is_told_and_the_match_goes_on() {
    let folder = Folder::new();
    fs::create_dir(folder.path("stick")).unwrap();
    folder.link("precious.txt", "stick/e.tabiya.lock");
    let (_, told) = folder.play(&["--record", "e.tabiya", "--copy", "stick"]);
    assert!(told.contains("lacks the last 2 lines") && told.contains("plays e7e5"), "{told}");
    assert_eq!(folder.read("precious.txt"), PRECIOUS);
    assert!(folder.path("stick/e.tabiya.lock").is_symlink());
}

#[test]
fn signed_heads_are_written_neither_through_a_link_nor_over_a_file_of_ones_own() {
    let folder = Folder::new();
    folder.link("precious.txt", "a.heads");
    folder.write("b.heads", PRECIOUS);
    folder.write("c.heads", "{\n\"mine\": 1\n}\n");
    for record in ["a.tabiya", "b.tabiya", "c.tabiya"] {
        let (_, told) = folder.play(&["--record", record]);
        assert!(
            told.contains("plays e7e5") && told.contains("signed heads of the record cannot be written"),
            "{record}: {told}"
        );
    }
    assert_eq!(folder.read("precious.txt"), PRECIOUS);
    assert_eq!(folder.read("b.heads"), PRECIOUS);
    assert_eq!(folder.read("c.heads"), "{\n\"mine\": 1\n}\n");
    // Copies and saved records have heads, too.
    folder.write("stick/d.heads", PRECIOUS);
    let (_, told) = folder.play(&["--record", "d.tabiya", "--copy", "stick"]);
    assert!(told.contains("plays e7e5"), "{told}");
    assert_eq!(folder.read("stick/d.heads"), PRECIOUS);
    folder.write("saved.heads", PRECIOUS);
    let (status, told) = folder.run(&["salvage", "d.tabiya", "--out", "saved.tabiya"], "");
    assert!(status == Some(2) && !folder.path("saved.tabiya").exists(), "{told}");
    assert_eq!(folder.read("saved.heads"), PRECIOUS);
}

const COLLECTION: &str = "[Event \"Hastings\"]\n[Site \"?\"]\n\n1. e4 *\n";

#[test]
fn the_pgn_of_a_match_replaces_no_file_of_ones_own_and_no_collection_of_games() {
    let folder = Folder::new();
    folder.write("games.pgn", COLLECTION);
    folder.refused(&["--pgn", "precious.txt"], "is no PGN of Tabiya's");
    folder.refused(&["--pgn", "games.pgn"], "is no PGN of Tabiya's");
    folder.write("empty.pgn", "");
    for pgn in ["empty.pgn", "new.pgn", "new.pgn"] {
        let (status, told) = folder.play(&["--pgn", pgn]);
        assert!(status == Some(0) && folder.read(pgn).contains("1. e4 e5"), "{told}");
    }
    // Somebody adds his own games to those of the table.
    let collected = folder.read("new.pgn") + "\n" + COLLECTION;
    folder.write("new.pgn", &collected);
    folder.refused(&["--pgn", "new.pgn"], "is no PGN of Tabiya's");
    assert_eq!(folder.read("precious.txt"), PRECIOUS);
    assert_eq!(folder.read("games.pgn"), COLLECTION);
    assert_eq!(folder.read("new.pgn"), collected);
    folder.play(&["--record", "e.tabiya"]);
    let (status, told) = folder.run(&["infer", "e.tabiya", "--out", "precious.txt"], "");
    assert!(status == Some(2) && told.contains("precious.txt: this file exists"), "{told}");
    assert_eq!(folder.read("precious.txt"), PRECIOUS);
}

#[test]
fn a_pgn_in_a_pipe_or_a_folder_is_refused_before_play() {
    let folder = Folder::new();
    nix::unistd::mkfifo(&folder.path("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    fs::create_dir(folder.path("games")).unwrap();
    for place in ["pipe", "games", "/", "/dev/null"] {
        folder.refused(&["--pgn", place], "choose an ordinary file");
    }
}

#[test]
fn no_option_for_a_file_to_write_takes_what_the_program_keeps_for_itself() {
    let folder = Folder::new();
    folder.play(&["--record", "e.tabiya"]);
    folder.write("config/settings.json", "{}");
    folder.write("config/boards.json", "{}");
    folder.write("data/decks/Club.json", "{}");
    folder.link("data/keys/table.json", "innocent.pgn");
    let mut keys = fs::read_dir(folder.path("data/keys")).unwrap().flatten().map(|entry| entry.path());
    let note = keys.find(|path| path.extension().is_some_and(|ending| ending == "seen")).unwrap();
    let note = format!("data/keys/{}", note.file_name().unwrap().display());
    let kept =
        ["data/keys/table.json", &note, "config/settings.json", "config/boards.json", "data/decks/Club.json"];
    let before = kept.map(|file| folder.read(file));
    for file in [&kept[..], &["innocent.pgn", "data/keys/new.pgn"]].concat() {
        for option in ["--pgn", "--capture"] {
            folder.refused(&[option, file], "Tabiya keeps its own files here");
        }
        for command in ["export", "infer"] {
            let replace = ["--replace"];
            let replace = if command == "export" { &replace[..] } else { &[] };
            let (status, told) = folder.run(&[&[command, "e.tabiya", "--out", file], replace].concat(), "");
            assert!(status == Some(2) && told.contains("Tabiya keeps its own files here"), "{told}");
        }
    }
    assert_eq!(kept.map(|file| folder.read(file)), before);
}
