//! The README's main job prints what the README shows.

use std::process::Command;

#[test]
fn the_main_job_prints_what_the_readme_shows() {
    let readme = std::fs::read_to_string("README.md").expect("a README");
    let shown =
        readme.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .current_dir(folder.path())
        .args("play --headless --board sim --seed 7 --games 1 --time 300+5".split(' '))
        .args(["--record", "evening.tabiya", "--pgn", "evening.pgn"])
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("text");
    let mut lines = printed.lines();
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(lines.any(|printed| printed == line), "not printed, or not in this place: {line}");
    }
    assert!(folder.path().join("evening.pgn").exists());
}
