//! The README's first command prints what the README shows, and the commands of `docs/first-game.md` play a game.

#[cfg(unix)]
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
        assert!(lines.any(|printed| printed == line), "not printed, or not in this order: {line}");
    }
    assert!(folder.path().join("evening.pgn").exists());
}

/// The text between `begin` and `end` in `docs/first-game.md`.
#[cfg(unix)]
fn tried(begin: &str, end: &str) -> String {
    let page = std::fs::read_to_string("docs/first-game.md").expect("a page");
    let rest = page.split_once(begin).expect(begin).1;
    rest.split(end).next().expect("a text").to_owned()
}

/// The commands in a cell of a table: `deal`, `check`.
#[cfg(unix)]
fn commands(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[cfg(unix)]
#[test]
fn the_first_game_without_hardware_is_played_as_its_page_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = |text: &str| {
        let record = crate::child::name(&folder.path().join("evening.tabiya")).to_owned();
        text.replace("/tmp/", &format!("{}/", crate::child::name(folder.path())))
            .replace("evening.tabiya", &record)
    };
    let words = |line: &str| -> Vec<String> {
        let command = here(line.split(" # ").next().expect("a command"));
        command.strip_prefix("tabiya ").expect(line).split_whitespace().map(str::to_owned).collect()
    };
    let printed =
        |line: &str| crate::child::printed(&words(line).iter().map(String::as_str).collect::<Vec<_>>(), 0);
    let start =
        |line: &str| crate::child::Table::start(&words(line).iter().map(String::as_str).collect::<Vec<_>>());
    let block = tried("```sh\n", "```");
    let [import, board, reader, table] = block.lines().collect::<Vec<_>>()[..] else { panic!("{block}") };
    printed(import);
    let (mut board, mut reader) = (start(board), start(reader));
    board.hear("the board is at ");
    reader.hear("the box is at ");
    let mut table = start(table);
    table.hear("connected: DGT board");
    // Waits until the clock is found. Before that, a press would only change the lever's first state and would not be
    // reported.
    table.hear("a clock is connected to the board");
    let mut plugged = true;
    let rows = tried("| --- | --- | --- |\n", "\n\n");
    for row in rows.lines() {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [typed, card, moved] = cells[..] else { panic!("{row}") };
        for command in commands(typed) {
            table.enter_and_hear(command, "> ");
        }
        for command in commands(card) {
            reader.enter(command);
            table.hear(" turns a ");
        }
        // Once during the game, the box with the card reader is unplugged and plugged in again.
        if card.contains("52") && std::mem::take(&mut plugged) {
            reader.enter("unplug");
            table.hear("the box beside the board is gone: ");
            reader.enter("plug");
            table.hear("the box beside the board is back");
        }
        let moved = commands(moved);
        for command in &moved {
            board.enter(command);
        }
        if !moved.is_empty() {
            table.hear(if card.trim().is_empty() { " plays " } else { " places a " });
        }
    }
    table.hear("the match is over: Ann has 194 chips, Bo has 206");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    for simulator in [board, reader] {
        assert_eq!(simulator.quit().0.code(), Some(0));
    }
    let after = tried("what was kept:\n\n```sh\n", "```");
    let [replay, export] = after.lines().collect::<Vec<_>>()[..] else { panic!("{after}") };
    assert!(printed(replay).contains("checkmate"));
    let lines = printed(export);
    assert_eq!(lines.matches(r#""how":"read""#).count(), 10, "{lines}");
    assert_eq!(lines.matches(r#""do":"move""#).count(), 6, "{lines}");
}
