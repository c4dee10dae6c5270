//! The README's first command prints what the README shows, the commands of `docs/first-game.md` play a game, and each command
//! of `docs/organisers-guide.md` ends by itself.

#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

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

/// How long a command of the guide may run: an organiser who tries a table waits so long, and no match of the trial goes on
/// for hundreds of games.
#[cfg(unix)]
const LONGEST_TRIAL: Duration = Duration::from_mins(1);
/// How many lines a command of the guide may print.
#[cfg(unix)]
const MOST_LINES: usize = 1_000;

/// The commands of the organisers' guide: lines that are set in, and those in the text.
#[cfg(unix)]
fn commands_of_the_guide() -> Vec<String> {
    let page = std::fs::read_to_string("docs/organisers-guide.md").expect("a page");
    let set_in = page.lines().filter_map(|line| line.strip_prefix("    tabiya "));
    let in_text = page.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("tabiya "));
    let filled = |command: &str| {
        command
            .replace("ADDRESS", "dgt:./no-such-board")
            .replace("RECORD", "trial.tabiya")
            .replace("REASON", "asked")
            .replace("NAME", "Club")
            .replace("/tmp/board", "./board")
    };
    set_in.chain(in_text).map(filled).collect()
}

/// The status with which a command of the guide ends on a computer without board, reader, deck and screen.
#[cfg(unix)]
fn usual_status(command: &str) -> i32 {
    // The trial's cards were dealt by nobody whom a reader saw, so `hands` has none to open.
    let needs_hardware = ["--board auto", "devices probe", "--deck Club", "deck audit", "hands "];
    // `tabiya deck` alone says which words it has.
    if command == "deck" || needs_hardware.iter().any(|what| command.contains(what)) { 2 } else { 0 }
}

#[cfg(unix)]
#[test]
fn every_command_of_the_organisers_guide_ends_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |command: &str| {
        let output = std::fs::File::create(folder.path().join("printed")).expect("a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .current_dir(folder.path())
            .args(command.split_whitespace())
            .env("HOME", folder.path())
            .env("TABIYA_DATA", folder.path().join("data"))
            .env("TABIYA_CONFIG", folder.path().join("config"))
            .env("XDG_DATA_HOME", folder.path().join("share"))
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("the same file"))
            .stderr(output)
            .spawn()
            .expect("the program starts");
        let begun = Instant::now();
        let printed = || std::fs::read_to_string(folder.path().join("printed")).expect("what was printed");
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child") {
                break status.code();
            }
            // A simulated board waits for its table.
            if command.starts_with("sim ") && printed().contains("the board is at") {
                child.kill().and_then(|()| child.wait()).expect("the simulator ends");
                break Some(0);
            }
            if begun.elapsed() > LONGEST_TRIAL {
                drop(child.kill());
                panic!("`tabiya {command}` does not end");
            }
            crate::wait::let_pass(Duration::from_millis(10));
        };
        (status, printed())
    };
    let commands = commands_of_the_guide();
    // The trial comes first, because other commands read its record.
    let trial = commands.iter().find(|command| command.contains("trial.tabiya")).expect("a trial");
    assert_eq!(run(trial).0, Some(0), "{trial}");
    for copy in ["table-1.tabiya", "old.tabiya"] {
        std::fs::copy(folder.path().join("trial.tabiya"), folder.path().join(copy)).expect("a copy");
    }
    assert!(commands.len() >= 12, "{commands:?}");
    for command in commands.iter().filter(|command| *command != trial) {
        let (status, printed) = run(command);
        assert_eq!(status, Some(usual_status(command)), "`tabiya {command}`: {printed}");
        assert!(printed.lines().count() <= MOST_LINES, "`tabiya {command}` prints too much");
    }
}
