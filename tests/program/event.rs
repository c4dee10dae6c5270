//! An event as people run it: a console and tables as processes of their own, over real TLS on this machine.
#![cfg(unix)]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use crate::child::{Table, name, program_of, signal, text};
use crate::wait::{let_pass, wait_until};

/// A computer: a folder with its own records, keys and settings.
struct Computer {
    folder: PathBuf,
}

impl Computer {
    fn new(folder: &Path, called: &str) -> Self {
        let folder = folder.join(called);
        std::fs::create_dir_all(folder.join("data")).unwrap();
        Self { folder }
    }

    fn places(&self) -> [String; 2] {
        let place =
            |what: &str| format!("TABIYA_{}={}", what.to_uppercase(), self.folder.join(what).display());
        [place("data"), place("config")]
    }

    fn start(&self, arguments: &[&str]) -> Table {
        let [data, config] = self.places();
        Table::under(&["env", &data, &config], arguments)
    }

    fn run(&self, arguments: &[&str], typed: &str) -> Output {
        let [data, config] = self.places();
        crate::child::typed_into(&mut program_of(&["env", &data, &config], arguments), typed)
    }

    fn printed(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments, "");
        let (out, err) = (text(&done.stdout), text(&done.stderr));
        assert_eq!(done.status.code(), Some(0), "{arguments:?}\n{out}\n{err}");
        out
    }

    fn event(&self) -> PathBuf {
        let mut events = std::fs::read_dir(self.folder.join("data/events")).unwrap();
        events.next().expect("one event").unwrap().path()
    }
}

/// A port that nobody uses at this moment.
fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

fn console(of: &Computer, port: &str) -> Table {
    of_event(of, &["--name", "Club open"], port)
}

/// A console of the event that these arguments name.
fn of_event(of: &Computer, named: &[&str], port: &str) -> Table {
    let here = ["--headless", "--hidden", "--bind", "127.0.0.1", "--port", port, "--arbiter", "Rossi"];
    let mut console = of.start(&[&["event"], named, &here].concat());
    console.hear("listening on");
    console
}

const CHESS: [&str; 12] = [
    "play",
    "--headless",
    "--plain",
    "--game",
    "chess",
    "--time",
    "300+5",
    "--voice",
    "event",
    "--players",
    "Ann,Bo",
    "--event",
];

/// A table that joins with the digits that it shows.
fn joins(of: &Computer, console: &mut Table, port: &str, number: u16) -> Table {
    let address = format!("127.0.0.1:{port}");
    let mut table = of.start(&[&CHESS[..], &[address.as_str()]].concat());
    let told = table.hear("tell the arbiter these digits");
    let digits = told.split(": ").nth(1).unwrap().to_owned();
    console.hear("wants to join");
    console
        .enter_and_hear("admit 999999 17", if digits == "999999" { "the digits fit" } else { "do not fit" });
    console.enter_and_hear(&format!("admit {digits} {number}"), "the digits fit");
    table.enter_and_hear("Y", &format!("this is table {number} of event Club open"));
    console.hear(&format!("table {number} is here"));
    table.hear("make a move");
    table
}

/// Waits until the console has the state of a table with its clock.
fn tells_its_clock(console: &mut Table, number: u16) {
    wait_until(|| {
        let row = console.enter_and_hear("tables", &format!("{number}: "));
        if row.contains(" – 5:") { Ok(()) } else { Err(row) }
    });
}

/// The number of lines and the hash after them, as `tabiya verify` prints them.
fn verified(printed: &str) -> Vec<&str> {
    printed
        .lines()
        .filter_map(|line| line.split_once(" lines after the header verified; "))
        .map(|(_, head)| head)
        .collect()
}

