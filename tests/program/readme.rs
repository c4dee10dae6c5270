//! The README's first command prints what the README shows, the commands of `docs/first-game.md` play a game, each command of
//! `docs/organisers-guide.md` ends by itself, and the program takes the words of every command in the documents.

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
            // A simulated board waits for its table, and a console for its tables.
            let waits = [("sim ", "the board is at"), ("event", "listening on")];
            if waits.iter().any(|(begins, says)| command.starts_with(begins) && printed().contains(says)) {
                child.kill().and_then(|()| child.wait()).expect("what waits ends");
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

/// The pages with commands: the README, the book's own pages, and all documents.
fn pages() -> Vec<std::path::PathBuf> {
    let mut folders = vec!["docs".into(), "packaging/book".into()];
    let mut pages: Vec<std::path::PathBuf> = vec!["README.md".into(), "CONTRIBUTING.md".into()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir::<std::path::PathBuf>(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// What looks like a command on the pages and is none: texts that are hashed, an option that is only named, and commands that
/// stand for any.
const NO_COMMANDS: [&str; 9] =
    ["1", "card v1", "box 1", "box 2", "lock 1", "play --time", "COMMAND", "COMMAND --help", "…"];

/// The commands on a page, without `tabiya`: whole lines of a block, and code in the text.
fn commands_of(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if let Some(set_in) = line.strip_prefix("    ").or(fenced.then_some(line)) {
            // What comes after the command is said about it, as in a list of commands.
            let set_in = set_in.strip_prefix("$ ").unwrap_or(set_in);
            found.extend(set_in.split("  ").next().map(str::to_owned));
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    let command = |line: String| {
        let from_source = line.split_once("cargo run ").and_then(|(_, rest)| rest.split_once("-- "));
        let from_source = from_source.filter(|(options, _)| !options.contains("--example"));
        let words = from_source.map(|(_, words)| words).or_else(|| line.strip_prefix("tabiya "));
        words.map(|words| words.split(" # ").next().expect("a command").trim().to_owned())
    };
    found.into_iter().filter_map(command).filter(|command| !NO_COMMANDS.contains(&command.as_str())).collect()
}

/// The arguments of a command, with quotes as in a shell, with all that may be left out (in brackets), and with names in
/// place of the capitals that stand for any.
fn arguments(command: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    for letter in command.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            ('[' | ']', None) => {}
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(letter),
        }
    }
    let any = |word: String| match word.as_str() {
        "BOARD" => "dgt".to_owned(),
        "ADDRESS" => "dgt:auto".to_owned(),
        _ => word,
    };
    words.into_iter().filter(|word| !word.is_empty()).map(any).collect()
}

/// `--help` at the end keeps a command from running, but not from being read: a word or an option before it that the program
/// does not have is refused.
#[test]
fn the_program_takes_the_words_of_every_command_in_the_documents() {
    let (mut tried, mut wrong) = (std::collections::BTreeSet::new(), Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for command in commands_of(&text) {
            if !tried.insert(command.clone()) {
                continue;
            }
            let arguments = arguments(&command);
            let words: Vec<&str> = arguments.iter().map(String::as_str).chain(["--help"]).collect();
            let done = crate::child::tabiya(&words);
            if !done.status.success() {
                let error = crate::child::text(&done.stderr);
                wrong.push(format!("{}: `tabiya {command}`: {error}", tabiya_types::shown(&page)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried.len() > 80, "{}", tried.len());
    assert!(!crate::child::tabiya(&["play", "--no-such-word", "--help"]).status.success());
}