#[test]
fn an_arbiter_runs_a_table_from_another_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, board) = (Computer::new(folder.path(), "desk"), Computer::new(folder.path(), "board"));
    let port = free_port();
    let mut console = console(&desk, &port);
    let mut table = joins(&board, &mut console, &port, 17);
    table.enter("press black");
    table.enter_and_hear("e2e4", "plays e2e4");
    tells_its_clock(&mut console, 17);
    console.enter_and_hear("17 pause", "`pause` is done");
    table.hear("paused by arbiter");
    console.enter_and_hear("17 resume", "`resume` is done");
    console.enter_and_hear("17 rule clock black +60 Laws 7.5.5", "is done");
    // The players see what the arbiter has done, and not why.
    let told = table.hear("the arbiter rules");
    assert!(told.contains("Black’s clock: 6:0") || told.contains("Black's clock: 6:0"), "{told}");
    assert!(!told.contains("7.5.5"), "{told}");
    console.enter_and_hear("17 rule clock black +60", "needs its reason");
    console.enter_and_hear("17 e7e5", "is nothing that a console can order");
    console.enter_and_hear("18 pause", "table 18 is not connected");
    console.enter_and_hear("17 rule winner white adjudicated", "[y/N]");
    console.enter_and_hear("n", "nothing was ordered");
    console.enter_and_hear("17 rule winner white adjudicated", "[y/N]");
    console.enter_and_hear("y", "is done");
    table.hear("Ann (White) wins");
    console.enter_and_hear("begin 17 chess 90+30 Cy Di", "is done (line 0)");
    console.enter_and_hear("tables", "Cy – Di");
    assert!(table.quit().0.success());
    console.hear("table 17 is gone");
    assert!(console.quit().0.success());
    let told = desk.printed(&["verify", "--event", name(&desk.event())]);
    assert_eq!(told.matches("was ordered by Rossi").count(), 5, "{told}");
    let record = std::fs::read_dir(board.folder.join("data")).unwrap();
    let record = record
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|ending| ending == "tabiya"));
    let own = board.printed(&["verify", name(&record.unwrap())]);
    let copies: Vec<&str> = verified(&told).into_iter().skip(1).collect();
    assert_eq!(copies.len(), 2, "{told}");
    assert_eq!(copies, verified(&own), "the copies are the record");
}

#[test]
fn a_round_starts_at_its_tables_and_counts_what_both_players_confirm() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, board) = (Computer::new(folder.path(), "desk"), Computer::new(folder.path(), "board"));
    let club = desk.folder.join("club");
    let club = name(&club);
    let plan = ["event", "new", club, "--system", "round-robin", "--rounds", "1", "--name", "Club open"];
    desk.printed(&plan);
    for player in ["Cy Example", "Di Example"] {
        desk.printed(&["event", "add", player, "--event", club]);
    }
    desk.printed(&["event", "pair", "--event", club, "--accept"]);
    let port = free_port();
    let mut console = of_event(&desk, &["--event", club], &port);
    let mut table = joins(&board, &mut console, &port, 1);
    wait_until(|| {
        let row = console.enter_and_hear("boards", "1: ");
        if row.ends_with("ready") { Ok(()) } else { Err(row) }
    });
    console.enter_and_hear("start half past two", "the round begins");
    wait_until(|| {
        let told = console.enter_and_hear("boards", "");
        if told.contains("half past two") { Ok(()) } else { Err(told) }
    });
    console.enter_and_hear("start 5+3", "the round begins");
    // The match in which nothing was played makes room.
    console.hear("`end the round begins` is done");
    console.hear("is done (line 0)");
    wait_until(|| {
        let row = console.enter_and_hear("boards", "1: ");
        if row.ends_with("Cy Example – Di Example, plays") { Ok(()) } else { Err(row) }
    });
    table.enter("press black");
    table.enter_and_hear("e2e4", "plays e2e4");
    table.enter_and_hear("resign black", "does Di Example (Black) resign?");
    table.enter_and_hear("yes", "Cy Example (White) wins");
    table.enter("sign white");
    wait_until(|| {
        let row = console.enter_and_hear("boards", "1: ");
        if row.ends_with("1 : 0, not confirmed by both") { Ok(()) } else { Err(row) }
    });
    table.enter("sign black");
    wait_until(|| {
        let row = console.enter_and_hear("boards", "1: ");
        if row.ends_with("Di Example, 1 : 0") { Ok(()) } else { Err(row) }
    });
    let standings = desk.printed(&["event", "standings", "--event", club, "--json"]);
    assert!(standings.contains(r#""name":"Cy Example","points":1"#), "{standings}");
    assert!(table.quit().0.success());
    assert!(console.quit().0.success());
    desk.printed(&["verify", "--event", club]);
}

/// Waits until the row of this board ends so.
fn row_of_board(console: &mut Table, board: usize, ends: &str) {
    wait_until(|| {
        let row = console.enter_and_hear("boards", &format!("{board}: "));
        if row.ends_with(ends) { Ok(()) } else { Err(row) }
    });
}

#[test]
fn a_round_waits_for_a_table_that_is_slow_to_end_its_empty_match_while_another_one_plays_already() {
    let folder = tempfile::tempdir().unwrap();
    let [desk, left, right] = ["desk", "left", "right"].map(|of| Computer::new(folder.path(), of));
    let club = desk.folder.join("club");
    let club = name(&club);
    let plan = ["event", "new", club, "--system", "round-robin", "--rounds", "1", "--name", "Club open"];
    desk.printed(&plan);
    for player in ["Cy Example", "Di Example", "Ed Example", "Flo Example"] {
        desk.printed(&["event", "add", player, "--event", club]);
    }
    desk.printed(&["event", "pair", "--event", club, "--accept"]);
    let port = free_port();
    let mut console = of_event(&desk, &["--event", club], &port);
    let mut free = joins(&left, &mut console, &port, 1);
    let slow = joins(&right, &mut console, &port, 2);
    free.enter_and_hear("end nobody plays it", "the match is over");
    row_of_board(&mut console, 1, "ready");
    row_of_board(&mut console, 2, "ready");
    signal("STOP", slow.process());
    console.enter_and_hear("start 5+3 default soon", "a number of minutes");
    console.enter_and_hear("start 5+3 default 15", "the round begins");
    row_of_board(&mut console, 1, "plays");
    // The console looks at the round that begins several times while one table plays and the other one has not answered.
    let_pass(Duration::from_secs(2));
    signal("CONT", slow.process());
    row_of_board(&mut console, 2, "plays");
    for table in [free, slow] {
        assert!(table.quit().0.success());
    }
    let played = left.printed(&["export", name(&record_of(&left)), "--format", "jsonl"]);
    assert!(played.contains(r#""default_s":900"#), "{played}");
    assert!(console.quit().0.success());
}

#[test]
fn whoever_is_killed_nothing_is_lost_and_nothing_twice() {
    const KILLS: usize = 6;
    let folder = tempfile::tempdir().unwrap();
    let (desk, board) = (Computer::new(folder.path(), "desk"), Computer::new(folder.path(), "board"));
    let port = free_port();
    let mut console_now = console(&desk, &port);
    let mut table = joins(&board, &mut console_now, &port, 3);
    table.enter("press black");
    let moves = [
        "g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8", "a2a3", "a7a6", "h2h3", "h7h6",
        "g1f3", "g8f6", "f3g1", "f6g8", "b2b3", "b7b6",
    ];
    let mut moves = moves.iter().zip(["press white", "press black"].iter().cycle());
    for kill in 0..KILLS {
        for (uci, press) in moves.by_ref().take(2) {
            table.enter_and_hear(uci, "plays");
            table.enter(press);
        }
        if kill % 2 == 0 {
            console_now.kill();
            if kill == 0 {
                table.hear("no console is told");
            }
            // The table goes on without it.
            if let Some((uci, press)) = moves.next() {
                table.enter_and_hear(uci, "plays");
                table.enter(press);
            }
            console_now = console(&desk, &port);
        } else {
            table.kill();
            table = board.start(&[
                "play",
                "--headless",
                "--plain",
                "--event",
                &format!("127.0.0.1:{port}"),
                "--record",
                name(&record_of(&board)),
                "--carry-on",
            ]);
            table.hear("carried on");
            table.enter_and_hear("resume", "resumed");
        }
        console_now.hear("table 3 is here");
    }
    assert!(table.quit().0.success());
    console_now.hear("table 3 is gone");
    assert!(console_now.quit().0.success());
    let told = desk.printed(&["verify", "--event", name(&desk.event())]);
    let own = board.printed(&["verify", name(&record_of(&board))]);
    assert!(verified(&own).last().is_some(), "{own}");
    assert_eq!(verified(&told).last(), verified(&own).last(), "{told}\n{own}");
    assert!(!desk.event().join("fork-1.tabiya").exists());
}

fn record_of(board: &Computer) -> PathBuf {
    let files = std::fs::read_dir(board.folder.join("data")).unwrap().map(|entry| entry.unwrap().path());
    let mut records = files.filter(|path| path.extension().is_some_and(|ending| ending == "tabiya"));
    records.next().expect("a record")
}

#[test]
fn a_hall_is_prepared_with_files_and_a_dead_computer_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Computer::new(folder.path(), "desk");
    let (first, second) = (Computer::new(folder.path(), "first"), Computer::new(folder.path(), "second"));
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    console(&desk, &port).quit();
    let sticks = folder.path().join("sticks");
    let written = desk.printed(&["event", "tables", "7-8", "--out", name(&sticks), "--console", &address]);
    assert!(written.contains("2 files"), "{written}");
    let file = sticks.join("table-7.json");
    let mut console_now = console(&desk, &port);
    let with_file = |of: &Computer| of.start(&[&CHESS[..], &["--table-file", name(&file)]].concat());
    let mut table = with_file(&first);
    table.hear("this is table 7");
    console_now.hear("table 7 is here");
    table.enter("press black");
    table.enter_and_hear("e2e4", "plays e2e4");
    // A file serves one computer.
    let (status, _, errors) = with_file(&second).end();
    assert_eq!(status.code(), Some(2));
    assert!(errors.contains("refuses this computer"), "{errors}");
    console_now.enter_and_hear("tables", "7: here");
    table.kill();
    console_now.hear("table 7 is gone");
    assert!(console_now.quit().0.success());
    // The first computer is dead: its match goes on at the second, from the console's copy.
    let stick = folder.path().join("stick");
    std::fs::create_dir_all(&stick).unwrap();
    desk.printed(&["event", "hand-over", "7", "--to", name(&stick)]);
    let record = stick.join("table-7.tabiya");
    let mut console_now = console(&desk, &port);
    let mut table = second.start(&[
        "play",
        "--headless",
        "--plain",
        "--event",
        &address,
        "--record",
        name(&record),
        "--carry-on",
    ]);
    let told = table.hear("tell the arbiter these digits");
    let digits = told.split(": ").nth(1).unwrap().to_owned();
    console_now.enter_and_hear(&format!("admit {digits} 7"), "the digits fit");
    table.enter_and_hear("Y", "this is table 7");
    table.hear("carried on");
    console_now.hear("table 7 is here");
    table.enter_and_hear("resume", "resumed");
    console_now.enter_and_hear("tables", "7: here");
    assert!(table.quit().0.success());
    console_now.hear("table 7 is gone");
    assert!(console_now.quit().0.success());
    let told = desk.printed(&["verify", "--event", name(&desk.event())]);
    let own = second.printed(&["verify", name(&record)]);
    assert!(verified(&own).last().is_some(), "{own}");
    assert_eq!(verified(&told).last(), verified(&own).last(), "{told}\n{own}");
    assert!(!desk.event().join("fork-1.tabiya").exists(), "the same record goes on");
}

#[test]
fn the_tables_of_one_computer_join_with_a_number_each_beside_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Computer::new(folder.path(), "desk");
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    console(&desk, &port).quit();
    let sticks = folder.path().join("sticks");
    desk.printed(&["event", "tables", "7-8", "--out", name(&sticks), "--console", &address]);
    let file = folder.path().join("club.toml");
    let table = |number: u16| {
        format!(
            "[[table]]\ntable-file = \"sticks/table-{number}.json\"\nrecord = \"{number}.tabiya\"\nplayers = \"Ann {number},Bo {number}\"\n"
        )
    };
    let usual = "game = \"chess\"\ntime = \"5+3\"\nvoice = \"event\"\n";
    std::fs::write(&file, [usual.to_owned(), table(7), table(8)].concat()).unwrap();
    let mut console = console(&desk, &port);
    let mut tables = desk.start(&["play", "--headless", "--tables", name(&file), "--event", &address]);
    tables.heard_by_now("this is table ", 2);
    console.hear("table 7 is here");
    console.heard_by_now("table 8 is here", 1);
    tables.enter("all: press black");
    tables.enter("2: d2d4");
    tells_its_clock(&mut console, 8);
    console.enter_and_hear("8 pause", "`pause` is done");
    let told = tables.hear("paused by arbiter");
    assert!(told.starts_with("2  "), "{told}");
    tables.end_input();
    crate::child::signal("TERM", tables.process());
    assert!(tables.end().0.success());
    console.heard_by_now("table 8 is gone", 1);
    assert!(console.quit().0.success());
    let told = desk.printed(&["verify", "--event", name(&desk.event())]);
    assert!(verified(&told).len() >= 2, "{told}");
}

#[test]
fn an_authority_is_saved_and_restored_at_another_computer() {
    let folder = tempfile::tempdir().unwrap();
    let (desk, other) = (Computer::new(folder.path(), "desk"), Computer::new(folder.path(), "other"));
    console(&desk, &free_port()).quit();
    let saved = folder.path().join("chief.authority");
    let done = desk.run(&["event", "authority", "--save", name(&saved)], "short\n");
    assert_eq!(done.status.code(), Some(2), "{}", text(&done.stderr));
    let done = desk.run(&["event", "authority", "--save", name(&saved)], "a passphrase of words\n");
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let wrong = other.run(&["event", "authority", "--restore", name(&saved)], "another passphrase\n");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("does not fit"), "{}", text(&wrong.stderr));
    let done = other.run(&["event", "authority", "--restore", name(&saved)], "a passphrase of words\n");
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
}

#[test]
fn a_whole_hall_is_simulated_over_the_real_wire() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Computer::new(folder.path(), "desk");
    let told = desk.printed(&["event", "simulate", "8", "--fast", "--seconds", "12"]);
    let last = told.lines().last().unwrap_or_default();
    let lines: u64 = last.split(' ').rev().nth(3).and_then(|number| number.parse().ok()).unwrap_or(0);
    assert!(last.contains("of 8 tables are connected") && lines > 100, "{told}");
    for table in 1..=8 {
        assert!(told.contains(&format!("table {table} is here")), "{told}");
    }
}

#[test]
fn a_drill_says_what_is_heard_at_each_table_and_needs_ten_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Computer::new(folder.path(), "desk");
    let mut drill = desk.start(&["event", "simulate", "12", "--drill", "--fast", "--headless"]);
    drill.hear("drill: table 1: a king has gone too far");
    drill.hear("drill: table 2: a flag has fallen");
    drill.enter("quit");
    let few = desk.run(&["event", "simulate", "9", "--drill"], "");
    assert_eq!(few.status.code(), Some(2));
    assert!(text(&few.stderr).contains("at least 10 tables"), "{}", text(&few.stderr));
}
